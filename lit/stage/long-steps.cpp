// A launch that knows that what is read of a row lies far apart takes the kernel as it
// is without staging: tiles would have next to nothing of what is between.
//
// RUN: build() { %sim_cxx -O3 -mllvm -ferry-stage=$1 %s -o %t.$1 && %ferry_sim --quiet --json %t.$1.json -- %t.$1; }; \
// RUN: build off && build on && %python %S/Inputs/compare_versions.py %t.off.json %t.on.json --kernels 2
#include <omp.h>

#define SUMS(Name)                                                                                                     \
  static void Name(const double *A, double *Results, long Count, long M, long Step, long Pitch) {                      \
    _Pragma("omp target teams distribute parallel for is_device_ptr(A, Results)")                                      \
    for (long I = 0; I < Count; ++I) {                                                                                 \
      double Sum = 0;                                                                                                  \
      for (long K = 0; K < M; ++K)                                                                                     \
        Sum += A[I * Pitch + K * Step];                                                                                \
      Results[I] = Sum;                                                                                                \
    }                                                                                                                  \
  }
SUMS(farUnstaged)
SUMS(nearStaged)

int main() {
  constexpr long Count = 2000, Length = 256;
  auto *A = static_cast<double *>(omp_target_alloc(sizeof(double) * Count * Length * 4, 0));
  auto *Results = static_cast<double *>(omp_target_alloc(sizeof(double) * Count, 0));
  farUnstaged(A, Results, Count, Length, 3, Length * 4);
  nearStaged(A, Results, Count, Length, 1, Length * 4);
}
