// Launches of one warp for each multiprocessor, where the time is that of a warp: it
// counts what an iteration saves, and the code that is waited for. Records of 24 bytes
// save next to nothing on a V100, where a request copies parts of two rows; an unrolled
// loop of three loads is too much code for 48 iterations on an A100; a loop around a root,
// which is not unrolled without staging, saves more than a sum; and LLVM unrolls one with
// a division half as far, ptxas once more, so that it waits half as often.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=$1 -D$1 -mllvm -ferry-stage=$2 %s -o %t.$2 && \
// RUN:   %ferry_sim --quiet --json %t.$2.json -- %t.$2; }; \
// RUN: for arch in sm_70 sm_80; do build $arch off && build $arch on && \
// RUN:   %python %S/Inputs/compare_versions.py %t.off.json %t.on.json --kernels 3 || exit 1; done
#include <cmath>
#include <omp.h>

namespace {
struct Point {
  double X, Y, Z;
};
struct Cell {
  float A, B, C, Unused;
};

template <typename T, typename R = float, typename Body>
void walk(const void *Data, float *Results, long Count, long M, Body Of) {
  auto *A = static_cast<const T *>(Data);
#pragma omp target teams distribute parallel for is_device_ptr(A, Results)
  for (long I = 0; I < Count; ++I) {
    R Result = 0;
    for (long K = 0; K < M; ++K)
      Result = Of(Result, A[I * (M + 4) + K]);
    Results[I] = float(Result);
  }
}

void rootsStaged(const void *A, float *Results, long Count, long M) {
  walk<float>(A, Results, Count, M, [](float Sum, float Its) { return Sum + std::sqrt(std::fabs(Its)); });
}
void pointsUnstaged(const void *A, float *Results, long Count, long M) {
  walk<Point>(A, Results, Count, M, [](float Sum, const Point &Its) {
    const float Other = Sum + Its.X * 3 + Its.Y;
    return Other > Its.Z ? Other : float(Its.Z);
  });
}
void cellsUnstaged(const void *A, float *Results, long Count, long M) {
  walk<Cell>(A, Results, Count, M, [](float Sum, const Cell &Its) {
    const float Other = Sum + Its.C * 3 + Its.B;
    return Other > Its.A ? Other : Its.A;
  });
}
void dividedUnstaged(const void *A, float *Results, long Count, long M) {
  walk<unsigned, unsigned>(A, Results, Count, M,
                           [](unsigned Sum, unsigned Its) { return Sum ^ (Its + Sum / 3); });
}
} // namespace

int main() {
#ifdef sm_70
  constexpr long Rows = 80 * 32, Length = 64;
  constexpr auto Unstaged = pointsUnstaged;
#else
  constexpr long Rows = 108 * 32, Length = 48;
  constexpr auto Unstaged = cellsUnstaged;
#endif
  void *A = omp_target_alloc(sizeof(Point) * Rows * (Length + 4), 0);
  auto *Results = static_cast<float *>(omp_target_alloc(sizeof(float) * Rows, 0));
  Unstaged(A, Results, Rows, Length);
  rootsStaged(A, Results, Rows, 64);
  dividedUnstaged(A, Results, Rows, Length);
}
