// Closures inside closures, by value and by reference, one to four deep, and
// records between them.
//
// RUN: for g in "" -g; do for o in -O0 -O1 -O2 -O3; do echo "at $o $g"; \
// RUN:   %ferry_clangxx %offload $o $g %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

namespace {
constexpr int N = 12;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};
template <class F>
struct Box {
  int Before;
  F Body;
  int After;
  template <class... T>
  int operator()(T... V) const {
    return Body(V...) + Before + After;
  }
};
template <class F>
Box<F> box(F Body) { return {1, Body, -1}; }
} // namespace

// STOCK: ok depth_1_by_value
SHAPE(depth_1_by_value) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  forall(N, [=](int I) { Q[I] = P[I] + 1; });
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL depth_2_by_value
SHAPE(depth_2_by_value) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *P = A, *Q = Out, *R = B;
  auto One = [=](int I) { return P[I] + 1; };
  forall(N, [=](int I) { Q[I] = One(I) * R[I]; });
  Out.expect([&](int I) { return (A.at(I) + 1) * B.at(I); });
}

// STOCK-NEXT: FAIL depth_3_by_value
SHAPE(depth_3_by_value) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *P = A, *Q = Out, *R = B;
  auto One = [=](int I) { return P[I] + 1; };
  auto Two = [=](int I) { return One(I) * R[I]; };
  forall(N, [=](int I) { Q[I] = Two(I) + One(I); });
  Out.expect([&](int I) { return (A.at(I) + 1) * (B.at(I) + 1); });
}

// STOCK-NEXT: FAIL depth_4_by_value
SHAPE(depth_4_by_value) {
  Mapped<int> A(N), B(N, 3), C(N, 4), Out(N, 2);
  int *P = A, *Q = Out, *R = B, *S = C;
  auto One = [=](int I) { return P[I] + 1; };
  auto Two = [=](int I) { return One(I) * R[I]; };
  auto Three = [=](int I) { return Two(I) - S[I]; };
  forall(N, [=](int I) { Q[I] = Three(I) + P[I]; });
  Out.expect([&](int I) {
    return (A.at(I) + 1) * B.at(I) - C.at(I) + A.at(I);
  });
}

// STOCK-NEXT: FAIL depth_1_by_reference
SHAPE(depth_1_by_reference) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  forall(N, [&](int I) { Q[I] = P[I] + 1; });
  check::absent("P", P);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL depth_2_by_reference
SHAPE(depth_2_by_reference) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *P = A, *Q = Out, *R = B;
  auto One = [&](int I) { return P[I] + 1; };
  forall(N, [&](int I) { Q[I] = One(I) * R[I]; });
  check::absent("P", P);
  check::absent("the inner closure", One);
  Out.expect([&](int I) { return (A.at(I) + 1) * B.at(I); });
}

// STOCK-NEXT: FAIL depth_3_by_reference
SHAPE(depth_3_by_reference) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *P = A, *Q = Out, *R = B, Add = 7;
  auto One = [&](int I) { return P[I] + Add; };
  auto Two = [&](int I) { return One(I) * R[I]; };
  forall(N, [&](int I) { Q[I] = Two(I) + One(I); });
  check::absent("Add", Add);
  check::pointer("P", P, A.Host);
  Out.expect([&](int I) { return (A.at(I) + 7) * (B.at(I) + 1); });
}

// STOCK-NEXT: FAIL depth_4_by_reference
SHAPE(depth_4_by_reference) {
  Mapped<int> A(N), B(N, 3), C(N, 4), Out(N, 2);
  int *P = A, *Q = Out, *R = B, *S = C;
  auto One = [&](int I) { return P[I] + 1; };
  auto Two = [&](int I) { return One(I) * R[I]; };
  auto Three = [&](int I) { return Two(I) - S[I]; };
  forall(N, [&](int I) { Q[I] = Three(I) + P[I]; });
  check::absent("the innermost closure", One);
  check::pointer("S", S, C.Host);
  Out.expect([&](int I) {
    return (A.at(I) + 1) * B.at(I) - C.at(I) + A.at(I);
  });
}

