// Accesses to global memory outside of every allocation.
//
// RUN: for o in -O0 -O2; do %sim_cxx -g $o %s -o %t || exit 1; \
// RUN: for p in read_past_the_end write_past_the_end read_before_the_begin used_after_free atomic_past_the_end; do \
// RUN:   not %ferry_sim --strict --quiet -- %t $p > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefix=$p --input-file=%t.out || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t $p right 2>&1 | FileCheck %s --check-prefix=RIGHT || exit 1; \
// RUN: done; done
//
// libomptarget keeps small blocks for later, unless it is told not to.
// RUN: not env LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD=0 %ferry_sim --strict --quiet -- %t unmapped 2>&1 | FileCheck %s --check-prefix=unmapped
// RUN: %ferry_sim --strict --quiet -- %t unmapped | FileCheck %s --check-prefix=RIGHT
// RIGHT-NOT: {{.}}
// RIGHT: {{^[a-z_]+ OK$}}
// RIGHT-NOT: {{.}}
//
// Without --strict the program's own exit code stays.
// RUN: %ferry_sim --quiet -- %t read_past_the_end 2>&1 | FileCheck %s --check-prefix=read_past_the_end

#include "Inputs/finds.h"

namespace {
constexpr int N = 3000;
}

PROGRAM(read_past_the_end) {
  double *A = new double[N](), B[128];
  const int Shift = N - 128 + Defect;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) \
    map(to : A[0 : N]) map(from : B)
  for (int I = 0; I < 128; ++I)
    // read_past_the_end: out-of-bounds:
    // read_past_the_end-NEXT: kernel {{.*}}read_past_the_end{{.*}}, {{.*}}finds-out-of-bounds.cpp:[[#@LINE+1]]:{{.*}} block (1, 0, 0), thread (63, 0, 0)
    B[I] = A[I + Shift];
  delete[] A;
}

PROGRAM(write_past_the_end) {
  int *A = new int[N]();
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) \
    map(tofrom : A[0 : N])
  for (int I = 0; I < 128; ++I)
    // write_past_the_end: out-of-bounds:
    // write_past_the_end-NEXT: kernel {{.*}}write_past_the_end{{.*}}, {{.*}}finds-out-of-bounds.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (5, 0, 0)
    A[Defect && I == 5 ? N + 3 : I] = 1;
  delete[] A;
}

PROGRAM(read_before_the_begin) {
  char *A = new char[N](), B[64];
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(64) \
    map(to : A[0 : N]) map(from : B)
  for (int I = 0; I < 64; ++I)
    // read_before_the_begin: out-of-bounds:
    // read_before_the_begin-NEXT: kernel {{.*}}read_before_the_begin{{.*}}, {{.*}}finds-out-of-bounds.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (0, 0, 0)
    B[I] = A[I - Defect];
  delete[] A;
}

PROGRAM(used_after_free) {
  const int Device = omp_get_default_device();
  int *D = static_cast<int *>(omp_target_alloc(N * sizeof(int), Device));
  int *Other = static_cast<int *>(omp_target_alloc(N * sizeof(int), Device));
  if (Defect)
    omp_target_free(D, Device);
#pragma omp target is_device_ptr(D, Other)
  {
    // used_after_free: out-of-bounds:
    // used_after_free-NEXT: kernel {{.*}}used_after_free{{.*}}, {{.*}}finds-out-of-bounds.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread
    D[7] = 1;
    Other[7] = 1;
  }
}

PROGRAM(unmapped) {
  int A[10] = {};
#pragma omp target enter data map(to : A)
  int *D = static_cast<int *>(
      omp_get_mapped_ptr(A, omp_get_default_device()));
#pragma omp target exit data map(delete : A)
#pragma omp target is_device_ptr(D)
  // unmapped: out-of-bounds: access of 4 bytes; the device has no allocation
  // unmapped-NEXT: kernel {{.*}}unmapped{{.*}}, {{.*}}finds-out-of-bounds.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread
  D[7] = 1;
}

PROGRAM(atomic_past_the_end) {
  int *A = new int[N]();
  const int End = Defect ? N : N - 1;
#pragma omp target teams num_teams(1) thread_limit(32) map(tofrom : A[0 : N])
  {
#pragma omp atomic
    // atomic_past_the_end: out-of-bounds:
    // atomic_past_the_end-NEXT: kernel {{.*}}atomic_past_the_end{{.*}}, {{.*}}finds-out-of-bounds.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread
    A[End] += 1;
  }
  delete[] A;
}

int main(int Argc, char **Argv) { return runOne(Argc, Argv); }
