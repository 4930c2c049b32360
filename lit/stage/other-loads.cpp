// In launches of few warps the time is that of one: where a loop reads more than its
// rows, an iteration that finds these in a tile waits for the rest, as the loop as it
// was waits for all at the same time. It is left, but for what the rows themselves
// name: that comes behind them in both. Left are, in such launches, rows of
// which the next thread's are known to have a part. On a V100 a launch of nine warps
// for each multiprocessor counts as one of few: the shared memory of two blocks is
// all that it has.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_80 %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_reports.py %t.plain.json %t.json --kernels 4
// RUN: grep -q 'neighboursNoMore' %t.json
// RUN: not grep -q 'neighboursNoMore.*_unstaged' %t.json
// RUN: %sim_cxx -O3 --offload-arch=sm_70 -DOLD -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_70 -DOLD %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_reports.py %t.plain.json %t.json --kernels 1
#include "Inputs/staged.h"

#include <initializer_list>

namespace {
struct Three {
  float A, B, C;
};
struct Six {
  float A, B, C, D, E, F;
};
struct Mixed {
  double A;
  float B, C;
  double D, E;
};

#define LOOP(...)                                                             \
  PRAGMA(omp target teams distribute parallel for is_device_ptr(__VA_ARGS__)) \
  for (long I = 0; I < N; ++I)
#define PRAGMA(X) _Pragma(#X)

#ifndef OLD
double term(double Sum, const Three &Own) {
  Sum = Sum * 0.75 - double(Own.A) * Own.A + Own.C * 1.7;
  return Sum * 0.875 + double(Own.B) * Own.A;
}

void threeFewer(const Three *Own, const Six *, double *Sums, long N, long M) {
  LOOP(Own, Sums) {
    double Sum = 1;
    for (long J = 0; J < M; ++J)
      Sum = term(Sum, Own[I * M + J]);
    Sums[I] = Sum;
  }
}

/// The records that all threads have in common are too long for a tile.
void othersExact(const Three *Own, const Six *Common, double *Sums, long N, long M) {
  LOOP(Own, Common, Sums) {
    double Sum = 1;
    for (long J = 0; J < M; ++J) {
      Sum = term(Sum, Own[I * M + J]);
      Sum = Sum * 0.75 - Common[J].E;
      Sum = Sum * 0.75 - Common[J].F;
      Sum = Sum * 0.75 - Common[J].A;
      Sum = Sum * 0.99 + Common[J].C;
    }
    Sums[I] = Sum;
  }
}

/// What a row names is loaded next, in tiles as well, and as many at a time.
void neighboursNoMore(const int *List, const double *Points, double *Sums, long N, long M) {
  LOOP(List, Points, Sums) {
    double Sum = 0;
    for (long J = 0; J < M; ++J) {
      const double *P = Points + 4 * (List[I * M + J] & 1023);
      const double X = P[0] - Points[4 * I], Y = P[1] - Points[4 * I + 1],
                   Z = P[2] - Points[4 * I + 2];
      Sum += P[3] / (0.01 + X * X + Y * Y + Z * Z);
    }
    Sums[I] = Sum;
  }
}

/// Far enough apart for many warps.
void nearExact(const double *Own, double *Sums, long N, long M) {
  LOOP(Own, Sums) {
    double Sum = 1;
    for (long J = 0; J < M; ++J)
      Sum += Own[I * 24 + J];
    Sums[I] = Sum;
  }
}
#else
void manyExact(const float *Own, const Mixed *Records, unsigned long *Sums, long N, long M) {
  LOOP(Own, Records, Sums) {
    unsigned long Sum = 1;
    for (long J = 0; J < M; ++J) {
      Sum ^= (unsigned long)Own[I * M + J] + Sum / 3;
      Sum = Sum * 31 + (unsigned long)Records[I * M + J].C;
      Sum ^= (unsigned long)Records[I * M + J].B + Sum / 3;
      Sum ^= (unsigned long)Records[I * M + J].A + Sum / 3;
      Sum ^= (unsigned long)Records[I * M + J].E + Sum / 3;
      Sum = Sum * 31 + (unsigned long)Records[I * M + J].D;
    }
    Sums[I] = Sum;
  }
}
#endif
} // namespace

#ifndef OLD
PROGRAM(all) {
  constexpr long N = 2000, M = 105;
  staged::Array<float> Own(3 * N * M), Common(6 * M);
  staged::Array<double> Near(N * 24 + M), Sums(N), Points(4 * N);
  staged::Array<int> List(N * M);
  for (auto *Run : {threeFewer, othersExact})
    Run(reinterpret_cast<Three *>(Own.device()), reinterpret_cast<Six *>(Common.device()),
        Sums.device(), N, M);
  neighboursNoMore(List.device(), Points.device(), Sums.device(), N, M);
  nearExact(Near.device(), Sums.device(), N, M);
  Sums.read();
  for (long I = 0; I < N; ++I) {
    double Sum = 1;
    for (long J = 0; J < M; ++J)
      Sum += Near.host()[I * 24 + J];
    check::value("Sums", Sums.host()[I], Sum, I);
  }
}
#else
PROGRAM(all) {
  constexpr long N = 24896, M = 40;
  staged::Array<float> Own(N * M);
  staged::Array<double> Records(4 * N * M);
  staged::Array<unsigned long> Sums(N);
  manyExact(Own.device(), reinterpret_cast<Mixed *>(Records.device()), Sums.device(), N, M);
  Sums.read();
}
#endif

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
