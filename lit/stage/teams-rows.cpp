// Blocks share a loop, and threads of a block another one, over the rows of each
// iteration. How many these are says a variable of the team; a launch knows all the
// same how many blocks it has and how many rows they have at most, and takes the kernel
// as it is without staging where these are parts of a warp, or warps are few. So it
// does where only a block knows how many rows it has, or there are.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=$1 -mllvm -ferry-stage=$2 $3 %s -o %t.$2 && \
// RUN:   %ferry_sim --strict --quiet --json %t.$2.json -- %t.$2 > %t.$2.out; }; \
// RUN: for arch in sm_70 sm_90; do for how in -DNOTHING -foffload-lto; do \
// RUN:   build $arch off $how && build $arch on $how && diff %t.off.out %t.on.out && \
// RUN:   %python %S/Inputs/compare_versions.py %t.off.json %t.on.json --kernels 10 || exit 1; done; done
#include "Inputs/staged.h"

namespace {
template <typename Body> void forallSplit(long N, long Part, Body Of) {
#pragma omp target teams distribute
  for (long C = 0; C < N; C += Part) {
    const long End = C + Part < N ? C + Part : N;
#pragma omp parallel for
    for (long I = C; I < End; ++I)
      Of(I);
  }
}

struct Sums {
  float *Results;
  long M, Pitch;
#define SUMS(Name)                                                                            \
  void Name(const float *A, long N, long Part) const {                                        \
    forallSplit(N, Part, [=, *this](long I) {                                                 \
      float Sum = 0;                                                                          \
      for (long K = 0; K < M; ++K)                                                            \
        Sum += A[I * Pitch + K];                                                              \
      Results[I] = Sum;                                                                       \
    });                                                                                       \
  }
  SUMS(wholeStaged)
  SUMS(mostlyStaged)
  SUMS(longStaged)
  SUMS(partsUnstaged)
  SUMS(thinUnstaged)
  SUMS(fewUnstaged)
  SUMS(halfUnstaged)
};

void variedUnstaged(const float *A, const long *First, float *Results, int Parts, long M) {
#pragma omp target teams distribute is_device_ptr(A, First, Results)
  for (int P = 0; P < Parts; ++P) {
    const long Begin = First[P], End = First[P + 1];
#pragma omp parallel for
    for (long I = Begin; I < End; ++I) {
      float Sum = 0;
      for (long K = 0; K < M; ++K)
        Sum += A[I * M + K];
      Results[I] = Sum;
    }
  }
}

void varied(int Parts, long Part, long M) {
  staged::Array<float> A(Parts * Part * M), Results(Parts * Part);
  staged::Array<long> First(Parts + 1);
  for (int P = 0; P <= Parts; ++P)
    First.host()[P] = P * Part + (P < Parts ? P % 5 : 0);
  First.host()[0] = 0;
  First.write();
  variedUnstaged(A.device(), First.device(), Results.device(), Parts, M);
  Results.read();
}

void countedUnstaged(const float *A, const int *Rows, float *Results, int M) {
#pragma omp target teams is_device_ptr(A, Rows, Results)
  {
    const int N = *Rows;
#pragma omp distribute parallel for
    for (int I = 0; I < N; ++I) {
      float Sum = 0;
      for (int K = 0; K < M; ++K)
        Sum += A[I * M + K];
      Results[I] = Sum;
    }
  }
}

void counted(int N, int M) {
  staged::Array<float> A(N * M), Results(N);
  staged::Array<int> Rows(1);
  Rows.host()[0] = N;
  Rows.write();
  countedUnstaged(A.device(), Rows.device(), Results.device(), M);
  Results.read();
}

void shiftedUnstaged(const double *A, float *Results, int N, int Pitch, int M) {
#pragma omp target teams distribute thread_limit(128) is_device_ptr(A, Results)
  for (int C = 0; C < N; C += 16) {
#pragma omp parallel for
    for (int I = C; I < (N < C + 16 ? N : C + 16); ++I) {
      double Sum = 1;
      for (int K = 0; K < M; ++K)
        Sum += A[I * Pitch + K];
      Results[I] = float(Sum);
    }
  }
}

void shifted(int N, int Pitch, int M) {
  staged::Array<double> A(N * Pitch);
  staged::Array<float> Results(N);
  shiftedUnstaged(A.device(), Results.device(), N, Pitch, M);
  Results.read();
}

template <typename Fn> void sums(Fn Run, long N, long Part, long M, long Pitch) {
  staged::Array<float> A(N * Pitch), Results(N);
  (Sums{Results.device(), M, Pitch}.*Run)(A.device(), N, Part);
  Results.read();
}
} // namespace

PROGRAM(teams) {
  // These first: they find the second level as it is without staging.
  varied(1000, 64, 64);
  counted(8384, 64);
  shifted(19200, 154, 150);
  sums(&Sums::partsUnstaged, 65536, 27, 48, 48);
  sums(&Sums::thinUnstaged, 8384, 16, 512, 520);
  sums(&Sums::fewUnstaged, 2048, 16, 100, 108);
  // Enough blocks for many warps, if all of theirs had rows.
  sums(&Sums::halfUnstaged, 19200, 64, 64, 69);
  sums(&Sums::wholeStaged, 65536, 128, 96, 96);
  sums(&Sums::mostlyStaged, 72000, 48, 64, 68);
  sums(&Sums::longStaged, 131072, 256, 128, 129);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
