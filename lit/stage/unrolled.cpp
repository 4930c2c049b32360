// Parts of tiles are unrolled at -O2 as well, where LLVM leaves loops of more than 150
// instructions alone: what an iteration reads beside its rows would be waited for in
// each, and rows be read word by word.
//
// RUN: for level in -O2 -O3; do \
// RUN:   %sim_cxx $level --offload-arch=sm_90 -mllvm -ferry-stage=off %s -o %t.plain && \
// RUN:   %sim_cxx $level --offload-arch=sm_90 %s -o %t.staged && \
// RUN:   %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out && \
// RUN:   %ferry_sim --strict --quiet --json %t$level.json -- %t.staged > %t.out && diff %t.plain.out %t.out && \
// RUN:   %python %S/Inputs/compare_reports.py %t.plain.json %t$level.json --kernels 1 || exit 1; done
// RUN: %python -c "import json; a, b = (json.load(open(f))['kernels'][0] for f in ('%t-O2.json', '%t-O3.json')); \
// RUN:   assert a['thread_instructions'] < 1.05 * b['thread_instructions'] and a['time']['seconds'] < 1.05 * b['time']['seconds']"
#include "Inputs/staged.h"

namespace {
void mixedTwoThirds(const float *A, const short *B, unsigned long *C, int N, int M) {
#pragma omp target teams distribute parallel for thread_limit(96) is_device_ptr(A, B, C)
  for (int I = 0; I < N; ++I) {
    unsigned long Sum = 1;
    for (int J = 0; J < M; ++J) {
      unsigned Bits;
      __builtin_memcpy(&Bits, &A[I * M + J], sizeof(Bits));
      Sum = Sum * 31 + Bits;
      Sum = Sum * 31 + B[I * M + J];
    }
    C[I] = Sum;
  }
}
} // namespace

PROGRAM(mixed) {
  constexpr int N = 34000, M = 64;
  staged::Array<float> A(N * M);
  staged::Array<short> B(N * M);
  staged::Array<unsigned long> C(N);
  mixedTwoThirds(A.device(), B.device(), C.device(), N, M);
  C.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
