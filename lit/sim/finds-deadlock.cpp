// Kernels whose threads wait for each other for ever.
//
// RUN: for o in -O0 -O2; do %sim_cxx -g $o %s -o %t || exit 1; \
// RUN: for p in barriers_in_two_orders missing_lanes not_in_its_mask; do \
// RUN:   not %ferry_sim --strict --quiet -- %t $p > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefix=$p --input-file=%t.out || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t $p right 2>&1 | FileCheck %s --check-prefix=RIGHT || exit 1; \
// RUN: done; done
// RIGHT-NOT: {{.}}
// RIGHT: {{^[a-z_]+ OK$}}
// RIGHT-NOT: {{.}}

#include "Inputs/finds.h"

// Each warp waits at a barrier to which the other does not come.
PROGRAM(barriers_in_two_orders) {
  int Out[64] = {};
#pragma omp target teams ompx_bare num_teams(1) thread_limit(64) \
    map(tofrom : Out)
  {
    int I = threadId();
    // barriers_in_two_orders: deadlock: {{.*}}
    // barriers_in_two_orders-NEXT: kernel {{.*}}barriers_in_two_orders{{.*}}, {{.*}}finds-deadlock.cpp:{{.*}} block (0, 0, 0), thread (
    if (I < 32 || !Defect) {
      __nvvm_barrier_sync_cnt(1, 64);
      __nvvm_barrier_sync_cnt(2, 64);
    } else {
      __nvvm_barrier_sync_cnt(2, 64);
      __nvvm_barrier_sync_cnt(1, 64);
    }
    Out[I] = 1;
  }
}

// A shuffle waits for a lane that is at a barrier of the block.
PROGRAM(missing_lanes) {
  int Out[32] = {};
#pragma omp target teams ompx_bare num_teams(1) thread_limit(32) \
    map(tofrom : Out)
  {
    int I = threadId(), X = I;
    // missing_lanes: deadlock: {{.*}}
    // missing_lanes-NEXT: kernel {{.*}}missing_lanes{{.*}}, {{.*}}finds-deadlock.cpp:{{.*}} block (0, 0, 0), thread (
    if (I != 31 || !Defect) {
      X = __nvvm_shfl_sync_idx_i32(~0u, X, 0, 31);
    }
    barrier();
    Out[I] = X;
  }
}

// A lane that does not name itself waits for ever.
PROGRAM(not_in_its_mask) {
  int Out[32] = {};
#pragma omp target teams ompx_bare num_teams(1) thread_limit(32) \
    map(tofrom : Out)
  {
    int X = threadId();
    const unsigned Mask = Defect ? ~2u : ~0u;
    // not_in_its_mask: deadlock: {{.*}} 1 waiting for lanes of their warp, 31 ended
    // not_in_its_mask-NEXT: kernel {{.*}}not_in_its_mask{{.*}}, {{.*}}finds-deadlock.cpp:[[#@LINE+1]]:{{.*}} thread (1, 0, 0)
    X = __nvvm_shfl_sync_idx_i32(Mask, X, 3, 31);
    Out[X] = Mask;
  }
}

int main(int Argc, char **Argv) { return runOne(Argc, Argv); }
