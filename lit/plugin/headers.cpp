// Regions of headers and macros, and #line: Clang names a kernel after the line
// that the user sees, and so does the annotation.
// RUN: cd %S && %annotations headers.cpp | FileCheck %s
// RUN: cd %S && %ferry_plain %offload --offload-host-only -S -emit-llvm headers.cpp -o - | FileCheck %s --check-prefix=KERNEL
// RUN: cd %S && %ferry_plain %offload --offload-host-only -S -emit-llvm headers.cpp -o /dev/null -Rpass-analysis=ferry 2>&1 | FileCheck headers.cpp --check-prefix=FOUND
#include "Inputs/forall.h"

struct Record {
  double *P;
};

// CHECK: {{^}}_Z6forall{{.*}}header{{.*}}: line 2:1{{$}}
// CHECK-NEXT: 0 f: lambda
// CHECK-NEXT:   +0 pointer R.P
// KERNEL-DAG: define internal void @__omp_offloading_{{[0-9a-f]+_[0-9a-f]+}}__Z6forall{{.*}}header{{.*}}_l2(
void header(Record R) {
  forall([R](int I) { R.P[I] = 0; });
}

// CHECK: {{^}}_Z5macro6Record: line 23:3{{$}}
// KERNEL-DAG: define internal void @__omp_offloading_{{[0-9a-f]+_[0-9a-f]+}}__Z5macro6Record_l23(
void macro(Record R) {
  FORALL R.P[0] = 0;
}

// CHECK: {{^}}_Z7renamed6Record: line 501:1{{$}}
// KERNEL-DAG: define internal void @__omp_offloading_{{[0-9a-f]+_[0-9a-f]+}}__Z7renamed6Record_l501(
void renamed(Record R) {
#line 501 "headers.cpp"
#pragma omp target
  R.P[0] = 0;
}

// Every region is found.
// FOUND-NOT: no-annotation
// FOUND-COUNT-3: has to be mapped when the region is entered
