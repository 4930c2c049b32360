// Which function a region belongs to, and how it is told from others.
// RUN: %annotations -std=c++17 -Wno-openmp-mapping -Wno-openmp-target %s | FileCheck %s

struct Record {
  double *P;
};

template <class F> void run(F f) {
#pragma omp target
  f(0);
}

// Several regions on one line count.
#define TWICE(X)                                                               \
  _Pragma("omp target") X.P[0] = 0;                                            \
  _Pragma("omp target") X.P[1] = 0;
// CHECK: {{^}}_Z7severalR6Record: line [[#@LINE+6]]:3{{$}}
// CHECK-NEXT: 0 R: record
// CHECK-NEXT: +0 pointer P
// CHECK-NEXT: {{^}}_Z7severalR6Record: line [[#@LINE+3]]:3 #1
// CHECK: {{^}}_Z7severalR6Record: line [[#@LINE+3]]:1{{$}}
void several(Record &R) {
  TWICE(R)
#pragma omp target
  R.P[0] = 0;
}

// Constructors and destructors are called by one name in kernels, whichever of
// their variants holds the region.
struct Object {
  double *P;
  Object(Record R);
  ~Object();
  void method();
  static void function(Record R);
  Record operator()(Record R) const;
};
// CHECK: {{^}}_ZN6ObjectC2E6Record as _ZN6ObjectC1E6Record: line [[#@LINE+7]]:1
// CHECK-NEXT: 0 this: record, 8 bytes, align 8
// CHECK-NEXT:   +0 pointer P
// CHECK-NEXT: 1 R: record
// CHECK-NEXT:   +0 pointer P
// CHECK-NEXT: {{^}}_ZN6ObjectC1E6Record as _ZN6ObjectC1E6Record
Object::Object(Record R) {
#pragma omp target
  P[0] = R.P[0];
}
// CHECK: {{^}}_ZN6ObjectD2Ev as _ZN6ObjectD1Ev: line [[#@LINE+2]]:1
Object::~Object() {
#pragma omp target
  P[0] = 0;
}
// CHECK: {{^}}_ZN6Object6methodEv: line [[#@LINE+4]]:1
// CHECK-NEXT: 0 this: record, 8 bytes, align 8
// CHECK-NEXT:   +0 pointer P
void Object::method() {
#pragma omp target
  P[0] = 0;
}
// CHECK: {{^}}_ZN6Object8functionE6Record: line [[#@LINE+4]]:1
// CHECK-NEXT: 0 R: record, 8 bytes, align 8
// CHECK-NEXT:   +0 pointer P
void Object::function(Record R) {
#pragma omp target
  R.P[0] = 0;
}
// CHECK: {{^}}_ZNK6ObjectclE6Record: line [[#@LINE+2]]:1
Record Object::operator()(Record R) const {
#pragma omp target
  P[0] = R.P[0];
  return R;
}

// A function that is declared, used, and defined later.
void later(Record R);
void user(Record R) { later(R); }
// CHECK: {{^}}_Z5later6Record: line [[#@LINE+2]]:1
void later(Record R) {
#pragma omp target
  R.P[0] = 0;
}

// A region in a lambda belongs to the function around it.
// CHECK: {{^}}_Z8inLambda6Record{{.*}}: line [[#@LINE+3]]:1
void inLambda(Record R) {
  auto L = [=] {
#pragma omp target
    R.P[0] = 0;
  };
  L();
}

// Every instance of a template is described by its own types.
struct Long {
  long A;
  long *Q;
};
template <class T> struct Holder {
  T Value;
  void use() {
#pragma omp target
    (void)&Value;
  }
};
// CHECK-DAG: {{^}}_ZN6HolderI6RecordE3useEv: line
// CHECK-DAG: {{^}}_ZN6HolderI4LongE3useEv: line
void instances(Holder<Record> A, Holder<Long> B) {
  A.use();
  B.use();
}

// Explicit instances and specialisations.
template <class T> void generic(T X) {
#pragma omp target
  (void)&X;
}
template <> void generic(Long X) {
#pragma omp target
  X.Q[0] = 0;
}
// CHECK-DAG: {{^}}_Z7genericI6RecordEvT_: line [[#@LINE-7]]:1
// CHECK-DAG: {{^}}_Z7genericI4LongEvT_: line [[#@LINE-4]]:1
template void generic(Record);

// Regions that are not entered on a device are not described.
void hostOnly(Record R) {
#pragma omp parallel
  R.P[0] = 0;
#pragma omp target data map(to : R)
  {
  }
#pragma omp target update to(R)
}
// CHECK-NOT: hostOnly

// Variables of no interest: integers, floats and arrays of them, and the
// variables of the loop. The others keep their place among the arguments.
// CHECK: {{^}}_Z5mixedidPd6Record: line [[#@LINE+6]]:1
// CHECK-NEXT: 1 R: record, 8 bytes, align 8
// CHECK-NEXT:   +0 pointer P
// CHECK-NEXT: 2 P: pointer, 8 bytes, align 8
void mixed(int N, double D, double *P, Record R) {
  float Array[4] = {};
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    R.P[I] = P[I] + D + Array[I];
}
