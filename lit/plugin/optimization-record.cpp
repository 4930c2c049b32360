// -fsave-optimization-record has the same remarks, with their parts by name, in
// the host's file and in the device's. Clang names one file for both if the
// output has a name.
// A short name: YAML breaks long lines.
// RUN: rm -rf %t.dir && mkdir %t.dir && cp %s %t.dir/r.cpp && cd %t.dir
// RUN: %ferry_plain %offload -O1 -c -fsave-optimization-record -foptimization-record-passes=ferry-map r.cpp 2>&1 | count 0
// RUN: FileCheck %s --input-file=r-openmp-x86_64-pc-linux-gnu-.opt.yaml
// RUN: FileCheck %s --input-file=r.opt.yaml
// RUN: %ferry_plain %offload -O1 -c -fsave-optimization-record -foptimization-record-passes=ferry-map -o n.o r.cpp
// RUN: FileCheck %s --input-file=n.opt.yaml
// RUN: %ferry_plain %offload --offload-host-only -O1 -c -fsave-optimization-record -foptimization-record-passes=ferry-map -o h.o r.cpp
// RUN: FileCheck %s --input-file=h.opt.yaml

struct Node {
  Node *Next;
};
struct View {
  double *Data;
  Node *Head;
};

// CHECK:      --- !Passed
// CHECK-NEXT: Pass: ferry-map
// CHECK-NEXT: Name: PointerMapped
// CHECK-NEXT: DebugLoc: { File: r.cpp, Line: [[#@LINE+17]], Column: 1 }
// CHECK:        - Region: run
// CHECK:        - Pointer: V.Data
// CHECK:        - Way: {{.*}}attached {{.*}}object
// CHECK:      --- !Analysis
// CHECK-NEXT: Pass: ferry-map
// CHECK-NEXT: Name: NeedsMap
// CHECK:        - Pointer: V.Data
// CHECK:      --- !Missed
// CHECK-NEXT: Pass: ferry-map
// CHECK-NEXT: Name: PointersBehindLeft
// CHECK-NEXT: DebugLoc: { File: r.cpp, Line: [[#@LINE+6]], Column: 1 }
// CHECK-NEXT: Function: {{.*}}run{{.*}}
// CHECK:        - Region: run
// CHECK:        - Pointer: V.Head
// CHECK:        - Reason: linked-structure
void run(View V) {
#pragma omp target
  for (Node *N = V.Head; N; N = N->Next)
    V.Data[0] = 0;
}
