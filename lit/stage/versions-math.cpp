// A launch that takes a kernel as it is without staging takes it to the last instruction,
// also where that calls mathematical functions, of which the optimiser is told more where
// rows may be staged; also where they are when the program is linked.
//
// RUN: for lto in "" -foffload-lto; do \
// RUN:   %sim_cxx -O3 $lto -mllvm -ferry-stage=off %s -o %t.plain && %sim_cxx -O3 $lto %s -o %t.staged && \
// RUN:   %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out && \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out && diff %t.plain.out %t.out && \
// RUN:   %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 4 || exit 1; done
//
// Also where a toolkit has bodies of them, with loops, tables and assembly: the same
// instructions, but for neighbours that change places.
// RUN: rm -rf %t.cuda %t.off %t.on && mkdir %t.off %t.on && cp -r %files/cuda %t.cuda
// RUN: llvm-as %S/Inputs/libdevice.ll -o %t.cuda/nvvm/libdevice/libdevice.10.bc
// RUN: echo --cuda-path=%t.cuda > %t.options
// RUN: for stage in off on; do \
// RUN:   %sim_cxx -O3 -mllvm -ferry-stage=$stage --offload-device-only -c %s -o %t.$stage/math.o -save-temps=obj @%t.options && \
// RUN:   sed 's/_unstaged//; s/BB[0-9]*_/BB_/; s/_depot[0-9]*/_depot/; s/ *\/\/.*//' %t.$stage/*nvptx*.s > %t.$stage.s || exit 1; done
// RUN: for kernel in roots factor; do for stage in off on; do \
// RUN:   awk "/entry.*${kernel}Unstaged/ {text = \"\"; on = 1} on {text = text \$0 \"\\n\"} /^}/ {on = 0} END {print text}" %t.$stage.s | sort > %t.$stage.kernel && \
// RUN:   grep -q ld.global %t.$stage.kernel || exit 1; done; diff %t.off.kernel %t.on.kernel || exit 1; done
#include "Inputs/staged.h"

#include <cmath>

namespace {
constexpr int N = 2000;

#define ROOTS(Name)                                                                                          \
  void Name(const double *A, double *Sums, int M) {                                                          \
    _Pragma("omp target teams distribute parallel for is_device_ptr(A, Sums)") for (int I = 0; I < N; ++I) { \
      double Sum = 0;                                                                                        \
      for (int K = 0; K < M; ++K)                                                                            \
        Sum += std::cbrt(std::fabs(A[I * M + K]));                                                           \
      Sums[I] = Sum;                                                                                         \
    }                                                                                                        \
  }
ROOTS(rootsUnstaged)
ROOTS(rootsStaged)

/// What does not vary in the loop stays there, unless it is known to do nothing else.
void factorUnstaged(const double *A, double *Sums, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, Sums)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < M; ++K)
      Sum += A[I * M + K] * std::cos(float(M)) + std::sin(float(A[I * M]));
    Sums[I] = Sum;
  }
}

__attribute__((noinline)) double rest(double X, int Y) { return std::fmod(float(X), float(Y)); }

void calledUnstaged(const double *A, double *Sums, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, Sums)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < M; ++K)
      Sum += A[I * M + K];
    Sums[I] = rest(Sum, M);
  }
}
} // namespace

template <typename Fn>
void sums(Fn Run, int M) {
  staged::Array<double> A(N * M), Sums(N);
  Run(A.device(), Sums.device(), M);
  Sums.read();
}

PROGRAM(rows) {
  sums(rootsUnstaged, 7);
  sums(rootsStaged, 64);
  sums(factorUnstaged, 7);
  sums(calledUnstaged, 7);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
