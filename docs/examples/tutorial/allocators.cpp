// Allocators: where a variable lives on the device. Here each team reverses a
// block of the array through a buffer that all its threads see; the buffer is
// placed in the memory of the team, which is fast shared memory on a GPU.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
//     allocators.cpp
#include "../example.h"
#include <algorithm>
#include <omp.h>
#include <vector>

const int Block = 64;

// The host device has no memory of teams. Its runtime would take the default
// one, with a warning at each allocation.
#if defined(__NVPTX__) || defined(__AMDGPU__)
#define TEAM_MEMORY omp_pteam_mem_alloc
#else
#define TEAM_MEMORY omp_default_mem_alloc
#endif

static void reverseBlocks(double *A, int N) {
#pragma omp target teams distribute map(tofrom : A[0 : N])
  for (int Begin = 0; Begin < N; Begin += Block) {
    double Buffer[Block];
#pragma omp allocate(Buffer) allocator(TEAM_MEMORY)
    int Length = N - Begin < Block ? N - Begin : Block;
#pragma omp parallel for
    for (int I = 0; I < Length; ++I)
      Buffer[I] = A[Begin + I];
#pragma omp parallel for
    for (int I = 0; I < Length; ++I)
      A[Begin + I] = Buffer[Length - 1 - I];
  }
}

// The same over a lambda of two arguments: which buffer, and which block.
template <typename Body> void forBlocks(int N, Body Work) {
#pragma omp target teams distribute
  for (int Begin = 0; Begin < N; Begin += Block) {
    double Buffer[Block];
#pragma omp allocate(Buffer) allocator(TEAM_MEMORY)
    Work(Buffer, Begin);
  }
}

struct View {
  double *Data;
  int N;
};

static void reverseView(View A) {
  forBlocks(A.N, [=](double *Buffer, int Begin) {
    int Length = A.N - Begin < Block ? A.N - Begin : Block;
#pragma omp parallel for
    for (int I = 0; I < Length; ++I)
      Buffer[I] = A.Data[Begin + I];
#pragma omp parallel for
    for (int I = 0; I < Length; ++I)
      A.Data[Begin + I] = Buffer[Length - 1 - I];
  });
}

static void lambda(double *A, int N) {
#pragma omp target data map(tofrom : A[0 : N])
  reverseView({A, N});
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "length of the array", 1000, 1, 1000000);
  int N = E.size();
  // Alignment and other traits of memory of the host.
  omp_alloctrait_t Traits[] = {{omp_atk_alignment, 256}};
  omp_allocator_handle_t Aligned =
      omp_init_allocator(omp_default_mem_space, 1, Traits);
  double *A = static_cast<double *>(omp_alloc(sizeof(double) * N, Aligned));
  E.check("alignment of the host's array", size_t(A) % 256, 0);

  double Expected = 0;
  for (int I = 0; I < N; ++I) {
    int Begin = I / Block * Block, End = std::min(Begin + Block, N);
    Expected += double(I) * (Begin + End - 1 - I);
  }
  auto Run = [&](const char *Name, auto *Reverse) {
    auto Body = [&] {
      for (int I = 0; I < N; ++I)
        A[I] = I;
      Reverse(A, N);
      double Sum = 0;
      for (int I = 0; I < N; ++I)
        Sum += I * A[I];
      return Sum;
    };
    E.run(Name, Body, Expected);
  };
  Run("allocators", reverseBlocks);
  Run("allocators-lambda", lambda);
  omp_free(A, Aligned);
  omp_destroy_allocator(Aligned);
  return E.finish();
}
// RUN: %wrong_without_ferry
