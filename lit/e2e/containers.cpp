// Closures, functors and pointers inside library types and records: std::array,
// pair, tuple, optional, reference_wrapper, vector and unique_ptr; base
// classes; arrays; multi-dimensional views.
//
// RUN: for g in "" -g; do for o in -O0 -O1 -O2 -O3; do echo "at $o $g"; \
// RUN:   %ferry_clangxx %offload $o $g %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace {
constexpr int N = 12;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};
auto reader(const int *P) {
  return [=](int I) { return P[I]; };
}
using Reader = decltype(reader(nullptr));
} // namespace

// STOCK: FAIL array_of_closures
SHAPE(array_of_closures) {
  Mapped<int> A(N), B(N, 3), C(N, 4), Out(N, 2);
  std::array<Reader, 3> Readers{reader(A), reader(B), reader(C)};
  int *Q = Out;
  forall(N, [=](int I) {
    Q[I] = Readers[0](I);
    for (int J = 1; J < 3; ++J)
      Q[I] += Readers[J](I);
  });
  Out.expect([&](int I) { return A.at(I) + B.at(I) + C.at(I); });
}

// STOCK-NEXT: FAIL pair_of_view_and_pointer
SHAPE(pair_of_view_and_pointer) {
  Mapped<int> A(N), Out(N, 2);
  std::pair<View, int *> Both{View{A}, Out};
  forall(N, [=](int I) { Both.second[I] = Both.first[I] + 1; });
  forall(N, [&](int I) { Both.second[I] += Both.first[I]; });
  check::pointer("the pointer", Both.second, Out.Host);
  Out.expect([&](int I) { return 2 * A.at(I) + 1; });
}

// STOCK-NEXT: FAIL tuple_of_closures
SHAPE(tuple_of_closures) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  std::tuple<Reader, int, View, std::tuple<Reader>> T(reader(A), 5, View{Out},
                                                      reader(B));
  forall(N, [=](int I) {
    std::get<2>(T)[I] = std::get<0>(T)(I) * std::get<1>(T) +
                        std::get<0>(std::get<3>(T))(I);
  });
  Out.expect([&](int I) { return 5 * A.at(I) + B.at(I); });
}

// STOCK-NEXT: FAIL optional_closure
SHAPE(optional_closure) {
  Mapped<int> A(N), Out(N, 2);
  std::optional<Reader> Present = reader(A), Absent;
  std::optional<View> To = View{Out};
  forall(N, [=](int I) {
    (*To)[I] = (Present ? (*Present)(I) : -1) + (Absent ? (*Absent)(I) : -2);
  });
  Out.expect([&](int I) { return A.at(I) - 2; });
}

namespace {
template <class F, class G>
struct Both : F, G {
  int Middle = 1;
  Both(F A, G B) : F(A), G(B) {}
};
struct FirstBase {
  char Letter;
  View X;
};
struct SecondBase {
  View Y;
  short Number;
};
struct TwoBases : FirstBase, SecondBase {
  int *Out;
  TwoBases(int *A, int *B, int *Out)
      : FirstBase{'a', {A}}, SecondBase{{B}, 3}, Out(Out) {}
  void operator()(int I) const { Out[I] = X[I] * Number + Y[I]; }
};
struct Derived : TwoBases {
  View Extra;
  Derived(TwoBases Base, int *P) : TwoBases(Base), Extra{P} {}
  void operator()(int I) const {
    TwoBases::operator()(I);
    Out[I] += Extra[I];
  }
};
} // namespace

// STOCK-NEXT: FAIL multiple_bases
SHAPE(multiple_bases) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  TwoBases F(A, B, Out);
  forall(N, F);
  check::absent("the functor", F);
  Out.expect([&](int I) { return 3 * A.at(I) + B.at(I); });
}

// STOCK-NEXT: FAIL base_of_base
SHAPE(base_of_base) {
  Mapped<int> A(N), B(N, 3), C(N, 4), Out(N, 2);
  Derived F(TwoBases(A, B, Out), C);
  forallByReference(N, F);
  Out.expect([&](int I) { return 3 * A.at(I) + B.at(I) + C.at(I); });
}

// STOCK-NEXT: FAIL closures_as_bases
SHAPE(closures_as_bases) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  auto Write = [=](int I, int V) { Q[I] = V; };
  auto Read = [=](long I) { return P[I] + 1; };
  struct Copy : Both<decltype(Read), decltype(Write)> {
    using Both::Both;
    void operator()(int I) const {
      const decltype(Read) &R = *this;
      const decltype(Write) &W = *this;
      W(I, R(I));
    }
  };
  forall(N, Copy(Read, Write));
  Out.expect([&](int I) { return A.at(I) + 1; });
}

namespace {
struct Deep {
  int Tag;
  struct {
    View Rows[2];
    Reader Readers[1];
  } Parts[2];
};
} // namespace

// STOCK-NEXT: FAIL arrays_of_records_with_arrays
SHAPE(arrays_of_records_with_arrays) {
  Mapped<int> A(N), B(N, 3), C(N, 4), Out(N, 2);
  Deep D{5,
         {{{View{A}, View{B}}, {reader(C)}},
          {{View{Out}, View{Out}}, {reader(A)}}}};
  forall(N, [=](int I) {
    D.Parts[1].Rows[I & 1][I] = D.Parts[0].Rows[0][I] + D.Parts[0].Rows[1][I] +
                                D.Parts[0].Readers[0](I) * D.Tag;
  });
  Out.expect([&](int I) { return A.at(I) + B.at(I) + 5 * C.at(I); });
}

