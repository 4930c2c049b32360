// Pointers to host memory that the device uses: the report names the range of
// the host's memory.
//
// RUN: for o in -O0 -O2; do %sim_cxx -g $o %s -o %t || exit 1; \
// RUN: for p in from_the_heap from_the_stack static_data inside_a_record; do \
// RUN:   not %ferry_sim --strict --quiet -- %t $p > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefix=$p --input-file=%t.out || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t $p right 2>&1 | FileCheck %s --check-prefix=RIGHT || exit 1; \
// RUN: done; done
// RIGHT-NOT: {{.}}
// RIGHT: {{^[a-z_]+ OK$}}
// RIGHT-NOT: {{.}}

#include "Inputs/finds.h"

namespace {
constexpr int N = 64;
int Static[N];

/// The device's copy of \p Host if there is no defect.
int *pointerFor(int *Host) {
  return static_cast<int *>(
      Defect ? Host : omp_get_mapped_ptr(Host, omp_get_default_device()));
}
} // namespace

PROGRAM(from_the_heap) {
  int *A = new int[N]();
#pragma omp target enter data map(to : A[0 : N])
  int *P = pointerFor(A);
#pragma omp target is_device_ptr(P)
  // from_the_heap: host-pointer: {{.*0x[0-9a-f]+-0x[0-9a-f]+}}
  // from_the_heap-NEXT: kernel {{.*}}from_the_heap{{.*}}, {{.*}}finds-host-pointer.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
  P[3] = 1;
#pragma omp target exit data map(delete : A[0 : N])
  delete[] A;
}

PROGRAM(from_the_stack) {
  int A[N] = {}, Out[N];
#pragma omp target enter data map(to : A)
  int *P = pointerFor(A);
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) \
    is_device_ptr(P) map(from : Out)
  for (int I = 0; I < N; ++I)
    // from_the_stack: host-pointer: {{.*0x[0-9a-f]+-0x[0-9a-f]+.*}}[stack]
    // from_the_stack-NEXT: kernel {{.*}}from_the_stack{{.*}}, {{.*}}finds-host-pointer.cpp:[[#@LINE+1]]:{{.*}} block (1, 0, 0), thread (8, 0, 0)
    Out[I] = I == 40 ? P[I] : 0;
#pragma omp target exit data map(delete : A)
}

PROGRAM(static_data) {
#pragma omp target enter data map(to : Static)
  int *P = pointerFor(Static), Out = 0;
#pragma omp target is_device_ptr(P) map(from : Out)
  // static_data: host-pointer: {{.*0x[0-9a-f]+-0x[0-9a-f]+.*}}finds-host-pointer.cpp.tmp
  // static_data-NEXT: kernel {{.*}}static_data{{.*}}, {{.*}}finds-host-pointer.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
  Out = P[3];
#pragma omp target exit data map(delete : Static)
}

PROGRAM(inside_a_record) {
  struct List {
    int Value;
    List *Next;
  };
  List Tail = {5, nullptr}, *D = static_cast<List *>(omp_target_alloc(
                                sizeof(List), omp_get_default_device()));
  List Head = {4, Defect ? &Tail : D};
  omp_target_memcpy(D, &Tail, sizeof(List), 0, 0, omp_get_default_device(),
                    omp_get_initial_device());
  List *H = static_cast<List *>(
      omp_target_alloc(sizeof(List), omp_get_default_device()));
  omp_target_memcpy(H, &Head, sizeof(List), 0, 0, omp_get_default_device(),
                    omp_get_initial_device());
  int Sum = 0;
#pragma omp target is_device_ptr(H) map(tofrom : Sum)
  for (List *L = H; L; L = L->Next)
    // inside_a_record: host-pointer: {{.*0x[0-9a-f]+-0x[0-9a-f]+}}
    // inside_a_record-NEXT: kernel {{.*}}inside_a_record{{.*}}, {{.*}}finds-host-pointer.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
    Sum += L->Value;
}

int main(int Argc, char **Argv) { return runOne(Argc, Argv); }
