// C programs have regions and records too.
// RUN: %annotations -std=c11 %s | FileCheck %s

struct View {
  double *Data;
  int N;
};

// CHECK: {{^}}scale: line [[#@LINE+6]]:1
// CHECK-NEXT: 0 V: record, 16 bytes, align 8
// CHECK-NEXT:   +0 pointer Data
// CHECK-NEXT: 1 W: pointer, 8 bytes, align 8
// CHECK-NOT: {{.}}
void scale(struct View V, const struct View *W) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < V.N; ++I)
    V.Data[I] *= W->Data[I];
}
