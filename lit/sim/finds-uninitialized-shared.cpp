// Reads of shared memory that no thread of the block has written.
//
// RUN: for o in -O0 -O2; do %sim_cxx -g $o %s -o %t || exit 1; \
// RUN: for p in one_element second_block dynamic of_a_team; do \
// RUN:   not %ferry_sim --strict --quiet -- %t $p > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefix=$p --input-file=%t.out || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t $p right 2>&1 | FileCheck %s --check-prefix=RIGHT || exit 1; \
// RUN: done; done
// RIGHT-NOT: {{.}}
// RIGHT: {{^[a-z_]+ OK$}}
// RIGHT-NOT: {{.}}

#include "Inputs/finds.h"

extern "C" void *llvm_omp_target_dynamic_shared_alloc();

namespace {
constexpr int T = 96;
}

PROGRAM(one_element) {
  int Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(from : Out)
  {
    SHARED int Line[T];
    int I = threadId();
    if (I < T - Defect)
      Line[I] = I;
    barrier();
    // one_element: uninitialized-shared:
    // one_element-NEXT: kernel {{.*}}one_element{{.*}}, {{.*}}finds-uninitialized-shared.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (40, 0, 0)
    Out[I] = Line[(I + 55) % T];
  }
}

// What another block wrote does not count.
PROGRAM(second_block) {
  int Out[2 * T];
#pragma omp target teams ompx_bare num_teams(2) thread_limit(T) map(from : Out)
  {
    SHARED int First;
    int I = threadId();
    if (I == 0 && (blockId() == 0 || !Defect))
      First = blockId() + 5;
    barrier();
    // second_block: uninitialized-shared:
    // second_block-NEXT: kernel {{.*}}second_block{{.*}}, {{.*}}finds-uninitialized-shared.cpp:[[#@LINE+1]]:{{.*}} block (1, 0, 0), thread (
    Out[blockId() * T + I] = First;
  }
}

PROGRAM(dynamic) {
  int Out[T];
#pragma omp target parallel num_threads(T) map(from : Out)                     \
    ompx_dyn_cgroup_mem(T * sizeof(int))
  {
    int *Line = static_cast<int *>(llvm_omp_target_dynamic_shared_alloc());
    int I = omp_get_thread_num();
    if (I != 10 || !Defect)
      Line[I] = I;
#pragma omp barrier
    // dynamic: uninitialized-shared:
    // dynamic-NEXT: kernel {{.*}}dynamic{{.*}}, {{.*}}finds-uninitialized-shared.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (9, 0, 0)
    Out[I] = Line[(I + 1) % T];
  }
}

PROGRAM(of_a_team) {
  int Out[64];
#pragma omp target teams num_teams(1) thread_limit(64) map(from : Out)
  {
    int Line[64];
#pragma omp allocate(Line) allocator(omp_pteam_mem_alloc)
#pragma omp parallel
    {
#pragma omp for
      for (int I = 0; I < 64; ++I)
        if (I != 33 || !Defect)
          Line[I] = I;
#pragma omp for
      for (int I = 0; I < 64; ++I)
      // of_a_team: uninitialized-shared:
      // of_a_team-NEXT: kernel {{.*}}of_a_team{{.*}}, {{.*}}finds-uninitialized-shared.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread ({{[0-9]+}}, 0, 0)
        Out[I] = Line[63 - I];
    }
  }
}

int main(int Argc, char **Argv) { return runOne(Argc, Argv); }
