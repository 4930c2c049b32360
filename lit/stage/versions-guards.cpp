// A launch in which no thread comes to what is staged takes the kernel as it is without
// staging: if the kernel asks so of values that the launch gives it.
//
// RUN: for lto in "" -foffload-lto; do \
// RUN:   %sim_cxx -O3 $lto -mllvm -ferry-stage=off %s -o %t.plain && %sim_cxx -O3 $lto %s -o %t.staged && \
// RUN:   %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out && \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out && diff %t.plain.out %t.out && \
// RUN:   %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 15 || exit 1; done
#include "Inputs/staged.h"

#include <initializer_list>

namespace {
constexpr int N = 2000;

/// Sums of rows, if Reached holds of the sizes, the flags and a large number.
#define GUARDED(Name, Reached)                                                                               \
  void Name(const double *A, double *Sums, int M, int Flag, int Other, unsigned long Large) {                \
    _Pragma("omp target teams distribute parallel for is_device_ptr(A, Sums)") for (int I = 0; I < N; ++I) { \
      if (!(Reached))                                                                                        \
        continue;                                                                                            \
      double Sum = 0;                                                                                        \
      for (int K = 0; K < M; ++K)                                                                            \
        Sum += A[I * M + K];                                                                                 \
      Sums[I] = Sum;                                                                                         \
    }                                                                                                        \
  }
GUARDED(zeroUnstaged, Flag == 0)
GUARDED(zeroStaged, Other == 0)
GUARDED(someUnstaged, Other)
GUARDED(someStaged, Flag)
GUARDED(bothUnstaged, Other > 0 && Flag)
GUARDED(bothStaged, Flag && !Other)
GUARDED(eitherStaged, Flag || Other) // which the launch does not ask
GUARDED(moreUnstaged, M > 96)
GUARDED(moreStaged, M > 95)
GUARDED(atMostUnstaged, M <= Flag + 94)
GUARDED(atMostStaged, M <= Flag + 95)
GUARDED(largeUnstaged, Large < 100000)
GUARDED(largeStaged, Large >= 100000)

template <typename Body>
void forall(int Size, Body Loop) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < Size; ++I)
    for (int J = 0; J < Size; ++J)
      Loop(I, J);
}

#define STENCIL(Name, Reached)                                            \
  void Name(const double *A, double *B, int Size, int Flag) {             \
    forall(Size, [=](int I, int J) {                                      \
      if (!(Reached) || I < 2 || I >= Size - 2 || J < 2 || J >= Size - 2) \
        return;                                                           \
      double Sum = 0;                                                     \
      for (int D = -2; D <= 2; ++D)                                       \
        Sum += A[(I + D) * Size + J] * A[I * Size + J + D];               \
      B[I * Size + J] = Sum;                                              \
    });                                                                   \
  }
STENCIL(stencilUnstaged, !Flag)
STENCIL(stencilStaged, Flag)
} // namespace

template <typename Fn>
void sums(Fn Run) {
  constexpr int M = 96;
  staged::Array<double> A(N * M), Sums(N);
  Run(A.device(), Sums.device(), M, 1, 0, 1ul << 40);
  Sums.read();
}

template <typename Fn>
void stencil(Fn Run) {
  constexpr int Size = 1024;
  staged::Array<double> A(Size * Size), B(Size * Size);
  Run(A.device(), B.device(), Size, 1);
  B.read();
}

PROGRAM(rows) {
  for (auto Run : {zeroUnstaged, zeroStaged, someUnstaged, someStaged, bothUnstaged, bothStaged,
                   eitherStaged, moreUnstaged, moreStaged, atMostUnstaged, atMostStaged, largeUnstaged, largeStaged})
    sums(Run);
}

PROGRAM(stencils) {
  stencil(stencilUnstaged);
  stencil(stencilStaged);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
