// Kernels whose code for the device is other code than their host version. What
// is carried over is what the device's code uses.
//
// RUN: for w in "" "-mllvm -ferry-map-whole-layout"; do for o in -O0 "-O1 -g" -O2 -O3; do echo "at $o $w"; \
// RUN:   %ferry_clangxx %offload -Xarch_device -DON_DEVICE $o $w %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done; done
// RUN: %if device-runtime %{ for o in -O0 -O2; do echo "simulated at $o"; \
// RUN:   %sim_cxx -Xarch_device -DON_DEVICE $o %s -o %t.sim || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t.sim || exit 1; done %}
// RUN: %if device-runtime %{ %sim_cxx -Xarch_device -DON_DEVICE -O2 -foffload-lto %s -o %t.lto && \
// RUN:   %ferry_sim --strict --quiet -- %t.lto %}

#include "Inputs/check.h"
#include "Inputs/forall.h"

namespace {
constexpr int N = 8;
struct View {
  int *Data;
  long Length;
};
} // namespace

// A pointer that the host version does not touch, at each depth.
SHAPE(asks_where_it_runs) {
  Mapped<int> A(N), B(N, 5), Out(N, 2);
  int *P = A, *Q = Out;
  View V{B, N};
  forall(N, [=](int I) {
    if (!omp_is_initial_device())
      Q[I] = 2 * P[I] + V.Data[I];
  });
  Out.expect([&](int I) { return 2 * A.at(I) + B.at(I); });
}

SHAPE(asks_through_references) {
  Mapped<int> A(N), B(N, 5), Out(N, 2);
  int *P = A, *Q = Out;
  View V{B, N};
  auto Inner = [&](int I) {
    return omp_is_initial_device() ? 0 : P[I] + V.Data[I];
  };
  forall(N, [&, Q](int I) { Q[I] = Inner(I); });
  Out.expect([&](int I) { return A.at(I) + B.at(I); });
}

#ifdef ON_DEVICE
#define DEVICE_ONLY(X) X
#else
#define DEVICE_ONLY(X) 0
#endif

SHAPE(by_a_macro) {
  Mapped<int> A(N), B(N, 5), Out(N, 2);
  View V{A, N}, W{B, N};
  int *Q = Out;
  forall(N, [V, W, Q](int I) {
    Q[I] = DEVICE_ONLY(V.Data[I] + W.Data[I] * int(W.Length));
  });
  Out.expect([&](int I) { return A.at(I) + B.at(I) * N; });
}

// The device follows another pointer than the host, and moves it.
SHAPE(other_member_on_the_device) {
  Mapped<int> A(N), B(N, 5), Out(N, 2);
  struct Choice {
    const int *OnHost, *Below;
  } C{A, static_cast<int *>(B) - 3};
  int *Q = Out;
  forall(N, [C, Q](int I) {
    Q[I] = omp_is_initial_device() ? C.OnHost[I] : C.Below[I + 3];
  });
  Out.expect([&](int I) { return B.at(I); });
}

namespace {
int variant(const int *P, const View &, int I) {
  return P ? I : 0;
}
int ofDevice(const int *P, const View &V, int I) { return P[I] + V.Data[I]; }
#pragma omp declare variant(ofDevice) match(device = {kind(nohost)})
int read(const int *P, const View &V, int I) { return variant(P, V, I); }

int element(const View &) { return 0; }
#pragma omp begin declare variant match(device = {kind(nohost)})
int element(const View &V) { return V.Data[1]; }
#pragma omp end declare variant
} // namespace

SHAPE(declared_variant) {
  Mapped<int> A(N), B(N, 5), Out(N, 2);
  int *P = A, *Q = Out;
  View V{B, N};
  forall(N, [=](int I) { Q[I] = read(P, V, I); });
  Out.expect([&](int I) { return A.at(I) + B.at(I); });
}

SHAPE(begin_declared_variant) {
  Mapped<int> A(N), Out(N, 2);
  int *Q = Out;
  View V{A, N};
  forall(N, [&V, Q](int I) { Q[I] = element(V) + I; });
  Out.expect([&](int I) { return A.at(1) + I; });
}

// As frameworks write reductions: each copy of the reducer adds what it has
// when it goes, in one way on the device and in another on the host.
namespace {
struct Reducer {
  int *Sum;
  int Mine = 0;
  const Reducer *Parent = nullptr;
  explicit Reducer(int *Sum) : Sum(Sum) {}
  Reducer(const Reducer &Other) : Sum(Other.Sum), Parent(&Other) {}
  ~Reducer() {
    if (omp_is_initial_device() || !Mine)
      return;
#pragma omp atomic
    *Sum += Mine;
  }
};
} // namespace

SHAPE(reducer_with_a_destructor) {
  Mapped<int> A(N), Sum(1, 100);
  Reducer R(Sum);
  int *P = A;
  forall(N, [=](int I) {
    Reducer Local(R);
    Local.Mine += P[I];
  });
  Sum.expect([&](int) {
    int S = Sum.at(0);
    for (int I = 0; I < N; ++I)
      S += A.at(I);
    return S;
  });
}

namespace {
struct Source {
  virtual int get(int I) const = 0;
};
struct FromView : Source {
  View V;
  explicit FromView(View V) : V(V) {}
  int get(int I) const override {
    return omp_is_initial_device() ? I : V.Data[I];
  }
};
[[gnu::noinline]] int call(const Source &S, int I) { return S.get(I); }

template <class T> struct Policy {
  static int at(const T &V, int I) { return DEVICE_ONLY(V.Data[I]) + I; }
};
} // namespace

SHAPE(virtual_call_of_an_object_made_there) {
  Mapped<int> A(N), Out(N, 2);
  View V{A, N};
  int *Q = Out;
  forall(N, [=](int I) {
    FromView S(V);
    Q[I] = call(S, I);
  });
  Out.expect([&](int I) { return A.at(I); });
}

SHAPE(template_that_differs) {
  Mapped<int> A(N), Out(N, 2);
  View V{A, N};
  int *Q = Out;
  forallByReference(N, [=](int I) { Q[I] = Policy<View>::at(V, I); });
  Out.expect([&](int I) { return A.at(I) + I; });
}

namespace {
struct Solver {
  View In;
  int *Out;
  void run() {
    forall(N, [this](int I) {
      if (!omp_is_initial_device())
        Out[I] = In.Data[I] + 1;
    });
  }
};
} // namespace

SHAPE(captured_this) {
  Mapped<int> A(N), Out(N, 2);
  Solver S{{A, N}, Out};
  S.run();
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// A mapped record behind a plain pointer: its pointers are attached, by the
// paths alone, which the layout adds to.
SHAPE(record_behind_a_pointer) {
  Mapped<int> A(N), Out(N, 2);
  View Host{A, N};
  View *D = &Host;
  int *Q = Out;
#pragma omp target enter data map(to : Host)
  forall(N, [=](int I) { Q[I] = D->Data[I] + 1; });
#pragma omp target exit data map(delete : Host)
  Out.expect([&](int I) { return A.at(I) + 1; });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
