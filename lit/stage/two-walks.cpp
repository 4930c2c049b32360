// Two loops that read the same rows: only the first waits for memory, so they have to be
// of two tiles even if nothing is written; and on a V100, whose copies wait for every
// tile, the second level has the rows for the second loop only as they are, in launches
// of some warps for each multiprocessor.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=$1 -D$1 -mllvm -ferry-stage=$2 %s -o %t.$2 && \
// RUN:   %ferry_sim --quiet --json %t.$2.json -- %t.$2; }; \
// RUN: for arch in sm_70 sm_80; do build $arch off && build $arch on && \
// RUN:   %python %S/Inputs/compare_versions.py %t.off.json %t.on.json --kernels 2 || exit 1; done
#include <omp.h>

#define VARIANCES(Name)                                                                                                \
  static void Name(const float *A, float *Results, long Count, long M) {                                               \
    _Pragma("omp target teams distribute parallel for is_device_ptr(A, Results)")                                      \
    for (long I = 0; I < Count; ++I) {                                                                                 \
      const float *Row = A + I * (M + 4);                                                                              \
      float Sum = 0, Squares = 0;                                                                                      \
      for (long K = 0; K < M; ++K)                                                                                     \
        Sum += Row[K];                                                                                                 \
      for (long K = 0; K < M; ++K)                                                                                     \
        Squares += (Row[K] - Sum / M) * (Row[K] - Sum / M);                                                            \
      Results[I] = Squares;                                                                                            \
    }                                                                                                                  \
  }
VARIANCES(variancesUnstaged)
VARIANCES(variancesStaged)

int main() {
  constexpr long Most = 108 * 4 * 32, Length = 256;
  auto *A = static_cast<float *>(omp_target_alloc(sizeof(float) * Most * (Length + 4), 0));
  auto *Results = static_cast<float *>(omp_target_alloc(sizeof(float) * Most, 0));
#ifdef sm_70
  variancesUnstaged(A, Results, 80 * 4 * 32, Length);
  variancesStaged(A, Results, 80 * 2 * 32, Length);
#else
  variancesUnstaged(A, Results, 108 * 32, 48);
  variancesStaged(A, Results, 108 * 32, 64);
#endif
}
