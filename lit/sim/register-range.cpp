// What is assumed of registers is in the range of the time: with a quarter less
// of them, or a third more and eight, other numbers of blocks are resident. Of
// kernels that wait, the time is in proportion to the waves.
//
// RUN: %sim_cxx -O2 --offload-arch=sm_70 %s -o %t
// RUN: %ferry_sim --strict --quiet --gpu v100 --json %t.json -- %t keep12 keep24 keep36
// RUN: %python %S/Inputs/check_waves.py %t.json

#include "Inputs/counted.h"

#define UNROLLED PRAGMA(unroll) for

/// Blocks of 1024 threads that keep \p Values values, one warp of which waits.
template <int Values> static void keep() {
  constexpr int Blocks = 400;
  Arrays<int> A(Values, Blocks);
  int *In = A.In, *Out = A.Out;
  KERNEL(Blocks, 1024) {
    const volatile int *Kept = In;
    int Value[Values], At = 0, Sum = 0;
    UNROLLED(int V = 0; V < Values; ++V) { Value[V] = Kept[V]; }
    if (threadId() < 32)
      LOOP(int S = 0; S < 500; ++S) { At = In[At] & 1; }
    UNROLLED(int V = 0; V < Values; ++V) { Sum ^= Value[V] + V; }
    if (!threadId())
      Out[blockId()] = Sum + At;
  }
}
COUNTED(keep12) { keep<12>(); }
COUNTED(keep24) { keep<24>(); }
COUNTED(keep36) { keep<36>(); }

int main(int Argc, char **Argv) {
  int Result = 0;
  for (int I = 1; I < Argc; ++I) {
    char *One[] = {Argv[0], Argv[I]};
    Result |= check::run(2, One);
  }
  return Result;
}
