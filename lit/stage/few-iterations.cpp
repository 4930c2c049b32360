// Loops of few iterations run in blocks of 32 threads. Each takes chunks of 32 then, if an iteration
// has a loop; OpenMPOpt would have a quarter of the blocks take chunks of 128, in four rounds.
//
// RUN: %sim_cxx -O2 %s -o %t && %ferry_sim --quiet -- %t | FileCheck %s
// RUN: %sim_cxx -O2 %s -mllvm -ferry-stage=off -o %t && %ferry_sim --quiet -- %t | FileCheck %s
// RUN: %sim_cxx -O2 %s -mllvm -ferry-fit-chunks=false -o %t && %ferry_sim --quiet -- %t | FileCheck %s --check-prefix=STOCK
// RUN: %sim_cxx -O2 %s --ferry-off -o %t && %ferry_sim --quiet -- %t | FileCheck %s --check-prefix=STOCK
// CHECK: nested: 64 teams of 32 threads, 2048 rows right
// CHECK-NEXT: asked for: 16 teams of 128 threads, 2048 rows right
// STOCK: nested: 16 teams of 32 threads, 2048 rows right
// STOCK-NEXT: asked for: 16 teams of 128 threads, 2048 rows right

#include <cstdio>
#include <omp.h>
#include <set>
#include <vector>

constexpr int N = 2048, M = 40;

template <typename LaunchT>
void test(const char *Name, LaunchT Launch) {
  std::vector<int> Team(N), Threads(N);
  std::vector<double> A(N * M), Sums(N);
  for (int I = 0; I < N * M; ++I)
    A[I] = I % 7;
  Launch(A.data(), Sums.data(), Team.data(), Threads.data());
  int Right = 0;
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < M; ++K)
      Sum += A[I * M + K];
    Right += Sum == Sums[I];
  }
  std::printf("%s: %zu teams of %d threads, %d rows right\n", Name,
              std::set<int>(Team.begin(), Team.end()).size(), Threads[0],
              Right);
}

#define BODY                            \
  for (int I = 0; I < N; ++I) {         \
    double Sum = 0;                     \
    for (int K = 0; K < M; ++K)         \
      Sum += A[I * M + K];              \
    Sums[I] = Sum;                      \
    Team[I] = omp_get_team_num();       \
    Threads[I] = omp_get_num_threads(); \
  }
#define MAPS \
  map(to : A [0:N * M]) map(from : Sums [0:N], Team [0:N], Threads [0:N])

int main() {
  test("nested", [](const double *A, double *Sums, int *Team, int *Threads) {
#pragma omp target teams distribute parallel for MAPS
    BODY
  });
  test("asked for", [](const double *A, double *Sums, int *Team, int *Threads) {
#pragma omp target teams distribute parallel for num_threads(128) MAPS
    BODY
  });
}
