// What kernels only read of captured objects are their parameters, whatever the
// construct: no launch copies anything. Each program copies one array to the
// device and back. Where the kernel may see a change of what it reads, it uses
// the device's object.
//
// RUN: for o in 0 1 2 3 "0 -g" "2 -g"; do %sim_cxx -O$o %s -o %t || exit 1; \
// RUN:   for p in in_order one_team scheduled teams teams_then_threads generic \
// RUN:       several_parallels by_reference through_this over_aligned; do \
// RUN:     echo "$p at -O$o"; \
// RUN:     %ferry_sim --strict --quiet --json %t.json -- %t $p || exit 1; \
// RUN:     %python %S/Inputs/check_counters.py %t.json --total h2d_copies=1 \
// RUN:       --total d2h_copies=1 --total launches=1 || exit 1; done; \
// RUN:   for p in changed_between changed_by_one_iteration changed_atomically \
// RUN:       too_large; do echo "$p at -O$o"; \
// RUN:     %ferry_sim --strict --quiet -- %t $p || exit 1; done; done
// They are parameters that do it.
// RUN: %sim_cxx -O2 -mllvm -ferry-parameters=false %s -o %t
// RUN: for p in in_order teams generic; do \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t $p || exit 1; \
// RUN:   %python %S/Inputs/check_counters.py %t.json --total h2d_copies=2 \
// RUN:     --total d2h_copies=1 --total launches=1 || exit 1; done

#include "Inputs/check.h"

namespace {
constexpr int N = 100;
double A[N];

struct View {
  double *Data;
  double Factor;
  int Size;
};

/// A[I] is I at the beginning, and what \p Want says behind \p Launch.
template <class Fn, class Wanted> void with(Fn Launch, Wanted Want) {
  for (int I = 0; I < N; ++I)
    A[I] = I;
#pragma omp target data map(tofrom : A)
  Launch(View{A, 2, N});
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], Want(I));
}

double twice(int I) { return 2 * I; }

template <class F> void inOrder(int Count, F Body) {
#pragma omp target
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F> void oneTeam(int Count, F Body) {
#pragma omp target parallel for
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F> void scheduled(int Count, F Body) {
#pragma omp target teams distribute parallel for schedule(static, 3)
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F> void teams(int Count, F Body) {
#pragma omp target teams distribute
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F> void teamsThenThreads(int Count, F Body) {
#pragma omp target teams distribute
  for (int I = 0; I < Count; I += 10) {
    int End = I + 10;
#pragma omp parallel for
    for (int J = I; J < End; ++J)
      Body(J);
  }
}
template <class F> void generic(int Count, F Body) {
#pragma omp target
  {
    Body(0);
#pragma omp parallel for
    for (int I = 1; I < Count; ++I)
      Body(I);
  }
}
template <class F> void severalParallels(int Count, F Body) {
#pragma omp target
  for (int Begin = 0; Begin < Count; Begin += 25) {
#pragma omp parallel for num_threads(8)
    for (int I = Begin; I < Begin + 25; ++I)
      Body(I);
  }
}
template <class F> void forall(int Count, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Body(I);
}
} // namespace

namespace {
struct Scale {
  View X;
  void operator()(int I) const { X.Data[I] *= X.Factor; }
};
} // namespace

#define BY_VALUE(Construct)                                                    \
  with([](View X) { Construct(N, Scale{X}); }, twice)

PROGRAM(in_order) { BY_VALUE(inOrder); }
PROGRAM(one_team) { BY_VALUE(oneTeam); }
PROGRAM(scheduled) { BY_VALUE(scheduled); }
PROGRAM(teams) { BY_VALUE(teams); }
PROGRAM(teams_then_threads) { BY_VALUE(teamsThenThreads); }
PROGRAM(generic) { BY_VALUE(generic); }
PROGRAM(several_parallels) { BY_VALUE(severalParallels); }

namespace {
// Two objects that lead to others.
struct Scaled {
  const View &X;
  double *&P;
  double operator()(int I) const { return X.Factor * P[I]; }
};
struct ScaleAndAdd {
  const Scaled &Read;
  double *&P;
  double &Add;
  void operator()(int I) const { P[I] = Read(I) + Add; }
};
struct Solver {
  View X;
  double Add;
  void run() {
    teams(N, [this](int I) {
      if (I < X.Size)
        X.Data[I] = X.Factor * X.Data[I] + Add;
    });
  }
};
struct alignas(64) Aligned {
  char C;
  double *Data;
  void operator()(int I) const {
    Aligned Copy = *this;
    Copy.Data[I] += Copy.C;
  }
};
} // namespace

PROGRAM(by_reference) {
  with(
      [](View X) {
        double *P = X.Data, Add = 3;
        Scaled Read{X, P};
        generic(N, ScaleAndAdd{Read, P, Add});
      },
      [](int I) { return 2 * I + 3; });
}

PROGRAM(through_this) {
  with([](View X) { Solver{X, 7}.run(); }, [](int I) { return 2 * I + 7; });
}

// Aligned by more than anything else, and copied as a whole in the region.
PROGRAM(over_aligned) {
  with([](View X) { generic(N, Aligned{5, X.Data}); },
       [](int I) { return I + 5; });
}

namespace {
struct Range {
  double First, Last;
  double *Data;
};

// All of them write to a mapped range by another pointer.
struct ChangeFirst {
  const Range &R;
  double *P;
  void operator()(int I) const {
    if (I == 0)
      P[0] = 5, P[1] = 6;
    else
      R.Data[I] = R.First + R.Last;
  }
};
struct ChangeIn70 {
  const Range &R;
  double *P;
  void operator()(int I) const {
    if (I == 70) {
      P[0] = 5;
      R.Data[I] = R.First + R.Last;
    }
  }
};
struct CountUp {
  const Range &R;
  double *P;
  void operator()(int I) const {
    double Before;
#pragma omp atomic capture seq_cst
    {
      Before = P[1];
      P[1] += 1;
    }
    R.Data[I] = R.Last > Before;
  }
};

template <class Body> void onMapped(View X, void (*Run)(int, Body)) {
  Range R{1, 2, X.Data};
#pragma omp target enter data map(to : R)
  Run(N, Body{R, &R.First});
#pragma omp target exit data map(delete : R)
}
} // namespace

// In another region of the kernel, in the same iteration, and in an order that
// atomic accesses make.
PROGRAM(changed_between) {
  with([](View X) { onMapped<ChangeFirst>(X, generic); },
       [](int I) { return I ? 11 : 0; });
}

PROGRAM(changed_by_one_iteration) {
  with([](View X) { onMapped<ChangeIn70>(X, forall); },
       [](int I) { return I == 70 ? 7 : I; });
}

PROGRAM(changed_atomically) {
  with([](View X) { onMapped<CountUp>(X, oneTeam); }, [](int) { return 1; });
}

// More than shared memory is taken for: in memory, and right.
namespace {
struct Large {
  double Numbers[500];
  double *Data;
  void operator()(int I) const { Data[I] += Numbers[499]; }
};
} // namespace

PROGRAM(too_large) {
  with(
      [](View X) {
        Large Y{};
        Y.Data = X.Data;
        Y.Numbers[499] = 4;
        generic(N, Y);
      },
      [](int I) { return I + 4; });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
