// How a closure reaches the target region: by value, by each kind of reference,
// by pointer, as a member, through layers of templates, through functions that
// are not inlined, in constructors, destructors and lambdas.
//
// RUN: for g in "" -g; do for o in -O0 -O1 -O2 -O3; do echo "at $o $g"; \
// RUN:   %ferry_clangxx %offload $o $g %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

#include <utility>

namespace {
constexpr int N = 12;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};

// What each shape does: Out = A + B + 1.
struct Arrays {
  Mapped<int> A{N}, B{N, 3}, Out{N, 2};
  auto body() {
    View X{A}, Y{Out};
    int *P = B;
    auto Read = [=](int I) { return X[I] + P[I]; };
    return [=](int I) { Y[I] = Read(I) + 1; };
  }
  void expect() {
    Out.expect([&](int I) { return A.at(I) + B.at(I) + 1; });
  }
};
template <class F>
void byLvalueReference(F &Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Body(I);
}
template <class F>
void byRvalueReference(F &&Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Body(I);
}
template <class F>
void byPointer(const F *Body) {
#pragma omp target teams distribute parallel for map(to : Body[0 : 1])
  for (int I = 0; I < N; ++I)
    (*Body)(I);
}
} // namespace

// STOCK: FAIL value
SHAPE(value) {
  Arrays S;
  auto Body = S.body();
  forall(N, Body);
  forall(N, S.body());
  S.expect();
}

// STOCK-NEXT: FAIL const_reference
SHAPE(const_reference) {
  Arrays S;
  auto Body = S.body();
  forallByReference(N, Body);
  forallByReference(N, S.body());
  check::absent("the closure", Body);
  S.expect();
}

// STOCK-NEXT: FAIL lvalue_reference
SHAPE(lvalue_reference) {
  Arrays S;
  auto Body = S.body();
  byLvalueReference(Body);
  check::absent("the closure", Body);
  S.expect();
}

// STOCK-NEXT: FAIL rvalue_reference
SHAPE(rvalue_reference) {
  Arrays S;
  auto Body = S.body();
  byRvalueReference(Body);
  byRvalueReference(std::move(Body));
  byRvalueReference(S.body());
  check::absent("the closure", Body);
  S.expect();
}

// STOCK-NEXT: FAIL pointer_in_map_clause
SHAPE(pointer_in_map_clause) {
  Arrays S;
  auto Body = S.body();
  byPointer(&Body);
  check::absent("the closure", Body);
  S.expect();
}

namespace {
template <class F>
struct Launcher {
  F Body;
  int Count;
  void run() const {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < Count; ++I)
      Body(I);
  }
  void runCopy() const {
    F Copy = Body;
#pragma omp target teams distribute parallel for firstprivate(Copy)
    for (int I = 0; I < Count; ++I)
      Copy(I);
  }
  void runThroughLambda() {
    forall(Count, [this](int I) { Body(I); });
  }
};
template <class F>
Launcher<F> launcher(F Body) { return {Body, N}; }
template <class F>
struct Refers {
  const F &Body;
  void run() const {
    const F &Local = Body;
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      Local(I);
  }
};
} // namespace

// STOCK-NEXT: FAIL member_of_class
SHAPE(member_of_class) {
  Arrays S;
  auto L = launcher(S.body());
  L.run();
  check::absent("the launcher", L);
  S.expect();
}

// STOCK-NEXT: FAIL copy_of_member
SHAPE(copy_of_member) {
  Arrays S;
  launcher(S.body()).runCopy();
  S.expect();
}

// STOCK-NEXT: FAIL member_through_lambda
SHAPE(member_through_lambda) {
  Arrays S;
  launcher(S.body()).runThroughLambda();
  S.expect();
}

// STOCK-NEXT: FAIL reference_member
SHAPE(reference_member) {
  Arrays S;
  auto Body = S.body();
  Refers<decltype(Body)>{Body}.run();
  S.expect();
}

