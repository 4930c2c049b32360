// The 26 capture shapes that README's table lists: 10 that stock Clang maps and
// 16 in which its kernels read or write host memory. Each array is mapped by
// "target enter data" and nothing names the closure in a map clause, except
// where the shape says so.
//
// RUN: for g in "" -g; do for o in -O0 -O1 -O2 -O3; do echo "at $o $g"; \
// RUN:   %ferry_clangxx %offload $o $g %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"

#include <array>
#include <tuple>

namespace {
constexpr int N = 16;

template <class F>
void byValue(int Count, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F>
void byReference(int Count, const F &Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F>
void byForwarding(int Count, F &&Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F>
void byMapTo(int Count, F Body) {
#pragma omp target teams distribute parallel for map(to : Body)
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F>
void byFirstprivate(int Count, F Body) {
#pragma omp target teams distribute parallel for firstprivate(Body)
  for (int I = 0; I < Count; ++I)
    Body(I);
}

struct View {
  int *Data;
  int Stride;
  int &operator()(int I) const { return Data[I * Stride]; }
};
struct Holder {
  int *Data;
};
} // namespace

// STOCK: ok by_value
SHAPE(by_value) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  byValue(N, [=](int I) { Q[I] = 2 * P[I]; });
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: ok by_const_reference
SHAPE(by_const_reference) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  auto Body = [=](int I) { Q[I] = 2 * P[I]; };
  byReference(N, Body);
  check::absent("the closure", Body);
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: ok by_forwarding_reference
SHAPE(by_forwarding_reference) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  byForwarding(N, [=](int I) { Q[I] = 2 * P[I]; });
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: ok map_to
SHAPE(map_to) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  byMapTo(N, [=](int I) { Q[I] = 2 * P[I]; });
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: ok firstprivate
SHAPE(firstprivate) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  byFirstprivate(N, [=](int I) { Q[I] = 2 * P[I]; });
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: ok middle_of_array
SHAPE(middle_of_array) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A + N / 2, *Q = Out + N / 4;
  byValue(N / 2, [=](int I) { Q[I] = P[I] + P[-I]; });
  Out.expect([&](int I) {
    int J = I - N / 4;
    return J < 0 || J >= N / 2 ? Out.at(I) : A.at(N / 2 + J) + A.at(N / 2 - J);
  });
}

// STOCK-NEXT: ok init_capture
SHAPE(init_capture) {
  Mapped<int> A(N), Out(N, 2);
  byValue(N, [P = A + 0, Q = Out + 0](int I) { Q[I] = 2 * P[I]; });
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: ok reference_to_element
SHAPE(reference_to_element) {
  Mapped<int> A(N), Out(N, 2);
  int &From = A[3], &To = Out[5];
  byValue(1, [&From, &To](int) { To = 2 * From; });
  Out.expect([&](int I) { return I == 5 ? 2 * A.at(3) : Out.at(I); });
}

// STOCK-NEXT: ok device_pointer
SHAPE(device_pointer) {
  Mapped<int> Out(N, 2);
  int Device = omp_get_default_device(), Host = omp_get_initial_device();
  int Numbers[N];
  for (int I = 0; I < N; ++I)
    Numbers[I] = 100 + I;
  auto *P = static_cast<int *>(
      check::offload() ? omp_target_alloc(sizeof(Numbers), Device)
                       : malloc(sizeof(Numbers)));
  omp_target_memcpy(P, Numbers, sizeof(Numbers), 0, 0,
                    check::offload() ? Device : Host, Host);
  int *Q = Out;
  byValue(N, [=](int I) { Q[I] = P[I] + 1; });
  Out.expect([](int I) { return 101 + I; });
  check::offload() ? omp_target_free(P, Device) : free(P);
}

// STOCK-NEXT: ok directly_in_region
SHAPE(directly_in_region) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  auto Body = [=](int I) { Q[I] = 2 * P[I]; };
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Body(I);
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: FAIL default_capture_by_reference
SHAPE(default_capture_by_reference) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out, Factor = 3;
  byValue(N, [&](int I) { Q[I] = Factor * P[I]; });
  check::pointer("P", P, A.Host);
  check::absent("Factor", Factor);
  Out.expect([&](int I) { return 3 * A.at(I); });
}

// STOCK-NEXT: FAIL capture_by_reference
SHAPE(capture_by_reference) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  byValue(N, [&P, Q](int I) { Q[I] = 2 * P[I]; });
  check::pointer("P", P, A.Host);
  check::absent("P", P);
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: FAIL nested_lambda
SHAPE(nested_lambda) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  auto Inner = [=](int I) { return 2 * P[I]; };
  byValue(N, [=](int I) { Q[I] = Inner(I); });
  Out.expect([&](int I) { return 2 * A.at(I); });
}

namespace {
template <class F>
struct Wrapper {
  F Body;
  void operator()(int I) const { Body(I); }
};
} // namespace

// STOCK-NEXT: FAIL lambda_in_functor
SHAPE(lambda_in_functor) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  auto Body = [=](int I) { Q[I] = 2 * P[I]; };
  Wrapper<decltype(Body)> Functor{Body};
  byValue(N, Functor);
  byReference(N, Functor);
  check::pointer("P", *reinterpret_cast<int **>(&Functor), Q);
  Out.expect([&](int I) { return 2 * A.at(I); });
}

namespace {
struct Saxpy {
  const int *X;
  int *Y;
  int Factor;
  void operator()(int I) const { Y[I] = Factor * X[I] + Y[I]; }
};
} // namespace

// STOCK-NEXT: FAIL functor
SHAPE(functor) {
  Mapped<int> A(N), Out(N, 2);
  Saxpy Body{A, Out, 3};
  byValue(N, Body);
  byReference(N, Body);
  check::pointer("X", Body.X, A.Host);
  check::absent("the functor", Body);
  Out.expect([&](int I) { return 6 * A.at(I) + Out.at(I); });
}

// STOCK-NEXT: FAIL view_by_value
SHAPE(view_by_value) {
  Mapped<int> A(N), Out(N, 2);
  View X{A, 2}, Y{Out, 1};
  byValue(N / 2, [=](int I) { Y(I) = X(I) + 1; });
  Out.expect([&](int I) { return I < N / 2 ? A.at(2 * I) + 1 : Out.at(I); });
}

// STOCK-NEXT: FAIL view_by_reference
SHAPE(view_by_reference) {
  Mapped<int> A(N), Out(N, 2);
  View X{A, 2}, Y{Out, 1};
  byValue(N / 2, [&](int I) { Y(I) = X(I) + 1; });
  check::pointer("X.Data", X.Data, A.Host);
  check::absent("X", X);
  Out.expect([&](int I) { return I < N / 2 ? A.at(2 * I) + 1 : Out.at(I); });
}

// STOCK-NEXT: FAIL array_of_pointers
SHAPE(array_of_pointers) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *P[2] = {A, B}, *Q = Out;
  byValue(N, [=](int I) { Q[I] = P[0][I] + P[1][I]; });
  Out.expect([&](int I) { return A.at(I) + B.at(I); });
}

