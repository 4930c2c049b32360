// Shared memory: variables of a team, static and dynamic.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

extern "C" void *llvm_omp_target_dynamic_shared_alloc();

#pragma omp begin declare target
[[clang::loader_uninitialized]] static int Scratch[64];
#pragma omp allocate(Scratch) allocator(omp_pteam_mem_alloc)
#pragma omp end declare target

namespace {
struct alignas(16) Wide {
  double A, B;
};

/// Threads exchange values of type T through the memory of their team.
template <class T>
void reverse() {
  constexpr int T0 = 3, N = 96;
  static T In[T0 * N], Out[T0 * N];
  char *Bytes = reinterpret_cast<char *>(In);
  for (unsigned I = 0; I < sizeof(In); ++I)
    Bytes[I] = char(I * 7 + I / 100) & 0x3f;
#pragma omp target teams num_teams(T0) thread_limit(N) map(to : In) \
    map(from : Out)
  {
    T Line[N];
#pragma omp allocate(Line) allocator(omp_pteam_mem_alloc)
#pragma omp parallel
    {
      const int G = omp_get_team_num();
#pragma omp for
      for (int I = 0; I < N; ++I)
        Line[I] = In[G * N + I];
#pragma omp for
      for (int I = 0; I < N; ++I)
        Out[G * N + I] = Line[N - 1 - I];
    }
  }
  bool Same = true;
  for (int G = 0; G < T0; ++G)
    for (int I = 0; I < N; ++I)
      Same &= !memcmp(&Out[G * N + I], &In[G * N + N - 1 - I], sizeof(T));
  check::value("reversed", Same, true);
}
} // namespace

PROGRAM(reverse_1_byte) { reverse<char>(); }
PROGRAM(reverse_2_bytes) { reverse<short>(); }
PROGRAM(reverse_4_bytes) { reverse<float>(); }
PROGRAM(reverse_8_bytes) { reverse<double>(); }
PROGRAM(reverse_16_bytes) { reverse<Wide>(); }

PROGRAM(transpose) {
  constexpr int N = 64, B = 16;
  static float A[N][N], C[N][N];
  for (int I = 0; I < N * N; ++I)
    A[0][I] = I;
#pragma omp target teams distribute collapse(2) num_teams(16) \
    thread_limit(B *B) map(to : A) map(from : C)
  for (int I = 0; I < N; I += B)
    for (int J = 0; J < N; J += B) {
      float Tile[B][B + 1];
#pragma omp allocate(Tile) allocator(omp_pteam_mem_alloc)
#pragma omp parallel for collapse(2)
      for (int K = 0; K < B; ++K)
        for (int L = 0; L < B; ++L)
          Tile[K][L] = A[I + K][J + L];
#pragma omp parallel for collapse(2)
      for (int K = 0; K < B; ++K)
        for (int L = 0; L < B; ++L)
          C[J + K][I + L] = Tile[L][K];
    }
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      check::value("C", C[J][I], A[I][J], J * N + I);
}

PROGRAM(captured_by_threads) {
  constexpr int T = 4;
  int Out[T];
#pragma omp target teams distribute num_teams(T) map(from : Out)
  for (int G = 0; G < T; ++G) {
    int Sum = G, Factor = G + 1;
#pragma omp parallel for
    for (int I = 0; I < 20; ++I) {
#pragma omp atomic
      Sum += Factor;
    }
    Out[G] = Sum;
  }
  for (int G = 0; G < T; ++G)
    check::value("Out", Out[G], G + 20 * (G + 1), G);
}

PROGRAM(global) {
  constexpr int T = 5, N = 64;
  int Out[T][N];
#pragma omp target teams num_teams(T) thread_limit(N) map(from : Out)
  {
#pragma omp parallel
    {
      const int G = omp_get_team_num();
#pragma omp for
      for (int I = 0; I < N; ++I)
        Scratch[I] = G * 1000 + I;
#pragma omp for
      for (int I = 0; I < N; ++I)
        Out[G][I] = Scratch[(I + 5) % N];
    }
  }
  for (int G = 0; G < T; ++G)
    for (int I = 0; I < N; ++I)
      check::value("Out", Out[G][I], G * 1000 + (I + 5) % N, G * N + I);
}

