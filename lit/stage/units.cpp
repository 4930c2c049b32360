// Two translation units, one of them with a kernel that begins with one thread,
// at every level that stages, with debug information, and with link-time
// optimisation. Below -O2 nothing is staged.
//
// RUN: build() { %sim_cxx "$@" -c %s -o %t.1.o && \
// RUN:   %sim_cxx "$@" -DOTHER -c %s -o %t.2.o && \
// RUN:   %sim_cxx "$@" %t.1.o %t.2.o -o %t; }; \
// RUN: for flags in -O2 "-O3 -g" "-O3 -foffload-lto"; do \
// RUN:   build $flags -mllvm -ferry-stage=off || exit 1; \
// RUN:   %ferry_sim --strict --quiet --json %t.plain.json -- %t > %t.plain.out || exit 1; \
// RUN:   build $flags -mllvm -ferry-stage=always || exit 1; \
// RUN:   %ferry_sim --strict --quiet --seed 3 --json %t.json -- %t > %t.out || exit 1; \
// RUN:   diff %t.plain.out %t.out || exit 1; \
// RUN:   %python %S/Inputs/compare_reports.py %t.plain.json %t.json --kernels 5 || exit 1; \
// RUN: done
// RUN: for o in -O0 -O1 -Os; do \
// RUN:   %sim_cxx $o -mllvm -ferry-stage=always -c %s -o %t.o -Rpass=ferry-stage 2>&1 | \
// RUN:     count 0 || exit 1; done

#include "Inputs/staged.h"

#include <initializer_list>

constexpr int N = 333;

#pragma omp begin declare target
double weight(int I);
#pragma omp end declare target
void otherRowsFewer(const double *A, double *B, int M);
void generic(const double *A, double *B, int M);

#ifdef OTHER

#pragma omp begin declare target
double weight(int I) { return 1.0 / (I + 1); }
#pragma omp end declare target

void otherRowsFewer(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[I * M + J];
    B[I] = Sum * weight(I);
  }
}

/// One thread of each team decides what the others do.
void generic(const double *A, double *B, int M) {
#pragma omp target teams num_teams(5) thread_limit(64) is_device_ptr(A, B)
  {
    int Team = omp_get_team_num(), Teams = omp_get_num_teams();
    int First = N * Team / Teams, End = N * (Team + 1) / Teams;
    for (int Start = First; Start < End; Start += 50) {
      int Stop = Start + 50 < End ? Start + 50 : End;
      double Factor = weight(Start);
#pragma omp parallel for
      for (int I = Start; I < Stop; ++I) {
        double Sum = 0;
        for (int J = 0; J < M; ++J)
          Sum += A[I * M + J];
        B[I] = Sum * Factor;
      }
    }
  }
}

#else

namespace {
void rowsFewer(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[I * M + J];
    B[I] = Sum;
  }
}

/// A function of the other file is called: only with link-time optimisation is
/// it known what it does.
void callsElsewhere(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[I * M + J] * weight(J);
    B[I] = Sum;
  }
}

/// Called twice from one kernel, so perhaps not inlined.
void sum(const double *A, double *B, int I, int M) {
  for (int J = 0; J < M; ++J)
    *B += A[I * M + J];
}

void twice(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    B[I] = 0;
    sum(A, B + I, I, M / 2);
    sum(A, B + I, I, M);
  }
}
} // namespace

PROGRAM(units) {
  for (int M : {45, 128}) {
    staged::Array<double> A(N * M), B(N);
    for (auto *Run : {rowsFewer, otherRowsFewer, callsElsewhere, twice, generic}) {
      Run(A.device(), B.device(), M);
      B.read();
    }
  }
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }

#endif