// STOCK-NEXT: FAIL reference_wrapper
SHAPE(reference_wrapper) {
  Mapped<int> A(N), Out(N, 2);
  View X{A}, Y{Out};
  auto From = std::ref(X), To = std::ref(Y);
  forall(N, [=](int I) { To.get()[I] = From.get()[I] + 1; });
  check::pointer("X.Data", X.Data, A.Host);
  check::absent("X", X);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL reference_wrapper_of_closure
SHAPE(reference_wrapper_of_closure) {
  Mapped<int> A(N), Out(N, 2);
  auto Read = reader(A);
  auto From = std::cref(Read);
  int *Q = Out;
  forall(N, [=](int I) { Q[I] = From(I) + 1; });
  check::absent("the closure", Read);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL span_of_pointers
SHAPE(span_of_pointers) {
  Mapped<int> A(N), Out(2, 2);
  struct {
    const int *Begin, *End;
  } Range{A + 2, A + N - 2};
  int *Q = Out;
  forall(1, [=](int) {
    int Sum = 0;
    for (const int *P = Range.Begin; P < Range.End; ++P)
      Sum += *P;
    Q[0] = Sum;
    Q[1] = Range.Begin == Range.End;
  });
  int Sum = 0;
  for (int I = 2; I < N - 2; ++I)
    Sum += A.at(I);
  Out.expect([&](int I) { return I ? 0 : Sum; });
}

namespace {
template <class T, int Rank>
struct Tensor {
  T *Data;
  int Extent[Rank];
  template <class... Int>
  T &operator()(Int... I) const {
    int Index = 0, Dimension = 0;
    ((Index = Index * Extent[Dimension++] + int(I)), ...);
    return Data[Index];
  }
  Tensor<T, Rank - 1> row(int I) const {
    Tensor<T, Rank - 1> Row{Data, {}};
    int Size = 1;
    for (int D = 1; D < Rank; ++D)
      Size *= Row.Extent[D - 1] = Extent[D];
    Row.Data += I * Size;
    return Row;
  }
};
} // namespace

// STOCK-NEXT: FAIL multi_dimensional_views
SHAPE(multi_dimensional_views) {
  Mapped<double> A(2 * 3 * 4), B(3 * 4, 3), Out(2 * 4, 2);
  Tensor<const double, 3> X{A, {2, 3, 4}};
  Tensor<double, 2> Y{B, {3, 4}}, Z{Out, {2, 4}};
  forall(8, [=](int I) {
    double Sum = 0;
    for (int K = 0; K < 3; ++K)
      Sum += X(I / 4, K, I % 4) * Y(K, I % 4);
    Z(I / 4, I % 4) = Sum;
  });
  forall(2, [=](int I) {
    auto Row = Z.row(I);
    auto From = X.row(I).row(1);
    for (int J = 0; J < 4; ++J)
      Row(J) += From(J);
  });
  Out.expect([&](int I) {
    double Sum = A.at((I / 4 * 3 + 1) * 4 + I % 4);
    for (int K = 0; K < 3; ++K)
      Sum += A.at((I / 4 * 3 + K) * 4 + I % 4) * B.at(K * 4 + I % 4);
    return Sum;
  });
}

// STOCK-NEXT: FAIL array_of_views
SHAPE(array_of_views) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  View Views[3] = {View{A}, View{B}, View{Out}};
  forall(N, [=](int I) { Views[2][I] = Views[I % 2][I]; });
  forall(N, [&](int I) { Views[2][I] += Views[I % 2][I]; });
  check::pointer("Views[2].Data", Views[2].Data, Out.Host);
  Out.expect([&](int I) { return 2 * (I % 2 ? B : A).at(I); });
}

// STOCK-NEXT: FAIL vector_by_reference
SHAPE(vector_by_reference) {
  std::vector<int> From(N), To(N);
  Mapped<int> A(N, 1, omp_get_default_device(), From.data());
  Mapped<int> Out(N, 2, omp_get_default_device(), To.data());
  forall(N, [&](int I) { To[I] = 2 * From[I] + int(From.size()); });
  check::pointer("the vector's data", From.data(), A.Host);
  check::absent("the vector", From);
  Out.expect([&](int I) { return 2 * A.at(I) + N; });
}

// STOCK-NEXT: FAIL vector_iterated_by_reference
SHAPE(vector_iterated_by_reference) {
  std::vector<int> From(N);
  Mapped<int> A(N, 1, omp_get_default_device(), From.data());
  Mapped<int> Out(1, 2);
  int *Q = Out;
  forall(1, [&, Q](int) {
    int Sum = 0;
    for (int V : From)
      Sum += V;
    *Q = Sum;
  });
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += A.at(I);
  Out.expect([&](int) { return Sum; });
}

// STOCK-NEXT: FAIL unique_pointer_by_reference
SHAPE(unique_pointer_by_reference) {
  auto Owner = std::make_unique<int[]>(N);
  Mapped<int> A(N, 1, omp_get_default_device(), Owner.get());
  Mapped<int> Out(N, 2);
  int *Q = Out;
  forall(N, [&Owner, Q](int I) { Q[I] = Owner[I] + 1; });
  check::pointer("the owner's pointer", Owner.get(), A.Host);
  check::absent("the owner", Owner);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
