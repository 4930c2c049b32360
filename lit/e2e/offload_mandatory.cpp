// -fopenmp-offload-mandatory: there is no host version of the region to analyse,
// so a closure's whole layout counts.
//
// RUN: for o in "-O0 -g" -O1 -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload -fopenmp-offload-mandatory $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done
// RUN: %ferry_clangxx --ferry-off %offload -fopenmp-offload-mandatory -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

#include <array>

namespace {
constexpr int N = 12;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};
struct Saxpy {
  const int *X;
  int *Y, *Unused;
  int Factor;
  void operator()(int I) const { Y[I] = Factor * X[I]; }
};
} // namespace

// STOCK: ok by_value
SHAPE(by_value) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  forall(N, [=](int I) { Q[I] = 2 * P[I]; });
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: FAIL nested_closures_and_views
SHAPE(nested_closures_and_views) {
  Mapped<int> A(N), Out(N, 2);
  View X{A}, Y{Out};
  auto Read = [=](int I) { return X[I]; };
  forall(N, [=](int I) { Y[I] = Read(I) + 1; });
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL functor
SHAPE(functor) {
  Mapped<int> A(N), Out(N, 2);
  int Unmapped = 0;
  Saxpy F{A, Out, &Unmapped, 3};
  forallByReference(N, F);
  check::pointer("X", F.X, A.Host);
  check::pointer("Unused", F.Unused, &Unmapped);
  check::absent("F", F);
  Out.expect([&](int I) { return 3 * A.at(I); });
}

// STOCK-NEXT: FAIL array_of_pointers
SHAPE(array_of_pointers) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  std::array<int *, 3> P{A, B, Out};
  forall(N, [=](int I) { P[2][I] = P[I % 2][I]; });
  Out.expect([&](int I) { return (I % 2 ? B : A).at(I); });
}

// STOCK-NEXT: FAIL read_only_reference_captures
SHAPE(read_only_reference_captures) {
  Mapped<int> A(N), Out(N, 2);
  View X{A}, Y{Out};
  int Factor = 3, *P = A;
  forall(N, [&](int I) { Y[I] = Factor * X[I] + P[I]; });
  check::absent("Factor", Factor);
  check::pointer("P", P, A.Host);
  Out.expect([&](int I) { return 4 * A.at(I); });
}

// STOCK-NEXT: FAIL written_reference_captures
SHAPE(written_reference_captures) {
  Mapped<int> A(N);
  int *P = A, Sum = 3;
  inOrder(N, [&](int I) { Sum += P[I]; });
  int Want = 3;
  for (int I = 0; I < N; ++I)
    Want += A.at(I);
  check::equal("Sum", Sum, Want);
  check::absent("Sum", Sum);
}

namespace {
struct Solver {
  View In, Out;
  int Factor;
  void run() {
    forall(N, [this](int I) { Out[I] = Factor * In[I]; });
  }
  void runCopy() {
    forall(N, [*this](int I) { Out[I] += Factor * In[I]; });
  }
};
} // namespace

// STOCK-NEXT: FAIL capture_this
SHAPE(capture_this) {
  Mapped<int> A(N), Out(N, 2);
  Solver S{{A}, {Out}, 3};
  S.run();
  S.runCopy();
  check::pointer("In", S.In.Data, A.Host);
  check::absent("the object", S);
  Out.expect([&](int I) { return 6 * A.at(I); });
}

// STOCK-NEXT: FAIL null_and_unmapped
SHAPE(null_and_unmapped) {
  Mapped<unsigned long> Out(3, 2);
  static int Unmapped;
  struct {
    int *Null, *Unmapped;
    unsigned long *Out;
  } S{nullptr, &Unmapped, Out};
  forall(1, [=](int) {
    S.Out[0] = reinterpret_cast<unsigned long>(S.Null);
    S.Out[1] = reinterpret_cast<unsigned long>(S.Unmapped);
    S.Out[2] = 5;
  });
  const unsigned long Want[] = {0, reinterpret_cast<unsigned long>(&Unmapped),
                                5};
  Out.expect([&](int I) { return Want[I]; });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