PROGRAM(dynamic) {
  constexpr int T = 3, N = 40;
  int Out[T][N];
#pragma omp target teams num_teams(T) thread_limit(64) map(from : Out) \
    ompx_dyn_cgroup_mem(N * sizeof(int))
  {
#pragma omp parallel
    {
      const int G = omp_get_team_num();
      int *P = static_cast<int *>(llvm_omp_target_dynamic_shared_alloc());
#pragma omp for
      for (int I = 0; I < N; ++I)
        P[I] = G * 100 + I;
#pragma omp for
      for (int I = 0; I < N; ++I)
        Out[G][I] = P[N - 1 - I];
    }
  }
  for (int G = 0; G < T; ++G)
    for (int I = 0; I < N; ++I)
      check::value("Out", Out[G][I], G * 100 + N - 1 - I, G * N + I);
}

PROGRAM(dynamic_of_run_time_size) {
  for (int N = 32; N <= 512; N *= 4) {
    long Sum = 0;
#pragma omp target parallel num_threads(N) reduction(+ : Sum) \
    ompx_dyn_cgroup_mem(N * sizeof(long))
    {
      long *P = static_cast<long *>(llvm_omp_target_dynamic_shared_alloc());
      int I = omp_get_thread_num();
      P[I] = I;
#pragma omp barrier
      Sum += P[(I * 5 + 1) % N];
    }
    check::value("Sum", Sum, long(N) * (N - 1) / 2);
  }
}

PROGRAM(neighbour_sums) {
  constexpr int N = 1000, T = 125;
  int A[N], Out[N], Want[N];
  for (int I = 0; I < N; ++I)
    A[I] = I * I % 101;
  for (int I = 0; I < N; ++I)
    Want[I] = A[I] + (I > 0 ? A[I - 1] : 0) + (I + 1 < N ? A[I + 1] : 0);
#pragma omp target teams distribute num_teams(8) thread_limit(128) \
    map(to : A) map(from : Out)
  for (int G = 0; G < N; G += T) {
    int Line[T + 2];
#pragma omp allocate(Line) allocator(omp_pteam_mem_alloc)
#pragma omp parallel num_threads(T + 2)
    for (int I = omp_get_thread_num(); I < T + 2; I += omp_get_num_threads()) {
      int K = G + I - 1;
      Line[I] = K >= 0 && K < N ? A[K] : 0;
    }
#pragma omp parallel for
    for (int I = 0; I < T; ++I)
      Out[G + I] = Line[I] + Line[I + 1] + Line[I + 2];
  }
  check::array("Out", Out, Want, N);
}

PROGRAM(atomics_in_a_team) {
  constexpr int N = 3000, Bins = 16;
  int Count[Bins] = {}, Want[Bins] = {};
  for (int I = 0; I < N; ++I)
    ++Want[I * I % 31 % Bins];
#pragma omp target teams num_teams(4) thread_limit(96) map(tofrom : Count)
  {
    int Local[Bins];
#pragma omp allocate(Local) allocator(omp_pteam_mem_alloc)
    for (int B = 0; B < Bins; ++B)
      Local[B] = 0;
    int First = N / 4 * omp_get_team_num();
#pragma omp parallel for
    for (int I = First; I < First + N / 4; ++I) {
#pragma omp atomic
      ++Local[I * I % 31 % Bins];
    }
#pragma omp parallel for
    for (int B = 0; B < Bins; ++B) {
#pragma omp atomic
      Count[B] += Local[B];
    }
  }
  check::array("Count", Count, Want, Bins);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
