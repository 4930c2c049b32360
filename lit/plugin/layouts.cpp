// Layouts of records: bases, arrays, unions, bit-fields, packed and over-aligned
// members, empty bases, pointers to functions and members, volatile.
// RUN: %annotations -std=c++17 -Wno-openmp-mapping %s | FileCheck %s

template <class T> void use(T &);

struct First {
  double *A;
};
struct Second {
  long N;
  double *B;
};
struct Both : First, Second {
  double *C;
};
// CHECK: {{^}}_Z5bases4Both: line [[#@LINE+6]]:1
// CHECK-NEXT: 0 X: record, 32 bytes, align 8
// CHECK-NEXT:   +0 pointer A
// CHECK-NEXT:   +16 pointer B
// CHECK-NEXT:   +24 pointer C
void bases(Both X) {
#pragma omp target
  use(X);
}

struct Empty {};
struct WithEmpty : Empty {
  [[no_unique_address]] Empty E;
  double *P;
};
// CHECK-LABEL: {{^}}_Z5empty9WithEmpty
// CHECK-NEXT: 0 X: record, 8 bytes, align 8
// CHECK-NEXT:   +0 pointer P
void empty(WithEmpty X) {
#pragma omp target
  use(X);
}

// CHECK-LABEL: {{^}}_Z6arraysv
// CHECK-NEXT: 0 X: record, 24 bytes, align 8
// CHECK-NEXT:   +0 array -: 3, stride 8
// CHECK-NEXT:   | +0 pointer -
// CHECK-NEXT: 1 Y: record, 96 bytes, align 8
// CHECK-NEXT:   +0 array -: 2, stride 48
// CHECK-NEXT:   | +0 array -: 3, stride 16
// CHECK-NEXT:   | | +8 pointer B
// CHECK-NOT: Z:
void arrays() {
  double *X[3];
  Second Y[2][3];
  double Z[4];
#pragma omp target
  use(X), use(Y), use(Z);
}

struct Numbers {
  long Data[8];
  double *P;
  Empty None[4];
};
// CHECK-LABEL: {{^}}_Z7numbers7Numbers
// CHECK-NEXT: 0 X: record, 80 bytes, align 8
// CHECK-NEXT:   +64 pointer P
void numbers(Numbers X) {
#pragma omp target
  use(X);
}

struct Packed {
  char C;
  double *P;
  First F[2];
} __attribute__((packed));
// CHECK-LABEL: {{^}}_Z6packed6Packed
// CHECK-NEXT: 0 X: record, 25 bytes, align 1
// CHECK-NEXT:   +1 pointer P
// CHECK-NEXT:   +9 array F: 2, stride 8
// CHECK-NEXT:   | +0 pointer A
void packed(Packed X) {
#pragma omp target
  use(X);
}

struct Bits {
  unsigned A : 3;
  unsigned B : 30;
  double *P;
  unsigned long C : 60;
  double *Q;
};
// CHECK-LABEL: {{^}}_Z4bits4Bits
// CHECK-NEXT: 0 X: record, 32 bytes, align 8
// CHECK-NEXT:   +8 pointer P
// CHECK-NEXT:   +24 pointer Q
void bits(Bits X) {
#pragma omp target
  use(X);
}

struct Aligned {
  char C;
  alignas(64) double *P;
};
// CHECK-LABEL: {{^}}_Z7aligned7Aligned
// CHECK-NEXT: 0 X: record, 128 bytes, align 64
// CHECK-NEXT:   +64 pointer P
void aligned(Aligned X) {
#pragma omp target
  use(X);
}

union Either {
  double *P;
  long N;
  First F[2];
};
struct Variant {
  int Kind;
  Either U;
  union {
    double *Q;
    double D;
  };
};
// CHECK-LABEL: {{^}}_Z6unions7Variant
// CHECK-NEXT: 0 X: record, 32 bytes, align 8
// CHECK-NEXT:   +8 pointer U.P union
// CHECK-NEXT:   +8 array U.F union: 2, stride 8
// CHECK-NEXT:   | +0 pointer A
// CHECK-NEXT:   +24 pointer Q union
void unions(Variant X) {
#pragma omp target
  use(X);
}

struct Callbacks {
  void (*Call)(int);
  double *P;
  int First::*Member;
  void (First::*Method)(int);
  void (&Reference)(int);
};
// CHECK-LABEL: {{^}}_Z9functions9Callbacks
// CHECK-NEXT: 0 X: record, 48 bytes, align 8
// CHECK-NEXT:   +0 function Call
// CHECK-NEXT:   +8 pointer P
// CHECK-NEXT:   +16 function Member
// CHECK-NEXT:   +24 function Method
// CHECK-NEXT:   +40 function Reference
void functions(Callbacks X) {
#pragma omp target
  use(X);
}

struct Virtual : virtual First {
  double *P;
};
struct Polymorphic {
  virtual ~Polymorphic();
  double *P;
};
// CHECK-LABEL: {{^}}_Z7virtual7VirtualR11Polymorphic
// CHECK-NEXT: 0 X: record, 24 bytes, align 8
// CHECK-NEXT:   +0 virtual First
// CHECK-NEXT:   +8 pointer P
// CHECK-NEXT: 1 Y: record, 16 bytes, align 8
// CHECK-NEXT:   +8 pointer P
void virtual_(Virtual X, Polymorphic &Y) __asm__("_Z7virtual7VirtualR11Polymorphic");
void virtual_(Virtual X, Polymorphic &Y) {
#pragma omp target
  use(X), use(Y);
}

struct Qualified {
  double *volatile P;
  const double *const Q;
  double *__restrict R;
  void *V;
  struct Unknown *U;
  double **T;
};
// CHECK-LABEL: {{^}}_Z9qualified9Qualified
// CHECK-NEXT: 0 X: record, 48 bytes, align 8
// CHECK-NEXT:   +0 pointer P
// CHECK-NEXT:   +8 pointer Q
// CHECK-NEXT:   +16 pointer R
// CHECK-NEXT:   +24 pointer V
// CHECK-NEXT:   +32 pointer U
// CHECK-NEXT:   +40 pointer T
void qualified(Qualified X) {
#pragma omp target
  use(X);
}
