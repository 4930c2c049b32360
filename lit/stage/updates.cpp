// Rows are staged although each thread updates something atomically behind its
// own: a sum that all have in common, or a number of places, of which it takes
// one.
//
// RUN: %sim_cxx -O3 %s -o %t.plain -mllvm -ferry-stage=off
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %sim_cxx -O3 %s -o %t
// RUN: for seed in 0 3; do \
// RUN:   %ferry_sim --strict --quiet --seed $seed --json %t.json -- %t > %t.out || exit 1; \
// RUN:   diff %t.plain.out %t.out || exit 1; \
// RUN:   %python %S/Inputs/compare_reports.py %t.plain.json %t.json --kernels 2 || exit 1; \
// RUN: done

#include "Inputs/staged.h"

#include <algorithm>
#include <numeric>
#include <vector>

constexpr int N = 1000, M = 250;

void sumFewer(const double *A, double *Sum) {
#pragma omp target teams distribute parallel for is_device_ptr(A, Sum)
  for (int I = 0; I < N; ++I) {
    double S = 0;
    for (int J = 0; J < M; ++J)
      S += A[I * M + J];
#pragma omp atomic
    *Sum += S;
  }
}

/// The places that threads get depend on their order.
void rowsPlacedFewer(const double *A, int *Count, int *Rows) {
#pragma omp target teams distribute parallel for is_device_ptr(A, Count, Rows)
  for (int I = 0; I < N; ++I) {
    double S = 0;
    for (int J = 0; J < M; ++J)
      S += A[I * M + J];
    if (S < 0)
      continue;
    int Place;
#pragma omp atomic capture
    Place = (*Count)++;
    Rows[Place] = I;
  }
}

PROGRAM(updates) {
  staged::Array<double> A(size_t(N) * M), Sum(1);
  sumFewer(A.device(), Sum.device());
  Sum.read();
  staged::Array<int> Count(1), Rows(N);
  Count.host()[0] = 0;
  Count.write();
  rowsPlacedFewer(A.device(), Count.device(), Rows.device());
  Count.read();
  std::vector<int> Found(Count.host()[0]), Expected;
  omp_target_memcpy(Found.data(), Rows.device(), Found.size() * sizeof(int), 0, 0,
                    omp_get_initial_device(), omp_get_default_device());
  std::sort(Found.begin(), Found.end());
  for (int I = 0; I < N; ++I)
    if (std::accumulate(A.host() + I * M, A.host() + (I + 1) * M, 0.0) >= 0)
      Expected.push_back(I);
  check::value("some rows have a place", Found.empty() || Found.size() == N, false);
  check::value("these are", Found == Expected, true);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