// STOCK-NEXT: FAIL value_in_reference_in_value_in_reference
SHAPE(value_in_reference_in_value_in_reference) {
  Mapped<int> A(N), B(N, 3), C(N, 4), Out(N, 2);
  int *P = A, *Q = Out, *R = B, *S = C;
  auto One = [P](int I) { return P[I] + 1; };
  auto Two = [&](int I) { return One(I) * R[I]; };
  auto Three = [=](int I) { return Two(I) - S[I]; };
  forallByReference(N, [&](int I) { Q[I] = Three(I); });
  Out.expect([&](int I) { return (A.at(I) + 1) * B.at(I) - C.at(I); });
}

// STOCK-NEXT: FAIL reference_in_value_in_reference_in_value
SHAPE(reference_in_value_in_reference_in_value) {
  Mapped<int> A(N), B(N, 3), C(N, 4), Out(N, 2);
  int *P = A, *Q = Out, *R = B, *S = C;
  auto One = [&P](int I) { return P[I] + 1; };
  auto Two = [=](int I) { return One(I) * R[I]; };
  auto Three = [&](int I) { return Two(I) - S[I]; };
  forallByReference(N, [=](int I) { Q[I] = Three(I); });
  Out.expect([&](int I) { return (A.at(I) + 1) * B.at(I) - C.at(I); });
}

// STOCK-NEXT: FAIL written_through_three_references
SHAPE(written_through_three_references) {
  Mapped<int> A(N);
  int *P = A, Sum = 5, Product = 1;
  auto One = [&](int I) { Sum += P[I]; };
  auto Two = [&](int I) { One(I); };
  inOrder(N, [&](int I) {
    Two(I);
    Product = Product * P[I] % 1009;
  });
  int WantSum = 5, WantProduct = 1;
  for (int I = 0; I < N; ++I) {
    WantSum += A.at(I);
    WantProduct = WantProduct * A.at(I) % 1009;
  }
  check::absent("Sum", Sum);
  check::equal("Sum", Sum, WantSum);
  check::equal("Product", Product, WantProduct);
}

// STOCK-NEXT: FAIL boxes_between_closures
SHAPE(boxes_between_closures) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *P = A, *R = B, *Q = Out;
  auto One = box([=](int I) { return P[I] + 1; });
  auto Two = box([=](int I) { return One(I) * R[I]; });
  auto Three = box(Two);
  forall(N, box([=](int I) { return Q[I] = Three(I); }));
  forallByReference(N, box([&](int I) { return Q[I] += Three(I); }));
  Out.expect([&](int I) { return 2 * (A.at(I) + 1) * B.at(I); });
}

// STOCK-NEXT: FAIL views_at_every_depth
SHAPE(views_at_every_depth) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  View X{A}, Y{B}, Z{Out};
  auto One = [X](int I) { return X[I]; };
  auto Two = [=, &Y](int I) { return One(I) + Y[I] * X[I]; };
  forall(N, [=](int I) { Z[I] = Two(I) + 1; });
  check::absent("Y", Y);
  check::pointer("Y.Data", Y.Data, B.Host);
  Out.expect([&](int I) { return A.at(I) + B.at(I) * A.at(I) + 1; });
}

// STOCK-NEXT: FAIL one_closure_twice
SHAPE(one_closure_twice) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  auto Make = [](int *P) { return [=](int I) { return P[I]; }; };
  auto First = Make(A), Second = Make(B);
  int *Q = Out;
  forall(N, [=](int I) { Q[I] = First(I) - Second(I); });
  Out.expect([&](int I) { return A.at(I) - B.at(I); });
}

// STOCK-NEXT: FAIL closure_chosen_by_index
SHAPE(closure_chosen_by_index) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  auto Make = [](int *P) { return [=](int I) { return P[I]; }; };
  decltype(Make(A)) Both[2] = {Make(A), Make(B)};
  int *Q = Out;
  forall(N, [=](int I) { Q[I] = Both[I % 2](I); });
  Out.expect([&](int I) { return I % 2 ? B.at(I) : A.at(I); });
}

// STOCK-NEXT: FAIL closure_copied_in_the_region
SHAPE(closure_copied_in_the_region) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  auto One = [=](int I) { return P[I] + 1; };
  forall(N, [=](int I) {
    auto Copy = One;
    View To{Q};
    View Copies[2] = {To, View{P}};
    Copies[0][I] = Copy(I) + Copies[1][I];
  });
  Out.expect([&](int I) { return 2 * A.at(I) + 1; });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
