// How much machine code a launch waits for: that of the warp that comes to most
// of it. What other warps come to they wait for at the same time, and what
// blocks of later waves come to does not count.
//
// RUN: %sim_cxx -O2 --offload-arch=sm_70 %s -o %t
// RUN: for Case in none first second each both later; do \
// RUN:   %ferry_sim --strict --quiet --gpu v100 --json %t.$Case -- %t $Case || exit 1; \
// RUN: done
// RUN: %python %S/Inputs/check_code.py %t none first second each both later
//
// The tables have it, too.
// RUN: %ferry_sim --gpu v100 -- %t first 2>&1 | FileCheck %s
// CHECK: occupancy {{.*}}; first level {{[0-9,]+}} bytes; about {{[0-9],[0-9]+}} bytes of code

#include "Inputs/counted.h"

/// Blocks of two warps each; those from \p From on come to either part, or
/// both, as the bits of \p First and \p Second say.
static void run(int Blocks, int From, int First, int Second) {
  Arrays<float> A(1, Blocks * 64L);
  float *In = A.In, *Out = A.Out;
  KERNEL(Blocks, 64) {
    const int I = blockId() * 64 + threadId();
    const int Comes = blockId() < From ? 0 : threadId() < 32 ? First : Second;
    float X = In[0];
    if (Comes & 1)
#pragma clang loop unroll(full)
      for (int K = 0; K < 100; ++K)
        X = X * 1.5f + static_cast<float>(I);
    if (Comes & 2)
#pragma clang loop unroll(full)
      for (int K = 0; K < 100; ++K)
        X = X * 2.5f + static_cast<float>(I);
    Out[I] = X;
  }
}

// A multiprocessor of a V100 has 32 blocks at a time.
COUNTED(none) { run(1, 0, 0, 0); }
COUNTED(first) { run(1, 0, 1, 0); }
COUNTED(second) { run(1, 0, 0, 2); }
COUNTED(each) { run(1, 0, 1, 2); }
COUNTED(both) { run(1, 0, 3, 0); }
COUNTED(later) { run(80 * 32 + 1, 80 * 32, 3, 3); }

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
