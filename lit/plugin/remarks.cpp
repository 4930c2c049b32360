// Remarks stand at the construct, at every level, with the source's names, in
// the form that Clang gives its own; each once, from the device's compilation.
// RUN: for o in -O0 -O1 -O2 -O3 "-O2 -g"; do echo "$o"; \
// RUN:   %ferry_plain -fopenmp -fopenmp-targets=amdgcn-amd-amdhsa -Xopenmp-target=amdgcn-amd-amdhsa -march=gfx90a -nogpulib $o -c -o %t.o %s -Rpass=ferry -Rpass-missed=ferry -Rpass-analysis=ferry > %t.txt 2>&1 || exit 1; \
// RUN:   FileCheck %s --input-file=%t.txt || exit 1; \
// RUN:   if grep "^remark:" %t.txt; then exit 1; fi; \
// RUN:   sort %t.txt | grep remark: | uniq -d | count 0 || exit 1; done
// Nothing unless it is asked for.
// RUN: %ferry_plain %offload -O1 -c -o %t.o -Werror %s 2>&1 | count 0
// RUN: %ferry_plain %offload -O1 -c -o %t.o -Rpass=inline-nothing %s 2>&1 | count 0
// Clang's options for diagnostics hold.
// RUN: %ferry_plain -fopenmp -fopenmp-targets=amdgcn-amd-amdhsa -Xopenmp-target=amdgcn-amd-amdhsa -march=gfx90a -nogpulib -O1 -c -o %t.o -Rpass=ferry-map -fno-caret-diagnostics -fno-diagnostics-show-option %s 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not='|' --implicit-check-not='[-R' --implicit-check-not=has
// RUN: %ferry_plain %offload -O1 -c -o %t.o -Rpass-missed=ferry-map -Werror %s 2>&1 | FileCheck %s --check-prefix=MISSED --implicit-check-not=carried --implicit-check-not=has
// RUN: %ferry_plain %offload -O1 -c -o %t.o -Rpass=ferry-map -w -Rno-pass %s 2>&1 | count 0
// RUN: %ferry_plain -fopenmp -fopenmp-targets=amdgcn-amd-amdhsa -Xopenmp-target=amdgcn-amd-amdhsa -march=gfx90a -nogpulib -O1 -c -o %t.o -Rpass=ferry-map -fdiagnostics-format=msvc %s 2>&1 | FileCheck %s --check-prefix=MSVC

// Asking changes nothing (but what Clang does itself for any remark).
// RUN: %ferry_plain %offload -O2 -c -o %t.nothing.o -Rpass=nothing %s
// RUN: %ferry_plain %offload -O2 -c -o %t.asked.o -Rpass=ferry-map -Rpass-missed=ferry-map %s 2>/dev/null
// RUN: cmp %t.nothing.o %t.asked.o

// Without the device's compilation, the host's tells.
// RUN: %ferry_plain %offload --offload-host-only -O1 -c -o %t.o %s -Rpass=ferry 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: remark: run<uses::lambda at remarks.cpp:{{[0-9]+}}>: 'f.V.Data' carried over

// Two devices: each compilation tells.
// RUN: %ferry_plain %offload,nvptx64-nvidia-cuda -Xopenmp-target=nvptx64-nvidia-cuda -march=sm_90 -O1 -c -emit-llvm -o %t.bc -nogpulib %s -Rpass=ferry 2>&1 | grep -c "run<uses.*'f.V.Data' carried over" | grep -x 2

template <class F> void run(F f) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < 4; ++I)
    f(I);
}

struct View {
  double *Data;
  long Size;
};

// CHECK-DAG: {{^}}{{.*}}remarks.cpp:[[#@LINE-10]]:1: remark: run<uses::lambda at remarks.cpp:[[#@LINE+9]]>: 'f.V.Data' passed as a parameter of the kernel [-Rpass=ferry-map]
// CHECK-DAG: {{^}} {{.*}} | #pragma omp target teams distribute parallel for
// CHECK-DAG: {{^ +[|] [\^]$}}
// CHECK-DAG: remark: run<uses::lambda at remarks.cpp:[[#@LINE+6]]>: the data behind 'f.V.Data' has to be mapped when the region is entered [-Rpass-analysis=ferry-map]
// CHECK-DAG: remark: run<uses::lambda at remarks.cpp:[[#@LINE+5]]>: variable 'f.Sum' carried over: mapped for the launch unless it is already [-Rpass=ferry-map]
// PLAIN-DAG: {{^}}{{.*}}remarks.cpp:[[#@LINE-15]]:1: remark: run<uses::lambda at remarks.cpp:[[#@LINE+4]]>: 'f.V.Data' passed as a parameter of the kernel{{$}}
// MSVC-DAG: {{^}}{{.*}}remarks.cpp([[#@LINE-16]],1): remark: run<uses::lambda at remarks.cpp:[[#@LINE+3]]>: 'f.V.Data' passed
void uses(View V, double *Unused) {
  double Sum = 0;
  run([=, &Sum](int I) {
    Sum += V.Data[I];
    (void)Unused;
  });
}

// CHECK-DAG: remarks.cpp:[[#@LINE+8]]:1: remark: list: pointers behind 'head' left as they are: the pointer leads back to its own type of record, as in a linked list; map the records and attach their pointers [linked-structure] [-Rpass-missed=ferry-map]
// MISSED: remarks.cpp:[[#@LINE+7]]:1: remark: list: pointers behind 'head' left
// MISSED-NEXT: #pragma omp target
struct Node {
  Node *Next;
  double Value;
};
void list(Node *head) {
#pragma omp target
  for (Node *N = head; N; N = N->Next)
    N->Value = 0;
}

// CHECK-DAG: remarks.cpp:[[#@LINE+5]]:1: remark: hidden: the region's code is not all visible; every captured pointer is carried over [unknown-uses] [-Rpass-analysis=ferry-map]
// CHECK-DAG: remarks.cpp:[[#@LINE+4]]:1: remark: hidden: 'V.Data' carried over: translated in the device's copy
void elsewhere(const View &V);
#pragma omp declare target(elsewhere)
void hidden(const View V) {
#pragma omp target firstprivate(V)
  elsewhere(V);
}
