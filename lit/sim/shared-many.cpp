// Kernels with more shared memory in all than the simulator has for a block:
// each has its own, and one does not find what another has left.
//
// RUN: %sim_cxx -O2 %s -o %t && %ferry_sim --strict --quiet %t
#include "Inputs/check.h"

#include <utility>

namespace {
/// Threads exchange numbers through the memory of their team.
template <int K>
void reverse() {
  constexpr int N = 96, Size = 10000; // 40 KB
  int Out[N];
#pragma omp target teams num_teams(1) thread_limit(N) map(from : Out)
  {
    int Line[Size];
#pragma omp allocate(Line) allocator(omp_pteam_mem_alloc)
#pragma omp parallel
    {
#pragma omp for
      for (int I = 0; I < N; ++I)
        Line[I * (Size / N)] = I + K;
#pragma omp for
      for (int I = 0; I < N; ++I)
        Out[I] = Line[(N - 1 - I) * (Size / N)];
    }
  }
  for (int I = 0; I < N; ++I)
    check::value("Out", Out[I], N - 1 - I + K, I);
}

template <int... K>
void all(std::integer_sequence<int, K...>) {
  (reverse<K>(), ...);
}
} // namespace

PROGRAM(many_kernels) { all(std::make_integer_sequence<int, 40>()); }

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
