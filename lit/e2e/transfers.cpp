// Copies per launch: at most one from host to device for any number of captured
// pointers, also for [&] and [this] captures that the kernel only reads; stock
// Clang makes one more for each pointer. Nothing stays mapped.
//
// RUN: for o in "-O0 -g" -O1 "-O3 -g" -O2; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_INFO=40 %t 2>&1 >/dev/null \
// RUN:     | %S/Inputs/count-transfers | FileCheck %s || exit 1; done
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_INFO=40 %t.stock --isolate 2>&1 >/dev/null \
// RUN:   | %S/Inputs/count-transfers | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

#include <malloc.h>
#include <tuple>

namespace {
constexpr int N = 12;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};

// Marks one launch in the runtime's output.
struct Stretch {
  const char *Name;
  explicit Stretch(const char *Name) : Name(Name) {
    fprintf(stderr, "== begin %s\n", Name);
  }
  ~Stretch() { fprintf(stderr, "== end %s\n", Name); }
};
template <class F>
void measure(const char *Name, F Launch) {
  Stretch S(Name);
  Launch();
}
struct Arrays {
  Mapped<int> A{N}, Out{N, 2};
  void expect(int Factor, int Offset = 0) {
    Out.expect([&](int I) { return Factor * A.at(I) + Offset; });
  }
};
} // namespace

// CHECK: by_value: to-device {{[01]}}, from-device 0, left 0
// STOCK: by_value: to-device 9, from-device 0, left 0
SHAPE(by_value) {
  Arrays S;
  int *P0 = S.A, *P1 = S.A, *P2 = S.A, *P3 = S.A, *P4 = S.A, *P5 = S.A,
      *P6 = S.A, *Q = S.Out;
  auto Body = [=](int I) {
    Q[I] = P0[I] + P1[I] + P2[I] + P3[I] + P4[I] + P5[I] + P6[I];
  };
  measure("by_value", [&] { forall(N, Body); });
  S.expect(7);
}

// CHECK-NEXT: by_const_reference: to-device {{[01]}}, from-device 0, left 0
// STOCK-NEXT: by_const_reference: to-device 3, from-device 0, left 0
SHAPE(by_const_reference) {
  Arrays S;
  int *P = S.A, *Q = S.Out;
  auto Body = [=](int I) { Q[I] = P[I]; };
  measure("by_const_reference", [&] { forallByReference(N, Body); });
  S.expect(1);
}

// CHECK-NEXT: nested: to-device {{[01]}}, from-device 0, left 0
// STOCK-NEXT: nested: to-device
SHAPE(nested) {
  Arrays S;
  View X{S.A}, Y{S.Out};
  int *P = S.A;
  auto One = [=](int I) { return P[I] + X[I]; };
  auto Two = [=](int I) { return One(I) + P[I]; };
  auto Body = [=](int I) { Y[I] = Two(I) + One(I); };
  measure("nested", [&] { forall(N, Body); });
  S.expect(5);
}

namespace {
struct Saxpy {
  const int *X;
  int *Y;
  View More[2];
  void operator()(int I) const { Y[I] = X[I] + More[0][I] + More[1][I]; }
};
} // namespace

// CHECK-NEXT: functor: to-device {{[01]}}, from-device {{[01]}}, left 0
// STOCK-NEXT: functor: to-device 1, from-device 1, left 0
SHAPE(functor) {
  Arrays S;
  Saxpy F{S.A, S.Out, {{S.A}, {S.A}}};
  measure("functor", [&] { forall(N, F); });
  S.expect(3);
}

// CHECK-NEXT: tuple: to-device {{[01]}}, from-device 0, left 0
// STOCK-NEXT: tuple: to-device
SHAPE(tuple) {
  Arrays S;
  std::tuple<int *, View, int *> T(S.A, View{S.A}, S.Out);
  measure("tuple", [&] {
    forall(N, [=](int I) {
      std::get<2>(T)[I] = std::get<0>(T)[I] + std::get<1>(T)[I];
    });
  });
  S.expect(2);
}

// CHECK-NEXT: map_to: to-device {{[01]}}, from-device 0, left 0
// STOCK-NEXT: map_to: to-device
SHAPE(map_to) {
  Arrays S;
  View X{S.A}, Y{S.Out};
  auto Body = [=](int I) { Y[I] = X[I]; };
  measure("map_to", [&] {
#pragma omp target map(to : Body)
    for (int I = 0; I < N; ++I)
      Body(I);
  });
  S.expect(1);
}

// CHECK-NEXT: firstprivate: to-device {{[01]}}, from-device 0, left 0
// STOCK-NEXT: firstprivate: to-device
SHAPE(firstprivate) {
  Arrays S;
  Saxpy F{S.A, S.Out, {{S.A}, {S.A}}};
  measure("firstprivate", [&] {
#pragma omp target firstprivate(F)
    for (int I = 0; I < N; ++I)
      F(I);
  });
  S.expect(3);
}

