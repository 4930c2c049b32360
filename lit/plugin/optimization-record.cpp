// -fsave-optimization-record has the same remarks, with their parts by name.
// A short name: YAML breaks long lines.
// RUN: cd %S && %ferry_plain %offload --offload-host-only -O1 -c -fsave-optimization-record -foptimization-record-passes=ferry-map -foptimization-record-file=%t.yaml -o %t.o optimization-record.cpp
// RUN: FileCheck %s --input-file=%t.yaml

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
// CHECK:        - Pointer: V.Data
// CHECK:        - Way: 'translated in the device''s copy'
// CHECK:      --- !Analysis
// CHECK-NEXT: Pass: ferry-map
// CHECK-NEXT: Name: NeedsMap
// CHECK:        - Pointer: V.Data
// CHECK:      --- !Missed
// CHECK-NEXT: Pass: ferry-map
// CHECK-NEXT: Name: PointerLeft
// CHECK-NEXT: DebugLoc: { File: optimization-record.cpp, Line: [[#@LINE+5]], Column: 1 }
// CHECK-NEXT: Function: _Z3run4View
// CHECK:        - Pointer: V.Head
// CHECK:        - Reason: linked-structure
void run(View V) {
#pragma omp target
  for (Node *N = V.Head; N; N = N->Next)
    V.Data[0] = 0;
}
