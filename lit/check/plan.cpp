// What a launch surely accesses: by each captured pointer, under conditions that
// the launch can evaluate. By what depends on data, nothing.
//
// RUN: %ferry_clangxx --ferry-check -O1 %offload --offload-host-only -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<ferry-launch-plan>' -ferry-check -ferry-map-host-evidence -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %opt -passes='print<ferry-launch-plan>' -ferry-map-host-evidence -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: object 0
// WITHOUT-NOT: check

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

void levels(double *A, double *B, double *C, int M) {
  double *Levels[3] = {A, B, C};
  forall(3, [=](int I) {
    for (int J = 0; J < M; ++J)
      Levels[I][J] = 0;
  });
}

struct Node {
  long Number;
  double *Data;
};

void run(double *A, double *B, double *C, double *D, double *E, Node *P, int N,
         int M, const bool *Mask) {
  forall(N, [=](int I) {
    A[I] = 0;
    if (M > 3)
      B[I + 1] = 0;
    if (Mask[I])
      C[I] = P->Number;
    for (int J = 0; J < M; ++J)
      D[I * M + J] = 0;
    for (int J = 0; J < M; ++J) {
      if (E[J] < 0)
        break;
      E[J] = C[J];
    }
    if (I == 0)
      P->Data[2] = 0;
  });
}
// CHECK: check 0: Loop, variable
// CHECK-NEXT: check 1: Loop.A, at 0 behind 0, written
// The first round, and the last one.
// CHECK-NEXT: plan.cpp:[[#@LINE-19]]: bytes 0 to smin(7,
// CHECK-NEXT: plan.cpp:[[#@LINE-20]]: bytes %0 to
// CHECK-NEXT: check 2: Loop.B, at 16 behind 0, written
// If M > 3.
// CHECK-NEXT: plan.cpp:[[#@LINE-21]]: bytes 8 to smin(15, {{.*}}(sext64(i32 argument 1[+8]) + -4)
// CHECK-NEXT: plan.cpp:[[#@LINE-22]]: bytes %0 to
// CHECK-NEXT: check 3: Loop.Mask, at 24 behind 0, read
// CHECK-NEXT: plan.cpp:[[#@LINE-23]]: bytes 0 to
// CHECK-NEXT: plan.cpp:[[#@LINE-24]]: bytes %0 to
// CHECK-NEXT: check 4: Loop.C, at 32 behind 0, read, written
// CHECK-NEXT: check 5: Loop.P, at 40 behind 0
// The pointer in it, in the first round, and in the last one if that is the
// first. P->Number may not be read.
// CHECK-NEXT: plan.cpp:[[#]]: bytes 8 to
// CHECK-NEXT: plan.cpp:[[#]]: bytes 8 to
// CHECK-NEXT: check 6: Loop.P->Data, at 8 behind 5, written
// CHECK-NEXT: plan.cpp:[[#]]: bytes 16 to
// CHECK-NEXT: plan.cpp:[[#]]: bytes 16 to
// CHECK-NEXT: check 7: Loop.D, at 48 behind 0, written
// CHECK-NEXT: plan.cpp:[[#]]: bytes 0 to
// CHECK-NEXT: plan.cpp:[[#]]: bytes %0 to
// CHECK-NEXT: check 8: Loop.E, at 56 behind 0, read, written
// The loop may end early: no last round.
// CHECK-NEXT: plan.cpp:[[#]]: bytes 0 to
// CHECK-NOT: bytes

// Of a table the elements that the first and the last round choose.
// CHECK-LABEL: launch of {{.*}}levels
// CHECK: check 1: Loop.Levels[i], at 8 behind 0, word 8 to 8, written
// CHECK-NEXT: plan.cpp:[[#]]: bytes 0 to smin(7,
// CHECK-NEXT: plan.cpp:[[#]]: bytes %0 to
// CHECK-NEXT: check 2: Loop.Levels[i], at 8 behind 0, word {{.*}}, written
// CHECK-NEXT: plan.cpp:[[#]]: bytes 0 to
// CHECK-NEXT: plan.cpp:[[#]]: bytes %0 to
// CHECK-NOT: check
