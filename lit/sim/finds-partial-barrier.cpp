// Barriers that only a part of the block comes to.
//
// RUN: for o in -O0 -O2; do %sim_cxx -g $o %s -o %t || exit 1; \
// RUN: for p in others_have_ended others_at_another_barrier half_a_warp; do \
// RUN:   not %ferry_sim --strict --quiet -- %t $p > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefix=$p --input-file=%t.out || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t $p right 2>&1 | FileCheck %s --check-prefix=RIGHT || exit 1; \
// RUN: done; done
// RIGHT-NOT: {{.}}
// RIGHT: {{^[a-z_]+ OK$}}
// RIGHT-NOT: {{.}}

#include "Inputs/finds.h"

namespace {
constexpr int T = 96;
}

PROGRAM(others_have_ended) {
  int Out[T] = {};
#pragma omp target teams ompx_bare num_teams(2) thread_limit(T)                \
    map(tofrom : Out)
  {
    // others_have_ended: partial-barrier: 64 of {{.*}}
    // others_have_ended-NEXT: kernel {{.*}}others_have_ended{{.*}}, {{.*}}finds-partial-barrier.cpp:[[#@LINE+2]]:{{.*}} block ({{[01]}}, 0, 0), thread (
    if (threadId() < 64 || !Defect)
      barrier();
    if (blockId() == 0)
      Out[threadId()] = 1;
  }
}

PROGRAM(others_at_another_barrier) {
  int Out[T] = {};
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T)                \
    map(tofrom : Out)
  {
    // others_at_another_barrier: partial-barrier: {{.*}}
    // others_at_another_barrier-NEXT: kernel {{.*}}others_at_another_barrier{{.*}}, {{.*}}finds-partial-barrier.cpp:{{.*}} block (0, 0, 0), thread (
    if (threadId() < 32 && Defect) {
      barrier();
      Out[threadId()] = 1;
    } else {
      barrier();
      Out[threadId()] = 2;
    }
  }
}

PROGRAM(half_a_warp) {
  int Out[T] = {};
#pragma omp target teams ompx_bare num_teams(1) thread_limit(32)               \
    map(tofrom : Out)
  {
    // half_a_warp: partial-barrier: 16 of {{.*}}
    // half_a_warp-NEXT: kernel {{.*}}half_a_warp{{.*}}, {{.*}}finds-partial-barrier.cpp:[[#@LINE+2]]:{{.*}} block (0, 0, 0), thread (
    if (threadId() % 2 == 0 || !Defect)
      barrier();
    Out[threadId()] = 1;
  }
}

int main(int Argc, char **Argv) { return runOne(Argc, Argv); }
