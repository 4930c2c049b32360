// Kinds of captures and of lambdas: mixed, default and init captures, this and
// *this, generic, mutable, constexpr, empty and variadic lambdas, structured
// bindings, std::span.
//
// RUN: for g in "" -g; do for o in -O0 -O1 -O2 -O3; do echo "at $o $g"; \
// RUN:   %ferry_clangxx %offload -std=c++20 $o $g %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -std=c++20 -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

#include <span>

namespace {
constexpr int N = 12;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};
} // namespace

// STOCK: FAIL value_by_default_reference_by_name
SHAPE(value_by_default_reference_by_name) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out, Factor = 3, Offset = 1;
  forall(N, [=, &P, &Offset](int I) { Q[I] = Factor * P[I] + Offset; });
  check::absent("Offset", Offset);
  check::pointer("P", P, A.Host);
  Out.expect([&](int I) { return 3 * A.at(I) + 1; });
}

// STOCK-NEXT: FAIL reference_by_default_value_by_name
SHAPE(reference_by_default_value_by_name) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out, Factor = 3, Offset = 1;
  forall(N, [&, P, Offset](int I) { Q[I] = Factor * P[I] + Offset; });
  check::absent("Factor", Factor);
  check::pointer("Q", Q, Out.Host);
  Out.expect([&](int I) { return 3 * A.at(I) + 1; });
}

// STOCK-NEXT: ok init_capture_of_expression
SHAPE(init_capture_of_expression) {
  Mapped<int> A(N), Out(N, 2);
  forall(N - 2, [From = A + 2, To = &Out[1], Factor = 2 + 1](int I) {
    To[I] = Factor * From[I];
  });
  Out.expect([&](int I) {
    return I >= 1 && I < N - 1 ? 3 * A.at(I + 1) : Out.at(I);
  });
}

