// What a GPU's kernel only reads of captured objects are parameters of its own:
// no launch copies anything to the device. Objects that it writes to, indexes by
// a variable, or that are too large stay in memory. A CPU's kernel reads all of
// them where the launch has made them.
//
// RUN: for o in -O0 "-O0 -g" -O1 "-O2 -g" -O3; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_INFO=40 %t 2>%t.info || exit 1; \
// RUN:   %S/Inputs/count-transfers < %t.info | FileCheck %s || exit 1; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %if device-runtime %{ for o in -O0 -O2 "-O2 -foffload-lto"; do echo "simulated at $o"; \
// RUN:   %sim_cxx $o %s -o %t.sim || exit 1; \
// RUN:   env LIBOMPTARGET_INFO=40 %ferry_sim --strict --quiet -- %t.sim 2>%t.info || exit 1; \
// RUN:   %S/Inputs/count-transfers < %t.info | FileCheck %s || exit 1; done %}
// Switched off, all of it still works, by copies.
// RUN: %if device-runtime %{ %sim_cxx -O2 -mllvm -ferry-parameters=false %s -o %t.off && \
// RUN:   env LIBOMPTARGET_INFO=40 %ferry_sim --strict --quiet -- %t.off 2>%t.info && \
// RUN:   %S/Inputs/count-transfers < %t.info | FileCheck %s --check-prefix=OFF %}
// Devices of two kinds: each kernel takes the same on both.
// RUN: %ferry_clangxx %offload,amdgcn-amd-amdhsa -nogpulib -Xopenmp-target=amdgcn-amd-amdhsa -march=gfx90a -O2 -c %s -o %t.both.o

#include "Inputs/check.h"
#include "Inputs/forall.h"

#include <array>

namespace {
constexpr int N = 8;

// Marks one launch in the runtime's output.
template <class F> void measure(const char *Name, F Launch) {
  fprintf(stderr, "== begin %s\n", Name);
  Launch();
  fprintf(stderr, "== end %s\n", Name);
}

struct Arrays {
  Mapped<int> A{N}, Out{N, 2};
  template <class F> void expect(F Want) {
    Out.expect([&](int I) { return Want(A.at(I), I); });
  }
};
} // namespace

// CHECK: one: to-device 0, from-device 0, left 0
// OFF: one: to-device 1, from-device 0, left 0
SHAPE(one) {
  Arrays S;
  int *Q = S.Out;
  measure("one", [&] { forall(N, [=](int I) { Q[I] = I; }); });
  S.expect([](int, int I) { return I; });
}

// CHECK-NEXT: sixty_four: to-device 0, from-device 0, left 0
// OFF-NEXT: sixty_four: to-device 1, from-device 0, left 0
SHAPE(sixty_four) {
  Arrays S;
  struct Fields {
    int *P00, *P01, *P02, *P03, *P04, *P05, *P06, *P07, *P08, *P09, *P10, *P11, *P12, *P13, *P14, *P15;
  };
  Fields F[3];
  for (Fields &R : F)
    for (int I = 0; I < 16; ++I)
      (&R.P00)[I] = S.A;
  int *Q = S.Out;
  measure("sixty_four", [&] {
    forall(N, [=, X = F[0], Y = F[1], Z = F[2]](int I) {
#define SUM(V) (V.P00[I] + V.P01[I] + V.P02[I] + V.P03[I] + V.P04[I] + V.P05[I] + V.P06[I] + V.P07[I] + V.P08[I] + V.P09[I] + V.P10[I] + V.P11[I] + V.P12[I] + V.P13[I] + V.P14[I] + V.P15[I])
      Q[I] = SUM(X) + SUM(Y) + SUM(Z);
    });
  });
  S.expect([](int A, int) { return 48 * A; });
}

namespace {
// Members of every size, at every distance from the end.
struct __attribute__((packed)) Packed {
  char C;
  int *P;
  short H;
  double D;
  bool B;
  int *Q;
  char Tail[3];
};
struct Wide {
  __int128 I;
  long double L;
  float F;
  bool B;
  unsigned Low : 5, High : 20;
  int *P, *Q;
};
struct alignas(64) Aligned {
  int *P, *Q;
  char C;
};
} // namespace

// CHECK-NEXT: packed: to-device 0, from-device 0, left 0
// OFF-NEXT: packed: to-device 1, from-device 0, left 0
SHAPE(packed) {
  Arrays S;
  Packed X{3, S.A, -7, 2.5, true, S.Out, {1, 2, 4}};
  measure("packed", [&] {
    forall(N, [X](int I) { X.Q[I] = X.P[I] * X.C + X.H + (X.B ? int(2 * X.D) : 0) + X.Tail[0] + X.Tail[2]; });
  });
  S.expect([](int A, int) { return 3 * A - 7 + 5 + 5; });
}