// STOCK-NEXT: FAIL std_array_of_pointers
SHAPE(std_array_of_pointers) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  std::array<int *, 2> P{A, B};
  int *Q = Out;
  byValue(N, [=](int I) { Q[I] = P[0][I] + P[1][I]; });
  Out.expect([&](int I) { return A.at(I) + B.at(I); });
}

// STOCK-NEXT: FAIL std_tuple_of_pointers
SHAPE(std_tuple_of_pointers) {
  Mapped<int> A(N), Out(N, 2);
  std::tuple<const int *, int, int *> T(A, 4, Out);
  byValue(N, [=](int I) {
    std::get<2>(T)[I] = std::get<1>(T) * std::get<0>(T)[I];
  });
  Out.expect([&](int I) { return 4 * A.at(I); });
}

namespace {
struct Solver {
  int *In, *Out;
  int Factor;
  void runThis() {
    byValue(N, [this](int I) { Out[I] = Factor * In[I]; });
  }
  void runCopy() {
    byValue(N, [*this](int I) { Out[I] = Factor * In[I]; });
  }
  void runDirectly() {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      Out[I] = Factor * In[I];
  }
};
} // namespace

// STOCK-NEXT: FAIL capture_this
SHAPE(capture_this) {
  Mapped<int> A(N), Out(N, 2);
  Solver S{A, Out, 5};
  S.runThis();
  check::pointer("In", S.In, A.Host);
  check::absent("the object", S);
  Out.expect([&](int I) { return 5 * A.at(I); });
}

// STOCK-NEXT: FAIL capture_star_this
SHAPE(capture_star_this) {
  Mapped<int> A(N), Out(N, 2);
  Solver S{A, Out, 5};
  S.runCopy();
  check::pointer("In", S.In, A.Host);
  Out.expect([&](int I) { return 5 * A.at(I); });
}

// STOCK-NEXT: FAIL member_in_member_function
SHAPE(member_in_member_function) {
  Mapped<int> A(N), Out(N, 2);
  Solver S{A, Out, 5};
  S.runDirectly();
  check::pointer("In", S.In, A.Host);
  check::absent("the object", S);
  Out.expect([&](int I) { return 5 * A.at(I); });
}

// STOCK-NEXT: FAIL reference_to_pointer
SHAPE(reference_to_pointer) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  int *&ToP = P, *&ToQ = Q;
  byValue(N, [&ToP, &ToQ](int I) { ToQ[I] = 2 * ToP[I]; });
  check::pointer("P", P, A.Host);
  check::absent("P", P);
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: FAIL pointer_to_holder
SHAPE(pointer_to_holder) {
  Mapped<int> A(N), Out(N, 2);
  Holder In{A}, To{Out};
  Holder *PIn = &In, *PTo = &To;
#pragma omp target enter data map(to : PIn[0 : 1], PTo[0 : 1])
  byValue(N, [=](int I) { PTo->Data[I] = 2 * PIn->Data[I]; });
#pragma omp target exit data map(delete : PIn[0 : 1], PTo[0 : 1])
  check::pointer("Data", In.Data, A.Host);
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: FAIL outer_lambda_with_reference_captures
SHAPE(outer_lambda_with_reference_captures) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out, Factor = 3;
  auto Outer = [&](int I) {
    auto Inner = [&](int J) { return Factor * P[J]; };
    Q[I] = Inner(I) + 1;
  };
  byValue(N, Outer);
  check::absent("Factor", Factor);
  Out.expect([&](int I) { return 3 * A.at(I) + 1; });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