// STOCK-NEXT: FAIL init_capture_of_record
SHAPE(init_capture_of_record) {
  Mapped<int> A(N), Out(N, 2);
  forall(N, [X = View{A}, Y = View{Out}](int I) { Y[I] = X[I] + 1; });
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL init_capture_by_reference
SHAPE(init_capture_by_reference) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A;
  View Y{Out};
  forall(N, [&From = P, &To = Y](int I) { To[I] = From[I] + 1; });
  check::pointer("P", P, A.Host);
  check::absent("Y", Y);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

namespace {
struct Coefficients {
  int *Weights;
  int Bias = 2;
  int weight(int I) const { return Weights[I] + Bias; }
};
struct Layer : Coefficients {
  int *In, *Out;
  View Extra;
  Layer(int *Weights, int *In, int *Out, int *Extra)
      : Coefficients{Weights}, In(In), Out(Out), Extra{Extra} {}
  void withThis() {
    forall(N, [this](int I) { Out[I] = weight(I) * In[I] + Extra[I]; });
  }
  void withConstThis() const {
    forallByReference(
        N, [this](int I) { Out[I] = weight(I) * In[I] + Extra[I]; });
  }
  void withThisAndMore(int *More) {
    forall(N, [this, More, &More2 = More](int I) {
      Out[I] = weight(I) * More[I] + More2[I];
    });
  }
  void withEqualsThis(int Factor) {
    forall(N, [=, this](int I) { Out[I] = Factor * In[I]; });
  }
  void withEqualsCopy(int Factor) {
    forall(N, [=, *this](int I) { Out[I] = Factor * weight(I); });
  }
  void withReferenceThis(int Factor) {
    forall(N, [&, this](int I) { Out[I] = Factor * Extra[I]; });
  }
  void nestedThis() {
    forall(N, [this](int I) {
      auto Inner = [this](int J) { return weight(J) * In[J]; };
      Out[I] = Inner(I);
    });
  }
  void storedThis() {
    auto Read = [this](int I) { return In[I] + Extra[I]; };
    forall(N, [this, Read](int I) { Out[I] = Read(I); });
  }
  void countInThis() {
    inOrder(3, [this](int) { ++Bias; });
  }
  void tellAddress(long *Address) {
    inOrder(1, [=, this](int) { *Address = reinterpret_cast<long>(&Bias); });
  }
};
} // namespace

#define LAYER                                         \
  Mapped<int> W(N), In(N, 3), Extra(N, 4), Out(N, 2); \
  Layer L(W, In, Out, Extra)
#define LAYER_UNCHANGED                         \
  check::absent("the object", L);               \
  check::pointer("Weights", L.Weights, W.Host); \
  check::pointer("Out", L.Out, Out.Host)

// STOCK-NEXT: FAIL this_with_base_and_member_record
SHAPE(this_with_base_and_member_record) {
  LAYER;
  L.withThis();
  LAYER_UNCHANGED;
  Out.expect([&](int I) { return (W.at(I) + 2) * In.at(I) + Extra.at(I); });
}

// STOCK-NEXT: FAIL const_this
SHAPE(const_this) {
  LAYER;
  L.withConstThis();
  LAYER_UNCHANGED;
  Out.expect([&](int I) { return (W.at(I) + 2) * In.at(I) + Extra.at(I); });
}

// STOCK-NEXT: FAIL this_and_more
SHAPE(this_and_more) {
  LAYER;
  L.withThisAndMore(In);
  LAYER_UNCHANGED;
  Out.expect([&](int I) { return (W.at(I) + 3) * In.at(I); });
}

// STOCK-NEXT: FAIL equals_this
SHAPE(equals_this) {
  LAYER;
  L.withEqualsThis(4);
  LAYER_UNCHANGED;
  Out.expect([&](int I) { return 4 * In.at(I); });
}

// STOCK-NEXT: FAIL equals_copy_of_this
SHAPE(equals_copy_of_this) {
  LAYER;
  L.withEqualsCopy(4);
  LAYER_UNCHANGED;
  Out.expect([&](int I) { return 4 * (W.at(I) + 2); });
}

// STOCK-NEXT: FAIL reference_and_this
SHAPE(reference_and_this) {
  LAYER;
  L.withReferenceThis(4);
  LAYER_UNCHANGED;
  Out.expect([&](int I) { return 4 * Extra.at(I); });
}

// STOCK-NEXT: FAIL nested_this
SHAPE(nested_this) {
  LAYER;
  L.nestedThis();
  LAYER_UNCHANGED;
  Out.expect([&](int I) { return (W.at(I) + 2) * In.at(I); });
}

// STOCK-NEXT: FAIL stored_this
SHAPE(stored_this) {
  LAYER;
  L.storedThis();
  LAYER_UNCHANGED;
  Out.expect([&](int I) { return In.at(I) + Extra.at(I); });
}

// STOCK-NEXT: ok object_written_through_this
SHAPE(object_written_through_this) {
  LAYER;
  L.Bias = 10;
  L.countInThis();
  LAYER_UNCHANGED;
  check::equal("Bias", L.Bias, 13);
}

// STOCK-NEXT: FAIL object_is_on_device
SHAPE(object_is_on_device) {
  LAYER;
  Mapped<long> Address(1);
  L.tellAddress(Address);
  LAYER_UNCHANGED;
  long Host = reinterpret_cast<long>(&L.Bias), Got = Address.fetch(0);
  if ((Got == Host) == check::offload())
    check::fail("the kernel saw the object at %lx, the host at %lx", Got, Host);
}

// STOCK-NEXT: ok generic_lambda
SHAPE(generic_lambda) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  forall(N, [=](auto I) { Q[I] = 2 * P[I]; });
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: FAIL generic_lambda_in_generic_lambda
SHAPE(generic_lambda_in_generic_lambda) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  auto Read = [=]<class T>(T I) { return 2 * P[I]; };
  forall(N, [=](auto I) {
    auto Inner = [&](auto J) { Q[J] = Read(J) + 1; };
    Inner(I);
  });
  Out.expect([&](int I) { return 2 * A.at(I) + 1; });
}

// STOCK-NEXT: ok mutable_lambda
SHAPE(mutable_lambda) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  auto Body = [=, Sum = 0](int I) mutable { Q[I] = Sum += P[I]; };
  inOrder(N, Body);
  inOrder(1, Body); // begins again at 0
  int Sum = 0;
  Out.expect([&](int I) { return Sum += A.at(I); });
}

// STOCK-NEXT: ok mutable_lambda_moves_its_pointers
SHAPE(mutable_lambda_moves_its_pointers) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  auto Body = [=](int) mutable { *Q++ = 2 * *P++; };
  inOrder(N, Body);
  check::absent("the closure", Body);
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: FAIL constexpr_lambda
SHAPE(constexpr_lambda) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  constexpr auto Twice = [](int V) constexpr { return 2 * V; };
  auto Read = [P](int I) constexpr { return P[I]; };
  static_assert(Twice(2) == 4);
  forall(N, [=](int I) { Q[I] = Twice(Read(I)); });
  Out.expect([&](int I) { return 2 * A.at(I); });
}

