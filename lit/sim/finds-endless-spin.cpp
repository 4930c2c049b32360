// Loops that wait for what nobody does: the watchdog ends the kernel.
//
// RUN: for o in -O0 -O2; do %sim_cxx -g $o %s -o %t || exit 1; \
// RUN: for p in flag_that_nobody_sets lock_that_is_never_released other_block; do \
// RUN:   not %ferry_sim --strict --quiet --watchdog 200000 -- %t $p > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefix=$p --input-file=%t.out || exit 1; \
// RUN:   %ferry_sim --strict --quiet --watchdog 200000 -- %t $p right 2>&1 | FileCheck %s --check-prefix=RIGHT || exit 1; \
// RUN: done; done
// RIGHT-NOT: {{.}}
// RIGHT: {{^[a-z_]+ OK$}}
// RIGHT-NOT: {{.}}

#include "Inputs/finds.h"

PROGRAM(flag_that_nobody_sets) {
  int Flag = 0, Out = 0;
#pragma omp target parallel num_threads(64) map(tofrom : Flag, Out)
  {
    int Seen = 0;
    if (omp_get_thread_num() == 3) {
      // flag_that_nobody_sets: endless-spin: {{.*}}
      // flag_that_nobody_sets-NEXT: kernel {{.*}}flag_that_nobody_sets{{.*}}, {{.*}}finds-endless-spin.cpp:{{.*}} block (0, 0, 0), thread (3, 0, 0)
      while (!Seen) {
#pragma omp atomic read
        Seen = Flag;
      }
      Out = 1;
    }
    if (omp_get_thread_num() == 50 && !Defect) {
#pragma omp atomic write
      Flag = 1;
    }
  }
}

PROGRAM(lock_that_is_never_released) {
  int Lock = 0, Count = 0;
#pragma omp target teams ompx_bare num_teams(1) thread_limit(32)               \
    map(tofrom : Lock, Count)
  {
    // lock_that_is_never_released: endless-spin: {{.*}}
    // lock_that_is_never_released-NEXT: kernel {{.*}}lock_that_is_never_released{{.*}}, {{.*}}finds-endless-spin.cpp:{{.*}} block (0, 0, 0), thread (
    bool Done = false;
    while (!Done) {
      if (__atomic_exchange_n(&Lock, 1, __ATOMIC_RELAXED) == 0) {
        Count += 1;
        Done = true;
        if (!Defect)
          __atomic_exchange_n(&Lock, 0, __ATOMIC_RELAXED);
      }
    }
  }
}

PROGRAM(other_block) {
  int Ready = 0, Out = 0;
#pragma omp target teams ompx_bare num_teams(2) thread_limit(1)                \
    map(tofrom : Ready, Out)
  {
    // other_block: endless-spin: {{.*}}
    // other_block-NEXT: kernel {{.*}}other_block{{.*}}, {{.*}}finds-endless-spin.cpp:{{.*}} block (0, 0, 0), thread (0, 0, 0)
    if (blockId() == 0) {
      while (__atomic_fetch_add(&Ready, 0, __ATOMIC_RELAXED) != 7)
        ;
      Out = 1;
    } else {
      __atomic_fetch_add(&Ready, 7 - Defect, __ATOMIC_RELAXED);
    }
  }
}

int main(int Argc, char **Argv) { return runOne(Argc, Argv); }
