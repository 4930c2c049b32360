// A launch that finds at its beginning that tiles do not pay executes as many
// instructions as without staging, also after link-time optimisation: what is unrolled
// when a file is compiled is so in the staged kernel.
//
// RUN: build() { %sim_cxx -O2 --offload-arch=sm_70 -foffload-lto -mllvm -ferry-stage=$1 %s -o %t.$1 && \
// RUN:   %ferry_sim --gpu v100 --strict --quiet --json %t.$1.json -- %t.$1 > %t.$1.out; }; \
// RUN: build off && build on && diff %t.off.out %t.on.out
// RUN: %python %S/Inputs/compare_builds.py %t.off.json %t.on.json --of instructions --most 1.02 --kernels 1
#include "Inputs/staged.h"

namespace {
struct Cell {
  double Unused[2], First, Middle, Last;
};

// Tiles of so short rows pay only in a launch of many warps; how many there are, the
// host cannot know.
void sums(const Cell *A, const float *B, float *C, const int *CountOnDevice, int Times) {
#pragma omp target teams thread_limit(64) is_device_ptr(A, B, C, CountOnDevice)
  {
    const int Count = *CountOnDevice;
#pragma omp distribute parallel for
    for (int Twice = 0; Twice < 2 * Count; Twice += 2) {
      const int I = Twice / 2;
      double Sum = 1;
      for (int T = 0; T < Times; ++T)
        for (long K = 0; K < 11; ++K) {
          const Cell &Its = A[T * 33 + K + I * 6];
          const float Other = B[Count - 1 - I + T + K * 3];
          Sum += Its.Last * 3;
          Sum += Its.First;
          Sum += B[Count - 1 - I + 3 + K];
          Sum += Other * double(Other);
        }
      C[I] = float(Sum);
    }
  }
}
} // namespace

PROGRAM(walks) {
  constexpr int Count = 2000, Times = 7;
  staged::Array<double> A(5 * (Count * 6 + Times * 33));
  staged::Array<float> B(Count + Times + 33), C(Count);
  staged::Array<int> Number(1);
  *Number.host() = Count;
  Number.write();
  sums(reinterpret_cast<Cell *>(A.device()), B.device(), C.device(), Number.device(), Times);
  C.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