namespace {
template <class F>
void apply(int Count, int *Out, const int *In, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Out[I] = Body(In[I]);
}
} // namespace

// STOCK-NEXT: ok empty_lambda
SHAPE(empty_lambda) {
  Mapped<int> A(N), Out(N, 2);
  apply(N, Out, A, [](int V) { return 3 * V; });
  Out.expect([&](int I) { return 3 * A.at(I); });
}

namespace {
template <class... T>
void sumAll(int *Q, T *...P) {
  forall(N, [=](int I) { Q[I] = (P[I] + ... + 0); });
}
template <class... T>
void addAllByReference(int *Q, T &...P) {
  forall(N, [Q, &P...](int I) { Q[I] = (P[I] + ... + 1); });
}
template <class... T>
void addAllViews(int *Q, T... P) {
  forall(N, [Q, ... Views = View{P}](int I) { Q[I] = (Views[I] + ... + 2); });
}
} // namespace

// STOCK-NEXT: ok pack_by_value
SHAPE(pack_by_value) {
  Mapped<int> A(N), B(N, 3), C(N, 4), Out(N, 2);
  sumAll(Out, (int *)A, (int *)B, (const int *)C);
  Out.expect([&](int I) { return A.at(I) + B.at(I) + C.at(I); });
}

// STOCK-NEXT: FAIL pack_by_reference
SHAPE(pack_by_reference) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *P = A;
  View V{B};
  addAllByReference(Out, P, V);
  check::pointer("P", P, A.Host);
  Out.expect([&](int I) { return A.at(I) + B.at(I) + 1; });
}

// STOCK-NEXT: FAIL pack_of_init_captures
SHAPE(pack_of_init_captures) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  addAllViews(Out, A.Host, B.Host);
  Out.expect([&](int I) { return A.at(I) + B.at(I) + 2; });
}

namespace {
struct InOut {
  int *In, *Out;
  int Factor;
};
} // namespace

// STOCK-NEXT: ok structured_binding_by_value
SHAPE(structured_binding_by_value) {
  Mapped<int> A(N), Out(N, 2);
  auto [P, Q, Factor] = InOut{A, Out, 5};
  forall(N, [=](int I) { Q[I] = Factor * P[I]; });
  Out.expect([&](int I) { return 5 * A.at(I); });
}

// STOCK-NEXT: FAIL structured_binding_by_reference
SHAPE(structured_binding_by_reference) {
  Mapped<int> A(N), Out(N, 2);
  InOut Both{A, Out, 5};
  auto &[P, Q, Factor] = Both;
  forall(N, [&](int I) { Q[I] = Factor * P[I]; });
  check::pointer("Both.In", Both.In, A.Host);
  check::absent("Both", Both);
  Out.expect([&](int I) { return 5 * A.at(I); });
}

// STOCK-NEXT: FAIL span
SHAPE(span) {
  Mapped<int> A(N), Out(N, 2);
  std::span<const int> From(A.Host, N);
  std::span<int> To(Out.Host, N);
  forall(1, [=](int) {
    int I = 0;
    for (int V : From)
      To[I++] = V + 1;
  });
  forall(N, [X = From.subspan(2), To](int I) {
    if (I < int(X.size()))
      To[I] += X[I];
  });
  Out.expect([&](int I) {
    return A.at(I) + 1 + (I < N - 2 ? A.at(I + 2) : 0);
  });
}

// STOCK-NEXT: ok region_in_lambda
SHAPE(region_in_lambda) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out, Factor = 3;
  auto Run = [=](int Count) {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < Count; ++I)
      Q[I] = Factor * P[I];
  };
  Run(N);
  Out.expect([&](int I) { return 3 * A.at(I); });
}

// STOCK-NEXT: FAIL region_in_lambda_with_reference_captures
SHAPE(region_in_lambda_with_reference_captures) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out, Factor = 3;
  View X{A};
  auto Inner = [&](int I) { return P[I] + X[I]; };
  auto Run = [&](int Count) {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < Count; ++I)
      Q[I] = Factor * Inner(I);
  };
  Run(N);
  Out.expect([&](int I) { return 6 * A.at(I); });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
