// Asynchronous copies from global to shared memory (cp.async) that are waited
// for: what is copied, and that nothing is found.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"
#include "Inputs/device.h"

namespace {
constexpr int T = 64;
struct alignas(16) Four {
  int A, B, C, D;
};
}

// While one tile is worked on the next one is on its way.
PROGRAM(two_buffers) {
  constexpr int Tiles = 7;
  int In[Tiles * T], Out[2 * T];
  for (int I = 0; I < Tiles * T; ++I)
    In[I] = I * I;
#pragma omp target teams ompx_bare num_teams(2) thread_limit(T) map(to : In)   \
    map(from : Out)
  {
    SHARED int Buffer[2][T];
    int I = threadId(), Sum = 0;
    COPY_ASYNC(4, &Buffer[0][I], &In[I]);
    __nvvm_cp_async_commit_group();
    for (int K = 0; K < Tiles; ++K) {
      if (K + 1 < Tiles)
        COPY_ASYNC(4, &Buffer[(K + 1) % 2][I], &In[(K + 1) * T + I]);
      __nvvm_cp_async_commit_group(); // of nothing in the last round
      __nvvm_cp_async_wait_group(1);
      barrier();
      Sum += (K + 1) * Buffer[K % 2][T - 1 - I];
      barrier();
    }
    Out[blockId() * T + I] = Sum;
  }
  for (int I = 0; I < 2 * T; ++I) {
    int Sum = 0;
    for (int K = 0; K < Tiles; ++K)
      Sum += (K + 1) * In[K * T + T - 1 - I % T];
    check::value("Out", Out[I], Sum, I);
  }
}

// Three are under way; each round waits for the oldest.
PROGRAM(stages) {
  constexpr int Stages = 4, Tiles = 9;
  Four In[Tiles * T];
  int Out[T];
  for (int I = 0; I < Tiles * T; ++I)
    In[I] = {I, I + 1, 2 * I, 3 * I};
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(to : In)   \
    map(from : Out)
  {
    SHARED Four Buffer[Stages][T];
    int I = threadId(), Sum = 0;
    for (int K = 0; K < Stages - 1; ++K) {
      COPY_ASYNC(16, &Buffer[K][I], &In[K * T + I]);
      __nvvm_cp_async_commit_group();
    }
    for (int K = 0; K < Tiles; ++K) {
      __nvvm_cp_async_wait_group(Stages - 2);
      __nvvm_bar_warp_sync(~0u);
      const auto &F = Buffer[K % Stages][I ^ 1];
      Sum += F.A + F.B - F.C + F.D * K;
      __nvvm_bar_warp_sync(~0u);
      const int Next = K + Stages - 1;
      if (Next < Tiles)
        COPY_ASYNC(16, &Buffer[Next % Stages][I], &In[Next * T + I]);
      __nvvm_cp_async_commit_group();
    }
    Out[I] = Sum;
  }
  for (int I = 0; I < T; ++I) {
    int Sum = 0;
    for (int K = 0; K < Tiles; ++K) {
      const Four &F = In[K * T + (I ^ 1)];
      Sum += F.A + F.B - F.C + F.D * K;
    }
    check::value("Out", Out[I], Sum, I);
  }
}

// At the end of an array fewer bytes are read than written, or none.
PROGRAM(parts) {
  constexpr int N = 4 * T - 6;
  int In[N], Out[4 * T];
  for (int I = 0; I < N; ++I)
    In[I] = I + 1;
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(to : In)   \
    map(from : Out)
  {
    SHARED Four Line[T];
    int I = threadId(), Left = N - 4 * I;
    int Bytes = Left >= 4 ? 16 : Left <= 0 ? 0 : 4 * Left;
    COPY_ASYNC(16, &Line[I], Bytes ? &In[4 * I] : In, Bytes);
    __nvvm_cp_async_wait_all();
    Out[4 * I] = Line[I].A;
    Out[4 * I + 1] = Line[I].B;
    Out[4 * I + 2] = Line[I].C;
    Out[4 * I + 3] = Line[I].D;
  }
  for (int I = 0; I < 4 * T; ++I)
    check::value("Out", Out[I], I < N ? I + 1 : 0, I);
}

// The same as text, the way CUDA programs have it.
PROGRAM(inline_assembly) {
  int In[T], Out[T];
  for (int I = 0; I < T; ++I)
    In[I] = 5 * I;
#pragma omp target teams ompx_bare num_teams(2) thread_limit(T) map(to : In)   \
    map(from : Out)
  {
    SHARED int Line[T];
    int I = threadId();
    const int *From = &In[I];
#ifdef __NVPTX__
    auto To = (unsigned)(size_t)&Line[I];
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(To),
                 "l"(From), "n"(4)
                 : "memory");
    asm volatile("cp.async.commit_group;\n" ::: "memory");
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0) : "memory");
#else
    Line[I] = *From;
#endif
    barrier();
    Out[I] = Line[T - 1 - I];
  }
  for (int I = 0; I < T; ++I)
    check::value("Out", Out[I], 5 * (T - 1 - I), I);
}

// More copies than the log of a warp has room for.
PROGRAM(many) {
  constexpr int N = 100;
  long In[N * 32], Out[32];
  for (int I = 0; I < N * 32; ++I)
    In[I] = 3 * I;
#pragma omp target teams ompx_bare num_teams(1) thread_limit(32) map(to : In)  \
    map(from : Out)
  {
    SHARED long Line[N * 32];
    int I = threadId();
    for (int K = 0; K < N; ++K)
      COPY_ASYNC(8, &Line[K * 32 + I], &In[K * 32 + I]);
    __nvvm_cp_async_wait_all();
    long Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += (K + 1) * Line[K * 32 + I];
    Out[I] = Sum;
  }
  for (int I = 0; I < 32; ++I) {
    long Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += (K + 1) * In[K * 32 + I];
    check::value("Out", Out[I], Sum, I);
  }
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
