// What stands for a reference, how deep references are followed, and where the
// description ends: incomplete and recursive types.
// RUN: %annotations -std=c++17 %s | FileCheck %s
#include <functional>

template <class F> void run(F f) {
#pragma omp target
  f(0);
}

struct Record {
  double *P;
};

// A reference wrapper is a reference, also to const. A null one cannot be.
// CHECK-LABEL: _Z3runI{{.*}}wrapper
// CHECK-NEXT: 0 f: lambda, 16 bytes, align 8
// CHECK-NEXT:   +0 reference W: 8 bytes, align 8
// CHECK-NEXT:   | +0 pointer P
// CHECK-NEXT:   +8 reference C const: 8 bytes, align 8
// CHECK-NEXT:   | +0 pointer P
void wrapper(std::reference_wrapper<Record> W, std::reference_wrapper<const Record> C) {
  run([=](int I) { W.get().P[I] = C.get().P[I]; });
}

// Another class of that name is not.
namespace own {
template <class T> struct reference_wrapper {
  T *_M_data;
};
} // namespace own
// CHECK-LABEL: _Z3runI{{.*}}imitation
// CHECK-NEXT: 0 f: lambda, 8 bytes, align 8
// CHECK-NEXT:   +0 pointer W
void imitation(own::reference_wrapper<Record> W) {
  run([=](int I) { W._M_data->P[I] = 0; });
}

// CHECK-LABEL: _Z3runI{{.*}}member
// CHECK-NEXT: 0 f: lambda, 24 bytes, align 8
// CHECK-NEXT:   +0 reference M.R: 8 bytes, align 8
// CHECK-NEXT:   | +0 pointer P
// CHECK-NEXT:   +8 reference M.D: 8 bytes, align 8
// CHECK-NEXT:   +16 pointer M.A
struct Members {
  Record &R;
  double &D;
  Record *A;
};
void member(Members M) {
  run([=](int I) { M.R.P[I] = M.D; });
}

// References to arrays and to what has no size. (Clang 19 crashes where a lambda
// itself captures a reference to an incomplete type.)
struct Incomplete;
struct Unsized {
  Incomplete &I;
  double (&U)[];
};
// CHECK-LABEL: _Z3runI{{.*}}arrays
// CHECK-NEXT: 0 f: lambda, 24 bytes, align 8
// CHECK-NEXT:   +0 reference A: 24 bytes, align 8
// CHECK-NEXT:   | +0 array -: 3, stride 8
// CHECK-NEXT:   | | +0 pointer P
// CHECK-NEXT:   +8 pointer S.I
// CHECK-NEXT:   +16 pointer S.U
void arrays(Record (&A)[3], Unsized S) {
  run([&A, S](int N) { A[N].P[N] = S.U[N]; });
}

// A type that refers to itself is described once.
struct List {
  double *Data;
  List &Next;
};
// CHECK-LABEL: _Z3runI{{.*}}recursive
// CHECK-NEXT: 0 f: lambda, 8 bytes, align 8
// CHECK-NEXT:   +0 reference L: 16 bytes, align 8
// CHECK-NEXT:   | +0 pointer Data
// CHECK-NEXT:   | +8 reference Next recursive: 16 bytes, align 8
void recursive(List L) {
  run([&](int I) { L.Next.Data[I] = 0; });
}

// A lambda that captures this captures all of the object, which may hold a
// reference to its own type.
struct Node {
  Node &Parent;
  double *Data;
  void f() {
    run([this](int I) { Parent.Data[I] = 0; });
  }
};
// CHECK-LABEL: _Z3runI{{.*}}Node
// CHECK-NEXT: 0 f: lambda, 8 bytes, align 8
// CHECK-NEXT:   +0 this this: 16 bytes, align 8
// CHECK-NEXT:   | +0 reference Parent recursive: 16 bytes, align 8
// CHECK-NEXT:   | +8 pointer Data
void node(Node &N) { N.f(); }
