// Shared memory that an asynchronous copy is under way to is used too early.
//
// RUN: for o in -O0 -O2; do %sim_cxx -g $o %s -o %t || exit 1; \
// RUN: for p in no_wait no_group wrong_group by_another written at_once source at_end; do \
// RUN:   not %ferry_sim --strict --quiet -- %t $p > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefixes=$p,ONE --input-file=%t.out || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t $p right 2>&1 | FileCheck %s --check-prefix=RIGHT || exit 1; \
// RUN: done; \
// RUN: not %ferry_sim --strict --quiet -- %t no_barrier 2>&1 | FileCheck %s --check-prefix=no_barrier || exit 1; \
// RUN: %ferry_sim --strict --quiet -- %t no_barrier right 2>&1 | FileCheck %s --check-prefix=RIGHT || exit 1; \
// RUN: done
// RIGHT-NOT: {{.}}
// RIGHT: {{^[a-z_]+ OK$}}
// RIGHT-NOT: {{.}}
// One defect, one finding.
// ONE: findings: 1

#include "Inputs/finds.h"

namespace {
constexpr int T = 64;
}

// The accesses of a pair are on one line: the report names one of them.
// clang-format off

// The copies never arrive: what is read is not what was copied.
PROGRAM(no_wait) {
  int In[T], Out[T];
  for (int I = 0; I < T; ++I)
    In[I] = I;
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(to : In) map(from : Out)
  {
    SHARED int Line[T];
    int I = threadId();
    COPY_ASYNC(4, &Line[I], &In[I]);
    if (!Defect) __nvvm_cp_async_wait_all();
    // no_wait: async-copy: reads offset {{[0-9]+}} of shared memory, to which thread (0,0,0) has started an asynchronous copy that it has not waited for
    // no_wait-NEXT: kernel {{.*}}no_wait{{.*}}, {{.*}}finds-async-copy.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (0, 0, 0), {{.*}}64 times
    Out[I] = Line[I];
    if (Defect) __nvvm_cp_async_wait_all();
  }
  for (int I = 0; I < T; ++I)
    check::value("Out is In", Out[I] == In[I], !Defect, I);
}

// A group is what was committed: here nothing was.
PROGRAM(no_group) {
  int In[T] = {}, Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(to : In) map(from : Out)
  {
    SHARED int Line[T];
    int I = threadId();
    COPY_ASYNC(4, &Line[I], &In[I]);
    if (!Defect) __nvvm_cp_async_commit_group();
    __nvvm_cp_async_wait_group(0);
    // no_group: async-copy: reads
    // no_group-NEXT: kernel {{.*}}no_group{{.*}}, {{.*}}finds-async-copy.cpp:[[#@LINE+1]]:{{.*}} thread (0, 0, 0)
    Out[I] = Line[I];
    __nvvm_cp_async_wait_all();
  }
}

// The last group but one is there, the last is not.
PROGRAM(wrong_group) {
  int In[2 * T] = {}, Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(to : In) map(from : Out)
  {
    SHARED int First[T], Second[T];
    int I = threadId();
    COPY_ASYNC(4, &First[I], &In[I]);
    __nvvm_cp_async_commit_group();
    COPY_ASYNC(4, &Second[I], &In[T + I]);
    __nvvm_cp_async_commit_group();
    if (Defect) __nvvm_cp_async_wait_group(1); else __nvvm_cp_async_wait_group(0);
    Out[I] = First[I];
    // wrong_group: async-copy: reads
    // wrong_group-NEXT: kernel {{.*}}wrong_group{{.*}}, {{.*}}finds-async-copy.cpp:[[#@LINE+1]]:{{.*}} thread (0, 0, 0)
    Out[I] += Second[I];
    __nvvm_cp_async_wait_all();
  }
}