// CHECK-NEXT: wide: to-device 0, from-device 0, left 0
// OFF-NEXT: wide: to-device 1, from-device 0, left 0
SHAPE(wide) {
  Arrays S;
  Wide X{};
  X.I = (__int128(5) << 70) + 6;
  X.F = 1.5f;
  X.B = true;
  X.Low = 17;
  X.High = 123456;
  X.P = S.A, X.Q = S.Out;
  measure("wide", [&] {
    forall(N, [X](int I) { X.Q[I] = X.P[I] + int(X.I >> 70) + int(X.I & 15) + int(2 * X.F) + X.B + X.Low + X.High; });
  });
  S.expect([](int A, int) { return A + 5 + 6 + 3 + 1 + 17 + 123456; });
}

// CHECK-NEXT: aligned: to-device 0, from-device 0, left 0
// OFF-NEXT: aligned: to-device 1, from-device 0, left 0
SHAPE(aligned) {
  Arrays S;
  Aligned X{S.A, S.Out, 9};
  measure("aligned", [&] { forall(N, [X](int I) { X.Q[I] = X.P[I] + X.C; }); });
  S.expect([](int A, int) { return A + 9; });
}

// CHECK-NEXT: references: to-device 0, from-device 0, left 0
// OFF-NEXT: references: to-device 1, from-device 0, left 0
SHAPE(references) {
  Arrays S;
  int *P = S.A, *Q = S.Out, Factor = 3;
  auto Read = [&](int I) { return Factor * P[I]; };
  auto More = [&](int I) { return Read(I) + Factor; };
  measure("references", [&] { forall(N, [&](int I) { Q[I] = More(I); }); });
  check::absent("Factor", Factor);
  S.expect([](int A, int) { return 3 * A + 3; });
}

namespace {
struct Solver {
  long Unused[300];
  int *P, *Q;
  int Factor;
  void run() {
    forall(N, [this](int I) { Q[I] = Factor * P[I]; });
  }
  void runDirectly() {
#pragma omp target teams distribute parallel for map(to : this[0 : 1])
    for (int I = 0; I < N; ++I)
      Q[I] += Factor * P[I];
  }
};
} // namespace

// Of a large object, only what is used.
// CHECK-NEXT: this: to-device 0, from-device 0, left 0
// OFF-NEXT: this: to-device 1, from-device 0, left 0
SHAPE(captured_this) {
  Arrays S;
  Solver X{{}, S.A, S.Out, 4};
  measure("this", [&] { X.run(); });
  measure("this_directly", [&] { X.runDirectly(); });
  S.expect([](int A, int) { return 8 * A; });
}

// Mapped already: the kernel reads what the device has, not the host's.
// CHECK: mapped_this: to-device
SHAPE(mapped_this) {
  Arrays S;
  Solver X{{}, S.A, S.Out, 4};
#pragma omp target enter data map(to : X)
  X.Factor = check::offload() ? 100 : 4;
  measure("mapped_this", [&] { X.run(); });
#pragma omp target exit data map(delete : X)
  X.Factor = 6;
#pragma omp target enter data map(to : X)
  X.Factor = check::offload() ? 100 : 6;
  int *Q = S.Out;
  int *B = S.A;
  X.run();
  forall(N, [=](int I) { Q[I] += B[I]; });
#pragma omp target exit data map(delete : X)
  S.expect([](int A, int) { return 7 * A; });
}

// Written to, indexed by a variable, too large: in memory, and right.
SHAPE(in_memory) {
  Arrays S;
  int *P = S.A, *Q = S.Out, Sum = 0;
  std::array<int *, 2> Two{P, P};
  struct {
    long Numbers[400];
    int *P;
  } Large;
  for (int I = 0; I < 400; ++I)
    Large.Numbers[I] = I;
  Large.P = P;
  forall(N, [=, &Sum](int I) {
    Q[I] = Two[I % 2][I] + int(Large.Numbers[I * 50]) + Large.P[I];
#pragma omp atomic
    Sum += 1;
  });
  check::equal("Sum", Sum, N);
  S.expect([](int A, int I) { return 2 * A + 50 * I; });
}

// A closure that the kernel changes a copy of.
SHAPE(mutable_closure) {
  Arrays S;
  int *P = S.A, *Q = S.Out, Count = 5;
  auto Body = [=](int I) mutable {
    Count += 2;
    Q[I] = P[I] + (Count > 5);
  };
  inOrder(N, Body);
  check::equal("Count", Count, 5);
  S.expect([](int A, int) { return A + 1; });
}

