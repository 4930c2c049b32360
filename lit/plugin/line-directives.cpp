// #line may name a file that is not there: preprocessed sources from another
// machine, generated code. Clang names the kernel after the place in the real
// file then, and so must the annotation.
// RUN: %annotations %s | FileCheck %s
// RUN: %ferry_plain %offload --offload-host-only -S -emit-llvm %s -o %t.ll -Rpass-analysis=ferry 2>&1 | FileCheck %s --check-prefix=FOUND
// RUN: FileCheck %s --check-prefix=KERNEL --input-file=%t.ll

struct Record {
  double *P;
};

// KERNEL: define internal void @__omp_offloading_{{[0-9a-f]+_[0-9a-f]+}}__Z4gone6Record_l[[#@LINE+5]](
// CHECK: {{^}}_Z4gone6Record: line [[#@LINE+4]]:1{{$}}
// FOUND-NOT: no-annotation
void gone(Record R) {
#line 700 "a/file/that/is/not/there.y"
#pragma omp target
  R.P[0] = 0;
}
