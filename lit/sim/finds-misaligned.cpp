// Accesses whose address is no multiple of their size.
//
// RUN: for o in -O0 -O2; do %sim_cxx -g $o %s -o %t || exit 1; \
// RUN: for p in load_8 store_4 vector_16 shared_8 load_2 copy_16 part_8; do \
// RUN:   not %ferry_sim --strict --quiet -- %t $p > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefix=$p --input-file=%t.out || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t $p right 2>&1 | FileCheck %s --check-prefix=RIGHT || exit 1; \
// RUN: done; done
// RIGHT-NOT: {{.}}
// RIGHT: {{^[a-z0-9_]+ OK$}}
// RIGHT-NOT: {{.}}

#include "Inputs/finds.h"

namespace {
typedef float Float4 __attribute__((ext_vector_type(4)));
}

PROGRAM(load_8) {
  char Bytes[512] = {};
  long Out[40];
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) \
    map(to : Bytes) map(from : Out)
  for (int I = 0; I < 40; ++I) {
    const long *P = reinterpret_cast<long *>(Bytes + 8 * I + 4 * (Defect && I == 35));
    // load_8: misaligned:
    // load_8-NEXT: kernel {{.*}}load_8{{.*}}, {{.*}}finds-misaligned.cpp:[[#@LINE+1]]:{{.*}} block (1, 0, 0), thread (3, 0, 0)
    Out[I] = *P;
  }
}

PROGRAM(store_4) {
  char Bytes[512] = {};
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(64) \
    map(tofrom : Bytes)
  for (int I = 0; I < 64; ++I) {
    int *P = reinterpret_cast<int *>(Bytes + 4 * I + (Defect && I == 63));
    // store_4: misaligned:
    // store_4-NEXT: kernel {{.*}}store_4{{.*}}, {{.*}}finds-misaligned.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (63, 0, 0)
    *P = I;
  }
}

PROGRAM(vector_16) {
  float Values[256] = {};
  float Out[8];
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(32) \
    map(to : Values) map(from : Out)
  for (int I = 0; I < 8; ++I) {
    const Float4 *P = reinterpret_cast<Float4 *>(Values + 4 * I + 2 * (Defect && I == 6));
    // vector_16: misaligned:
    // vector_16-NEXT: kernel {{.*}}vector_16{{.*}}, {{.*}}finds-misaligned.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (6, 0, 0)
    Out[I] = (*P).x + (*P).w;
  }
}

PROGRAM(load_2) {
  char Bytes[512] = {};
  short Out[40];
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(64) \
    map(to : Bytes) map(from : Out)
  for (int I = 0; I < 40; ++I) {
    const short *P = reinterpret_cast<short *>(Bytes + 2 * I + (Defect && I == 1));
    // load_2: misaligned:
    // load_2-NEXT: kernel {{.*}}load_2{{.*}}, {{.*}}finds-misaligned.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (1, 0, 0)
    Out[I] = *P;
  }
}

PROGRAM(shared_8) {
  double Out[32];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(32)               \
    map(from : Out)
  {
    SHARED float Line[68];
    int I = threadId();
    Line[I] = I;
    Line[I + 32] = I;
    if (I < 4)
      Line[I + 64] = I;
    barrier();
    const float *At = (const float *)&Line[2 * I + (Defect && I == 9)];
    // shared_8: misaligned:
    // shared_8-NEXT: kernel {{.*}}shared_8{{.*}}, {{.*}}finds-misaligned.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (9, 0, 0)
    Out[I] = *reinterpret_cast<const double *>(At);
  }
}

PROGRAM(copy_16) {
  int In[132] = {}, Out[32];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(32) map(to : In)  \
    map(from : Out)
  {
    SHARED __attribute__((aligned(16))) int Line[132];
    int I = threadId();
    // copy_16: misaligned: access of 16 bytes
    // copy_16-NEXT: kernel {{.*}}copy_16{{.*}}, {{.*}}finds-misaligned.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (31, 0, 0)
    COPY_ASYNC(16, &Line[4 * I], &In[4 * I + 2 * (Defect && I == 31)]);
    __nvvm_cp_async_wait_all();
    Out[I] = Line[4 * I];
  }
}

PROGRAM(part_8) {
  int In[66] = {}, Out[32];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(32) map(to : In)  \
    map(from : Out)
  {
    SHARED __attribute__((aligned(8))) int Line[66];
    int I = threadId();
    // part_8: misaligned: asynchronous copy of 8 bytes from an address
    // part_8-NEXT: kernel {{.*}}part_8{{.*}}, {{.*}}finds-misaligned.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (7, 0, 0)
    COPY_ASYNC(8, &Line[2 * I], &In[2 * I + (Defect && I == 7)], 1 + I % 8);
    __nvvm_cp_async_wait_all();
    Out[I] = Line[2 * I];
  }
}

int main(int Argc, char **Argv) { return runOne(Argc, Argv); }