SHAPE(asynchronous) {
  Arrays S;
  int *P = S.A, *Q = S.Out;
  auto Body = [=](int I) { Q[I] = P[I] + 11; };
#pragma omp target teams distribute parallel for nowait
  for (int I = 0; I < N; ++I)
    Body(I);
#pragma omp taskwait
  S.expect([](int A, int) { return A + 11; });
}

// Outside of loops whose iterations are independent, the device's copy counts:
// the kernel may change it by other ways.
SHAPE(changed_by_another_way) {
  struct {
    int X, Y;
  } R{3, 4};
  int *P = &R.X, Seen = 0;
#pragma omp target map(tofrom : R, Seen)
  {
    *P = 5;
    Seen = R.X + R.Y;
  }
  check::equal("Seen", Seen, 9);
  check::equal("R.X", R.X, 5);
  auto Body = [&](int I) {
    P[0] = I + 1;
    Seen += R.X;
  };
#pragma omp target enter data map(to : R)
  inOrder(3, Body);
#pragma omp target exit data map(from : R)
  check::equal("Seen", Seen, 15);
}

// One iteration alone writes and reads.
SHAPE(changed_by_one_iteration) {
  struct {
    int X;
    int *Q;
  } R{3, nullptr};
  Arrays S;
  R.Q = S.A;
  int *P = &R.X, *Out = S.Out;
#pragma omp target enter data map(to : R)
  forall(N, [&](int I) {
    Out[I] = I;
    if (I == 5) {
      P[0] = 40;
      Out[I] = R.X + R.Q[0];
    }
  });
#pragma omp target exit data map(delete : R)
  int First = S.A.at(0);
  S.expect([&](int, int I) { return I == 5 ? 40 + First : I; });
}

// Other constructs than loops over all threads, and schedules that the program
// may rely on: what they read of objects that are not mapped are parameters.
namespace {
template <class F> void teamsThenThreads(int Count, F Body) {
#pragma omp target teams distribute
  for (int I = 0; I < Count; I += 2)
#pragma omp parallel for
    for (int J = I; J < I + 2; ++J)
      Body(J);
}
template <class F> void scheduled(int Count, F Body) {
#pragma omp target teams distribute parallel for schedule(static, 2)
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F> void oneTeam(int Count, F Body) {
#pragma omp target parallel for
  for (int I = 0; I < Count; ++I)
    Body(I);
}
} // namespace

// CHECK-NEXT: in_order: to-device 0, from-device 0, left 0
// CHECK-NEXT: teams_then_threads: to-device 0, from-device 0, left 0
// CHECK-NEXT: scheduled: to-device 0, from-device 0, left 0
// CHECK-NEXT: one_team: to-device 0, from-device 0, left 0
SHAPE(constructs) {
  Arrays S;
  int *P = S.A, *Q = S.Out, Factor = 3;
  auto Body = [&](int I) { Q[I] += Factor * P[I]; };
  forall(N, [=](int I) { Q[I] = 0; });
  measure("in_order", [&] { inOrder(N, Body); });
  measure("teams_then_threads", [&] { teamsThenThreads(N, Body); });
  measure("scheduled", [&] { scheduled(N, Body); });
  measure("one_team", [&] { oneTeam(N, Body); });
  check::absent("Factor", Factor);
  S.expect([](int A, int) { return 12 * A; });
}

// Launches that are not: the host's closure counts.
SHAPE(on_the_host) {
  int A[N], Out[N];
  for (int I = 0; I < N; ++I)
    A[I] = I;
  int *P = A, *Q = Out;
  auto Body = [=](int I) { Q[I] = P[I] + 1; };
#pragma omp target teams distribute parallel for if (N > 100)
  for (int I = 0; I < N; ++I)
    Body(I);
#pragma omp target teams distribute parallel for device(omp_get_initial_device())
  for (int I = 0; I < N; ++I)
    Body(I);
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], I + 1);
}

// Regions in generic mode, and with parallel regions of their own.
SHAPE(generic_mode) {
  Arrays S;
  int *P = S.A, *Q = S.Out, Factor = 2;
  auto Body = [&](int I) { Q[I] = Factor * P[I]; };
#pragma omp target
  {
    int Local = Factor;
#pragma omp parallel for
    for (int I = 0; I < N; ++I)
      Body(I);
    Q[0] += Local;
  }
  S.expect([](int A, int I) { return 2 * A + (I ? 0 : 2); });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
