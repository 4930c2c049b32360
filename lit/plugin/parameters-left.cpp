// What a GPU does not get as parameters is told with the reason, where the host
// and the device are compiled; for the host device there are none.
//
// REQUIRES: nvptx-registered-target
// RUN: %ferry_clangxx -O1 -fopenmp --ferry-sim -Rpass-missed=ferry-map -fno-caret-diagnostics -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %ferry_clangxx -O1 -fopenmp --ferry-sim -mllvm -ferry-parameters=false -Rpass-missed=ferry-map -c %s -o %t.o 2>&1 | count 0
// RUN: %ferry_clangxx -O1 %offload -Rpass-missed=ferry-map -c %s -o %t.o 2>&1 | count 0
// In records, also where one file is the host's and the device's.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %ferry_clangxx -O1 -fopenmp --ferry-sim -fsave-optimization-record -foptimization-record-passes=ferry-map -c %s -o r.o
// RUN: grep -c 'Reason: *unknown-offsets' r.opt.yaml && grep -c 'Reason: *written-object' r.opt.yaml

template <class F> void forall(int N, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Body(I);
}

struct Table {
  double *Rows[4];
  double Last;
};

// CHECK: forall<indexed::lambda at parameters-left.cpp:[[#@LINE+2]]>: 'Body' stays in memory, not in parameters: the kernel reads it at offsets that are not constant, or hands its address on [unknown-offsets]
void indexed(Table T, int N) {
  forall(N, [=](int I) { T.Rows[I % 4][I] += 1; });
}

// CHECK: forall<written::lambda at parameters-left.cpp:[[#@LINE+2]]>: 'Body.T' stays in memory, not in parameters: the kernel may write to it [written-object]
void written(Table T, int N) {
  forall(N, [&](int I) {
    T.Rows[0][I] += 1;
    if (I == 5)
      T.Last = 3;
  });
}

// CHECK-NOT: stays in memory
void passed(Table T, int N) {
  forall(N, [=](int I) { T.Rows[1][I] += T.Last; });
}