namespace {
template <int Depth, class F>
void layers(F &&Body) {
  if constexpr (Depth == 0)
    forall(N, std::forward<F>(Body));
  else
    layers<Depth - 1>(std::forward<F>(Body));
}
template <int Depth, class F>
void wrappingLayers(F Body) {
  if constexpr (Depth == 0)
    forall(N, Body);
  else
    wrappingLayers<Depth - 1>([=](int I) { Body(I); });
}
template <class Policy, class... Args>
struct Executor {
  template <class F>
  static void run(F &&Body, Args &&...Rest) {
    Policy::launch(
        [=](int I, auto... More) { Body((I + ... + (More * 0))); },
        std::forward<Args>(Rest)...);
  }
};
struct Device {
  template <class F, class... Args>
  static void launch(F Body, Args... Rest) {
    forall(N, [=](int I) { Body(I, Rest...); });
  }
};
} // namespace

// STOCK-NEXT: FAIL five_layers
SHAPE(five_layers) {
  Arrays S;
  layers<5>(S.body());
  S.expect();
}

// STOCK-NEXT: FAIL five_wrapping_layers
SHAPE(five_wrapping_layers) {
  Arrays S;
  wrappingLayers<5>(S.body());
  S.expect();
}

// STOCK-NEXT: FAIL executor_with_arguments
SHAPE(executor_with_arguments) {
  Arrays S;
  Executor<Device, int, long>::run(S.body(), 1, 2l);
  S.expect();
}

namespace {
template <class F>
[[gnu::noinline]] void notInlined(const F &Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Body(I);
}
template <class F>
[[gnu::noinline]] void notInlinedOuter(F Body) {
  notInlined([&](int I) { Body(I); });
}
template <class F>
[[gnu::noinline]] void call(const F &Body, int I) {
  Body(I);
}
[[gnu::noinline]] int read(const View &V, int I) { return V[I]; }
[[gnu::noinline]] View &first(View *V) { return V[0]; }
} // namespace

// STOCK-NEXT: FAIL functions_not_inlined
SHAPE(functions_not_inlined) {
  Arrays S;
  notInlined(S.body());
  notInlinedOuter(S.body());
  S.expect();
}

// STOCK-NEXT: FAIL device_functions_not_inlined
SHAPE(device_functions_not_inlined) {
  Arrays S;
  auto Body = S.body();
  forall(N, [=](int I) { call(Body, I); });
  View X{S.A};
  View Y[1] = {View{S.Out}};
  forall(N, [=](int I) mutable { first(Y)[I] += read(X, I) - read(X, I); });
  S.expect();
}

namespace {
[[gnu::noinline]] void recurse(int Depth, View X, View Y) {
  auto Body = [=](int I) { Y[I] = X[I] + Depth; };
  if (Depth > 1)
    recurse(Depth - 1, X, Y);
  else
    forall(N, Body);
  forall(Depth, Body); // overwrites the first elements
}
struct InConstructor {
  View X, Y;
  InConstructor(View X, View Y) : X(X), Y(Y) {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      this->Y[I] = this->X[I] + 1;
  }
  ~InConstructor() {
    forall(N, [this](int I) { Y[I] += X[I]; });
  }
};
struct Interface {
  virtual void run(const View &X, const View &Y) const = 0;
};
struct Implementation final : Interface {
  void run(const View &X, const View &Y) const override {
    forall(N, [=](int I) { Y[I] = X[I] + 1; });
  }
};
} // namespace

// STOCK-NEXT: FAIL recursive_function
SHAPE(recursive_function) {
  Arrays S;
  recurse(4, View{S.A}, View{S.Out});
  S.Out.expect([&](int I) { return S.A.at(I) + (I < 4 ? 4 : 1); });
}

// STOCK-NEXT: FAIL constructor_and_destructor
SHAPE(constructor_and_destructor) {
  Arrays S;
  {
    InConstructor Object(View{S.A}, View{S.Out});
  }
  S.Out.expect([&](int I) { return 2 * S.A.at(I) + 1; });
}

// STOCK-NEXT: FAIL virtual_function
SHAPE(virtual_function) {
  Arrays S;
  const Interface &Object = Implementation();
  Object.run(View{S.A}, View{S.Out});
  S.Out.expect([&](int I) { return S.A.at(I) + 1; });
}

// STOCK-NEXT: FAIL region_in_lambda_in_function
SHAPE(region_in_lambda_in_function) {
  Arrays S;
  auto Body = S.body();
  auto Run = [](auto &&Callback) { Callback(N); };
  Run([&](int Count) {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < Count; ++I)
      Body(I);
  });
  S.expect();
}

// STOCK-NEXT: FAIL directly
SHAPE(directly) {
  Arrays S;
  const auto Body = S.body();
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Body(I);
  S.expect();
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