// CHECK-NEXT: two_closures: to-device {{[01]}}, from-device 0, left 0
// STOCK-NEXT: two_closures: to-device
SHAPE(two_closures) {
  Arrays S;
  View X{S.A}, Y{S.Out};
  auto Read = [=](int I) { return X[I]; };
  auto Write = [=](int I, int V) { Y[I] = V + X[I]; };
  measure("two_closures", [&] {
#pragma omp target
    for (int I = 0; I < N; ++I)
      Write(I, Read(I));
  });
  S.expect(2);
}

// CHECK-NEXT: read_only_references: to-device {{[01]}}, from-device 0, left 0
// STOCK-NEXT: read_only_references: to-device
SHAPE(read_only_references) {
  Arrays S;
  View X{S.A}, Y{S.Out};
  int *P = S.A, Factor = 2, Table[4] = {1, 1, 1, 1};
  const double Offset = 3;
  auto Read = [&](int I) { return Factor * P[I] + Table[I % 4]; };
  auto Body = [&](int I) { Y[I] = X[I] + Read(I) + int(Offset); };
  measure("read_only_references", [&] { forall(N, Body); });
  S.expect(3, 4);
}

namespace {
struct Solver {
  int *P[8];
  int *Unused[100];
  View Y;
  int Factor = 2;
  explicit Solver(Arrays &S) : Y{S.Out} {
    for (int *&I : P)
      I = S.A;
    for (int *&I : Unused)
      I = &Factor;
  }
  void withThis() {
    measure("read_only_this", [this] {
      forall(N, [this](int I) { Y[I] = Factor * P[0][I] + P[7][I]; });
    });
  }
  void withCopy() {
    measure("copy_of_this", [this] {
      forall(N, [*this](int I) { Y[I] = Factor * P[0][I] + P[7][I]; });
    });
  }
};
} // namespace

// CHECK-NEXT: read_only_this: to-device {{[01]}}, from-device 0, left 0
// STOCK-NEXT: read_only_this: to-device
SHAPE(read_only_this) {
  Arrays S;
  Solver(S).withThis();
  S.expect(3);
}

// CHECK-NEXT: copy_of_this: to-device {{[01]}}, from-device 0, left 0
// STOCK-NEXT: copy_of_this: to-device
SHAPE(copy_of_this) {
  Arrays S;
  Solver(S).withCopy();
  S.expect(3);
}

// CHECK-NEXT: eight_kilobytes: to-device {{[01]}}, from-device 0, left 0
// STOCK-NEXT: eight_kilobytes: to-device
SHAPE(eight_kilobytes) {
  Arrays S;
  struct {
    View X;
    int Table[2048];
    View Y;
  } R{{S.A}, {}, {S.Out}};
  R.Table[2047] = 5;
  auto Body = [=](int I) { R.Y[I] = R.X[I] + R.Table[2036 + I]; };
  measure("eight_kilobytes", [&] { forall(N, Body); });
  S.Out.expect([&](int I) { return S.A.at(I) + (I == N - 1 ? 5 : 0); });
}

// One written variable comes back; the others do not.
// CHECK-NEXT: written_reference: to-device {{[012]}}, from-device 1, left 0
// STOCK-NEXT: written_reference: to-device
SHAPE(written_reference) {
  Arrays S;
  View X{S.A}, Y{S.Out};
  int Sum = 0, Factor = 2;
  auto Body = [&](int I) { Y[I] = Sum += Factor * X[I]; };
  measure("written_reference", [&] { inOrder(N, Body); });
  int Want = 0;
  S.Out.expect([&](int I) { return Want += 2 * S.A.at(I); });
  check::equal("Sum", Sum, Want);
}

// What the runtime cannot tell: memory that Ferry allocates itself.
SHAPE(memory_does_not_grow) {
  Arrays S;
  View X{S.A}, Y{S.Out};
  int *P = S.A, Sum = 0, Table[1024] = {};
  auto Read = [&](int I) { return P[I] + Table[I]; };
  auto Body = [&](int I) { Y[I] = X[I] + Read(I); };
  Saxpy F{S.A, S.Out, {{S.A}, {S.A}}};
  size_t Before = 0;
  for (int Round = 0; Round < 1100; ++Round) {
    if (Round == 100)
      Before = mallinfo2().uordblks;
    inOrder(N, Body);
    inOrder(N, F);
    inOrder(1, [&](int I) { Sum += X[I] - X[I] + 1; });
  }
  size_t Grown = mallinfo2().uordblks - Before;
  if (mallinfo2().uordblks > Before && Grown > 100 * 1024)
    check::fail("%zu bytes after 1000 launches", Grown);
  check::equal("Sum", Sum, 1100);
  S.expect(3);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