// A thread waits for its own copies only, and a barrier for none.
PROGRAM(by_another) {
  int In[T] = {}, Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(to : In) map(from : Out)
  {
    SHARED int Line[T];
    int I = threadId();
    COPY_ASYNC(4, &Line[I], &In[I]);
    if (I != 5 || !Defect) __nvvm_cp_async_wait_all();
    barrier();
    // by_another: async-copy: reads offset {{[0-9]+}} of shared memory, to which thread (5,0,0)
    // by_another-NEXT: kernel {{.*}}by_another{{.*}}, {{.*}}finds-async-copy.cpp:[[#@LINE+1]]:{{.*}} thread (58, 0, 0)
    Out[I] = Line[T - 1 - I];
    barrier();
    __nvvm_cp_async_wait_all();
  }
}

PROGRAM(written) {
  long In[T] = {};
  int Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(to : In) map(from : Out)
  {
    SHARED long Line[T];
    int I = threadId();
    COPY_ASYNC(8, &Line[I], &In[I]);
    if (!Defect) __nvvm_cp_async_wait_all();
    // written: async-copy: writes offset {{[0-9]+}} of shared memory, to which thread (0,0,0)
    // written-NEXT: kernel {{.*}}written{{.*}}, {{.*}}finds-async-copy.cpp:[[#@LINE+1]]:{{.*}} thread (0, 0, 0)
    ((__attribute__((address_space(3))) int *)&Line[I])[1] = I;
    __nvvm_cp_async_wait_all();
    Out[I] = Line[I];
  }
}

// Two copies to the same place at the same time.
PROGRAM(at_once) {
  int In[T] = {}, Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(to : In) map(from : Out)
  {
    SHARED int Line[T + 1];
    int I = threadId();
    // at_once: async-copy: writes offset {{[0-9]+}} of shared memory, to which thread (20,0,0)
    // at_once-NEXT: kernel {{.*}}at_once{{.*}}, {{.*}}finds-async-copy.cpp:[[#@LINE+1]]:{{.*}} thread (21, 0, 0)
    COPY_ASYNC(4, &Line[I + (Defect && I == 20)], &In[I]);
    __nvvm_cp_async_wait_all();
    Out[I] = I == 20 ? 0 : Line[I];
  }
}

PROGRAM(source) {
  int In[T] = {}, Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(tofrom : In) map(from : Out)
  {
    SHARED int Line[T];
    int I = threadId();
    // source: async-copy: the source of an asynchronous copy was changed before the copy was waited for
    // source-NEXT: kernel {{.*}}source{{.*}}, {{.*}}finds-async-copy.cpp:[[#@LINE+1]]:{{.*}} thread (7, 0, 0)
    COPY_ASYNC(4, &Line[I], &In[I]);
    if (!Defect) __nvvm_cp_async_wait_all();
    if (I == 7) In[I] = 1;
    __nvvm_cp_async_wait_all();
    Out[I] = Line[I];
  }
}

PROGRAM(at_end) {
  int In[T] = {}, Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(to : In) map(from : Out)
  {
    SHARED int Line[T];
    int I = threadId();
    // at_end: async-copy: the thread ended without waiting for an asynchronous copy that it has started
    // at_end-NEXT: kernel {{.*}}at_end{{.*}}, {{.*}}finds-async-copy.cpp:[[#@LINE+1]]:{{.*}} thread (0, 0, 0), {{.*}}64 times
    COPY_ASYNC(4, &Line[I], &In[I]);
    if (!Defect) __nvvm_cp_async_wait_all();
    Out[I] = I;
  }
}

// Others need a barrier behind the wait: this is an ordinary race.
PROGRAM(no_barrier) {
  int In[T] = {}, Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(to : In) map(from : Out)
  {
    SHARED int Line[T];
    int I = threadId();
    Line[I] = 0;
    barrier();
    // no_barrier: shared-race:
    // no_barrier-NEXT: kernel {{.*}}no_barrier{{.*}}, {{.*}}finds-async-copy.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
    COPY_ASYNC(4, &Line[I], &In[I]); __nvvm_cp_async_wait_all(); if (!Defect) barrier(); Out[I] = Line[I ^ 1];
  }
}
// clang-format on

int main(int Argc, char **Argv) { return runOne(Argc, Argv); }
