// Two threads of a block use the same shared memory, one of them writes, and no
// barrier is between.
//
// RUN: for o in -O0 -O2; do %sim_cxx -g $o %s -o %t || exit 1; \
// RUN: for p in write_then_read write_and_write neighbours within_a_warp of_a_team between_iterations bytes; do \
// RUN:   not %ferry_sim --strict --quiet -- %t $p > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefix=$p --input-file=%t.out || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t $p right 2>&1 | FileCheck %s --check-prefix=RIGHT || exit 1; \
// RUN: done; done
// RIGHT-NOT: {{.}}
// RIGHT: {{^[a-z_]+ OK$}}
// RIGHT-NOT: {{.}}
//
// It is found in every order of the threads.
// RUN: for s in 1 2 3 4 5; do \
// RUN:   not %ferry_sim --strict --quiet --seed $s -- %t write_then_read 2>&1 | FileCheck %s --check-prefix=write_then_read || exit 1; done

#include "Inputs/finds.h"

namespace {
constexpr int T = 64;
}

// The accesses of a race are on one line: the report names one of them.
// clang-format off

PROGRAM(write_then_read) {
  int Out = 0;
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(from : Out)
  {
    SHARED int X;
    int I = threadId();
    if (I == 0)
      X = 5;
    barrier();
    // write_then_read: shared-race: {{writes offset [0-9]+ of shared memory, which thread .(3|40),0,0. reads|reads offset [0-9]+ of shared memory, which thread .(3|40),0,0. writes}}, with no barrier between
    // write_then_read-NEXT: kernel {{.*}}write_then_read{{.*}}, {{.*}}finds-shared-race.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread ({{3|40}}, 0, 0)
    if (I == 40) X = 6; if (!Defect) barrier(); if (I == 3) Out = X;
  }
}

PROGRAM(write_and_write) {
  int Out[T];
#pragma omp target teams ompx_bare num_teams(3) thread_limit(T) map(from : Out)
  {
    SHARED int X[2];
    int I = threadId();
    // write_and_write: shared-race: writes offset {{[0-9]+}} of shared memory, which thread ({{7|50}},0,0) writes
    // write_and_write-NEXT: kernel {{.*}}write_and_write{{.*}}, {{.*}}finds-shared-race.cpp:[[#@LINE+1]]:{{.*}} block ({{[012]}}, 0, 0), thread ({{7|50}}, 0, 0)
    if (I == 50 || (Defect && I == 7)) X[I / T] = I;
    barrier();
    if (blockId() == 0)
      Out[I] = X[(I + 1) / (T + 1)];
  }
}

PROGRAM(neighbours) {
  int Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(from : Out)
  {
    SHARED int Line[T];
    int I = threadId();
    Line[I] = 0;
    barrier();
    // neighbours: shared-race:
    // neighbours-NEXT: kernel {{.*}}neighbours{{.*}}, {{.*}}finds-shared-race.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
    Line[I] = I; if (!Defect) barrier(); Out[I] = Line[(I + 1) % T];
  }
}

// The lanes of a warp need a barrier too.
PROGRAM(within_a_warp) {
  int Out[32];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(32) map(from : Out)
  {
    SHARED int Line[32];
    int I = threadId();
    Line[I] = 0;
    barrier();
    // within_a_warp: shared-race:
    // within_a_warp-NEXT: kernel {{.*}}within_a_warp{{.*}}, {{.*}}finds-shared-race.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
    Line[I] = I; if (!Defect) __nvvm_bar_warp_sync(~0u); Out[I] = Line[I ^ 1];
  }
}

// A loop of which the threads do not wait for the end.
PROGRAM(of_a_team) {
  int Out[T];
#pragma omp target teams num_teams(1) thread_limit(T) map(from : Out)
  {
    int Line[T];
#pragma omp allocate(Line) allocator(omp_pteam_mem_alloc)
    // of_a_team: shared-race:
    // of_a_team-NEXT: kernel {{.*}}of_a_team{{.*}}, {{.*}}finds-shared-race.cpp:{{[0-9]+}}:{{.*}} block (0, 0, 0), thread (
#pragma omp parallel
    {
#pragma omp for nowait
      for (int I = 0; I < T; ++I)
        Line[I] = I;
      if (!Defect) {
#pragma omp barrier
      }
#pragma omp for
      for (int I = 0; I < T; ++I)
        Out[I] = Line[T - 1 - I];
    }
  }
}

// The barrier at the end of a loop's body is missing.
PROGRAM(between_iterations) {
  int Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(from : Out)
  {
    SHARED int Line[T];
    int I = threadId(), S = 0;
    for (int K = 0; K < 3; ++K) {
      // between_iterations: shared-race:
      // between_iterations-NEXT: kernel {{.*}}between_iterations{{.*}}, {{.*}}finds-shared-race.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
      Line[I] = I * K; barrier(); S += Line[(I + 1) % T]; if (!Defect) barrier();
    }
    Out[I] = S;
  }
}

// Threads that change their own bytes of one word do not race.
PROGRAM(bytes) {
  unsigned char Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(from : Out)
  {
    SHARED unsigned char Line[T];
    int I = threadId();
    Line[I] = I;
    barrier();
    Line[I] = Line[I] * 3 + (Line[I] >> 2);
    barrier();
    // bytes: shared-race:
    // bytes-NEXT: kernel {{.*}}bytes{{.*}}, {{.*}}finds-shared-race.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
    Line[I] += I; if (!Defect) barrier(); Out[I] = Line[I ^ 1];
  }
}
// clang-format on

int main(int Argc, char **Argv) { return runOne(Argc, Argv); }
