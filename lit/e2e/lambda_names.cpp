// Kernels whose names hold the name of an unnamed type: several lambdas on one
// line and in one macro, unnamed structs between lambdas, lambdas in functions
// of internal linkage, in initializers, default arguments and templates. Each
// kernel must have one name on host and device.
//
// RUN: for o in "-O0 -g" -O1 -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t 2>&1 | FileCheck %s || exit 1; done
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate 2>&1 | FileCheck %s --check-prefix=STOCK
// CHECK-NOT: Failed to load kernel
// CHECK-NOT: FAIL
// CHECK: ok static_initializer
// STOCK: Failed to load kernel

#include "Inputs/check.h"
#include "Inputs/forall.h"

namespace {
constexpr int N = 4;
} // namespace

// clang-format off
SHAPE(several_on_one_line) {
  Mapped<int> A(N), Out(4 * N, 2);
  int *P = A, *Q = Out;
  forall(N, [=](int I) { Q[I] = P[I]; }); forall(N, [=](int I) { Q[N + I] = P[I] + 1; }); forall(N, [&](int I) { Q[2 * N + I] = P[I] + 2; }); inOrder(N, [&](int I) { Q[3 * N + I] = P[I] + 3; });
  Out.expect([&](int I) { return A.at(I % N) + I / N; });
}
// clang-format on

#define TWICE(PART)                                             \
  forall(N, [=](int I) { Q[(PART) * N + I] = P[I] + (PART); }); \
  forall(N, [&](int I) { Q[((PART) + 1) * N + I] = P[I] + (PART) + 1; })

SHAPE(several_in_one_macro) {
  Mapped<int> A(N), Out(6 * N, 2);
  int *P = A, *Q = Out;
  TWICE(0);
  TWICE(2), [=] { TWICE(4); }();
  Out.expect([&](int I) { return A.at(I % N) + I / N; });
}

SHAPE(unnamed_structs_between) {
  Mapped<int> A(N), Out(3 * N, 2);
  struct {
    int *P;
  } X{A};
  auto First = [=](int I) { return X.P[I]; };
  struct {
    int *Q;
    int Offset;
  } Y{Out, 1};
  forall(N, [=](int I) { Y.Q[I] = First(I); });
  auto Second = [&](int I) { return First(I) + Y.Offset; };
  struct {
    decltype(Second) Read;
    int *Q;
  } Both{Second, Out + N};
  forall(N, [&](int I) { Both.Q[I] = Both.Read(I); });
  auto Third = [=](int I) { Y.Q[2 * N + I] = X.P[I] + 2; };
  forall(N, Third);
  Out.expect([&](int I) { return A.at(I % N) + I / N; });
}

namespace {
int *twoKernels(int *P, int *Q) {
  auto Outer = [=](int Part) {
    auto Inner = [=](int I) { Q[Part * N + I] = P[I] + Part; };
    forall(N, [=](int I) { Inner(I); });
  };
  Outer(0);
  Outer(1);
  return Q;
}
static auto makeInFunction(int *P) {
  return [=](int I) { return P[I]; };
}
static auto makeOther(int *Q) {
  return [=](int I, int V) { Q[I] = V; };
}
template <class T>
void inTemplate(T *P, T *Q, T Offset) {
  forall(N, [=](int I) { Q[I] = P[I] + Offset; });
  [&] { forall(N, [=](int I) { Q[N + I] = P[I] + Offset + 1; }); }();
}
} // namespace

SHAPE(functions_of_internal_linkage) {
  Mapped<int> A(N), Out(3 * N, 2);
  twoKernels(A, Out);
  auto Read = makeInFunction(A);
  auto Write = makeOther(Out);
  forall(N, [=](int I) { Write(2 * N + I, Read(I) + 2); });
  Out.expect([&](int I) { return A.at(I % N) + I / N; });
}

SHAPE(templates) {
  Mapped<int> A(N), Out(2 * N, 2);
  Mapped<long> B(N, 3), Out2(2 * N, 4);
  inTemplate<int>(A, Out, 1);
  inTemplate<long>(B, Out2, 2);
  Out.expect([&](int I) { return A.at(I % N) + 1 + I / N; });
  Out2.expect([&](int I) { return B.at(I % N) + 2 + I / N; });
}

namespace {
struct Arguments {
  Mapped<int> A{N}, Out{2 * N, 2};
  void (*Run)(int *, int *) = [](int *P, int *Q) {
    forall(N, [=](int I) { Q[I] = P[I]; });
  };
  static void call(
      int *P, int *Q, void (*Body)(int *, int *) = [](int *P, int *Q) {
        forall(N, [=](int I) { Q[I] = P[I] + 1; });
      }) {
    Body(P, Q);
  }
};
} // namespace

SHAPE(member_initializers_and_default_arguments) {
  Arguments S;
  S.Run(S.A, S.Out);
  Arguments::call(S.A, S.Out + N);
  S.Out.expect([&](int I) { return S.A.at(I % N) + I / N; });
}

namespace {
const auto GlobalReader = [](const int *P) {
  return [=](int I) { return P[I] + 1; };
};
auto GlobalRun = [](auto Body) { forall(N, [=](int I) { Body(I); }); };
} // namespace

SHAPE(static_initializer) {
  Mapped<int> A(N), Out(2 * N, 2);
  int *Q = Out;
  auto Read = GlobalReader(A);
  GlobalRun([=](int I) { Q[I] = Read(I); });
  static const auto Local = [](int *P, int *Q) {
    forall(N, [=](int I) { Q[N + I] = P[I] + 2; });
    return 1;
  };
  Local(A, Out);
  Out.expect([&](int I) { return A.at(I % N) + 1 + I / N; });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
