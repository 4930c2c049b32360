// Remarks stand at the construct, at every level, with the source's names.
// RUN: for o in -O0 -O1 -O2 -O3 "-O2 -g"; do echo "$o"; \
// RUN:   %ferry_plain %offload $o -c -o %t.o %s -Rpass=ferry -Rpass-missed=ferry -Rpass-analysis=ferry > %t.txt 2>&1 || exit 1; \
// RUN:   FileCheck %s --input-file=%t.txt || exit 1; done
// Nothing unless it is asked for.
// RUN: %ferry_plain %offload -O1 -c -o %t.o -Werror %s 2>&1 | count 0
// RUN: %ferry_plain %offload -O1 -c -o %t.o -Rpass=inline-nothing %s 2>&1 | count 0

template <class F> void run(F f) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < 4; ++I)
    f(I);
}

struct View {
  double *Data;
  long Size;
};

// CHECK-DAG: remark: {{.*}}remarks.cpp:10:1: 'f.V.Data' carried over: translated in the device's copy [-Rpass=ferry-map]
// CHECK-DAG: remark: {{.*}}remarks.cpp:10:1: the data behind 'f.V.Data' has to be mapped when the region is entered [-Rpass-analysis=ferry-map]
// CHECK-DAG: remark: {{.*}}remarks.cpp:10:1: 'f.Sum' carried over: the variable is found or made on the device [-Rpass=ferry-map]
void uses(View V, double *Unused) {
  double Sum = 0;
  run([=, &Sum](int I) {
    Sum += V.Data[I];
    (void)Unused;
  });
}

// CHECK-DAG: remark: {{.*}}remarks.cpp:[[#@LINE+6]]:1: 'head' left as it is: the pointer leads back to its own type of record, as in a linked list; map the records and attach their pointers [linked-structure] [-Rpass-missed=ferry-map]
struct Node {
  Node *Next;
  double Value;
};
void list(Node *head) {
#pragma omp target
  for (Node *N = head; N; N = N->Next)
    N->Value = 0;
}

// CHECK-DAG: remark: {{.*}}remarks.cpp:[[#@LINE+5]]:1: the region's code is not all visible; every captured pointer is carried over [unknown-uses] [-Rpass-analysis=ferry-map]
// CHECK-DAG: remark: {{.*}}remarks.cpp:[[#@LINE+4]]:1: 'V.Data' carried over
void elsewhere(const View &V);
#pragma omp declare target(elsewhere)
void hidden(const View V) {
#pragma omp target firstprivate(V)
  elsewhere(V);
}
