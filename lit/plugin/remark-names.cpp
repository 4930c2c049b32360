// What remarks call regions and pointers.
// RUN: for o in -O0 -O2; do \
// RUN:   %ferry_plain -fopenmp -fopenmp-targets=amdgcn-amd-amdhsa -Xopenmp-target=amdgcn-amd-amdhsa -march=gfx90a -nogpulib -Xarch_device -DON_DEVICE -std=c++17 $o -c -o %t.o %s -Rpass=ferry-map -Rpass-missed=ferry-map -fno-caret-diagnostics > %t.txt 2>&1 || exit 1; \
// RUN:   FileCheck %s --input-file=%t.txt --implicit-check-not="Both' is used" --implicit-check-not="behind 'X'" --implicit-check-not="behind 'V[1].X'" || exit 1; done
#include <array>
#include <functional>
#include <tuple>
#include <vector>

namespace fw {
template <int Block, typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}
template <typename... Bodies> void all(int N, Bodies... Loops) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    (Loops(I), ...);
}
template <typename Body> struct Launcher {
  Body Loop;
  void run(int N) {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      Loop(I);
  }
};
} // namespace fw

// --- Regions -----------------------------------------------------------------

namespace {
// CHECK-DAG: fw::forall<1, (anonymous namespace)::anonymous::lambda at remark-names.cpp:[[#@LINE+2]]>: 'Loop.X' passed
void anonymous(double *X) {
  fw::forall<1>(4, [=](int I) { X[I] = 0; });
}
struct Functor {
  double *X;
  void operator()(int I) const { X[I] = 0; }
};
} // namespace

// CHECK-DAG: fw::forall<2, local::lambda at remark-names.cpp:[[#@LINE+4]]>: 'Loop.X' passed
// CHECK-DAG: fw::forall<3, local::lambda at remark-names.cpp:[[#@LINE+4]]>: 'Loop.X' passed
// CHECK-DAG: fw::forall<4, (anonymous namespace)::Functor>: 'Loop.X' passed
static void local(double *X) {
  fw::forall<2>(4, [=](int I) { X[I] = 0; });
  fw::forall<3>(4, [=](auto I) { X[I] = 0; });
  fw::forall<4>(4, Functor{X});
}

// By reference, the lambda is called as it is by value.
template <typename Body> void forward(Body &&Loop) {
  auto Copy = Loop;
#pragma omp target teams distribute parallel for
  for (int I = 0; I < 4; ++I)
    Copy(I);
}
// CHECK-DAG: forward<forwards::lambda at remark-names.cpp:[[#@LINE+3]]>: 'Copy.X' passed
void forwards(double *X) {
  const auto L =
      [=](int I) { X[I] = 0; };
  forward(L);
}

// Two instances of one function, each with its lambda.
// CHECK-DAG: fw::forall<5, instance::lambda at remark-names.cpp:[[#@LINE+4]]>: 'Loop.F' passed
// CHECK-DAG: fw::forall<6, instance::lambda at remark-names.cpp:[[#@LINE+3]]>: 'Loop.F' passed
template <int Block> void instance(double *D) {
  double *F = D;
  fw::forall<Block>(4, [=](int I) { F[I] = 0; });
}

struct Solver {
  double *A;
  std::vector<double> V;
  // CHECK-DAG: fw::forall<7, Solver::step::lambda at remark-names.cpp:[[#@LINE+4]]>: 'Loop.this->A' passed
  // CHECK-DAG: fw::forall<7, Solver::step::lambda at remark-names.cpp:[[#@LINE+3]]>: 'Loop.this->V' passed
  // CHECK-DAG: fw::forall<7, Solver::step::lambda at remark-names.cpp:[[#@LINE+2]]>: variable 'Loop.this' read where it is mapped, else passed as parameters of the kernel
  void step() {
    fw::forall<7>(4, [this](int I) { A[I] += V[I]; });
    // CHECK-DAG: fw::forall<8, Solver::step::lambda at remark-names.cpp:[[#@LINE+1]]>: 'Loop.this->A' passed
    fw::forall<8>(4, [&](int I) { A[I] += 1; });
  }
  // CHECK-DAG: remark-names.cpp:[[#@LINE+2]]:1: remark: Solver::here: 'this->A' passed
  void here() {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < 4; ++I)
      A[I] = 0;
  }
};

void solver(Solver &S) {
  S.step();
  S.here();
}

// A lambda in a lambda, in one of no function; several in one pack.
// CHECK-DAG: fw::forall<9, lambda at remark-names.cpp:[[#@LINE+2]]>: 'Loop.X' passed
auto Global = [](double *X) {
  fw::forall<9>(4, [=](int I) { X[I] = 0; });
};
// CHECK-DAG: fw::forall<10, regions::lambda at remark-names.cpp:[[#@LINE+10]]>: 'Loop.X' passed
// CHECK-DAG: fw::all<regions::lambda at remark-names.cpp:[[#@LINE+13]], regions::lambda at remark-names.cpp:[[#@LINE+14]]>: 'Loops.X' passed
// CHECK-DAG: fw::Launcher<(lambda at remark-names.cpp:[[#@LINE+14]]:12)>::run: 'this->Loop.X' passed
void regions(double *X) {
  anonymous(X);
  local(X);
  instance<5>(X);
  instance<6>(X);
  Global(X);
  auto Outer = [=] {
    fw::forall<10>(4, [=](int I) { X[I] = 0; });
  };
  Outer();
  fw::all(
      4, [=](int I) { X[I] = 0; },
      [=](int I) { X[I] = 1; });
  auto F = [=](int I) { X[I] = 0; };
  fw::Launcher<decltype(F)>{F}.run(4);
}

// --- Pointers ----------------------------------------------------------------

struct Base {
  long Kind;
  double *Weights;
};
struct Cell {
  long N;
  double *Values[2];
};
struct Domain : Base {
  std::vector<double> New, Old;
  Cell Cells[3];
  union {
    long Number;
    double *Either;
  };
  std::array<double *, 2> Pair;
  Domain *Next;
  Cell &First;
  std::tuple<int *> Tuple;
};
struct Body {
  Domain *domain;
};

// CHECK-DAG: pointers: 'body.domain->Weights' carried over: attached in the mapped object
// CHECK-DAG: pointers: 'body.domain->New' carried
// CHECK-DAG: pointers: 'body.domain->Old' carried
// CHECK-DAG: pointers: 'body.domain->Old.end()' carried
// CHECK-DAG: pointers: 'body.domain->Cells[2].Values[1]' carried
// CHECK-DAG: pointers: 'body.domain->Either' carried
// CHECK-DAG: pointers: 'body.domain->Pair[1]' carried
// CHECK-DAG: pointers: 'body.domain->Next' carried
// CHECK-DAG: pointers: 'body.domain->Next->New' carried
// CHECK-DAG: pointers: 'body.domain->First' carried
// CHECK-DAG: pointers: 'body.domain->First.Values[0]' carried
// CHECK-DAG: pointers: 'body.domain->Tuple' carried
void pointers(const Body &body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < 4; ++I) {
    Domain &D = *body.domain;
    D.New[I] = D.Weights[I] + D.Cells[2].Values[1][I] + D.Either[I] +
               D.Pair[1][I] + D.First.Values[0][I] + *std::get<0>(D.Tuple);
    for (double X : D.Old)
      D.New[I] += X;
    D.Next->New[I] = 0;
  }
}

// CHECK-DAG: tables: 'T[i]' carried
// CHECK-DAG: tables: 'D[i].Weights' carried
// CHECK-DAG: tables: 'D[3].New' carried
// CHECK-DAG: tables: 'Before[-1]' carried
// CHECK-DAG: tables: 'Deep[i]' carried
// CHECK-DAG: tables: 'Deep[i][2]' carried
void tables(double **T, Domain *D, double **Before, double ***Deep) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < 4; ++I) {
    T[I][I] = D[I].Weights[I] + Before[-1][I] + Deep[I][2][I];
    D[3].New[I] = 0;
  }
}

// What cannot be named has its place.
// CHECK-DAG: unnamed: 'P+16' carried
void unnamed(void *P) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < 4; ++I)
    static_cast<double **>(P)[2][I] = 0;
}

// --- What is left -------------------------------------------------------------

void unseen(double **, Domain *, double *);
#pragma omp declare target(unseen)
// CHECK-DAG: hands: pointers behind 'T' left as they are: not all code that uses them is visible [unseen-table]
// CHECK-DAG: hands: pointers behind 'D' left as they are: not all code
// CHECK-DAG: hands: pointers behind 'V[1].D' left as they are: not all code
struct Held {
  Domain *D;
  double *X;
};
void hands(double **T, Domain *D, double *X, Held *V) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < 4; ++I)
    unseen(T, D, X), unseen(nullptr, V[1].D, V[1].X);
}

// CHECK-DAG: integers: 'D->Weights' left as it is: the kernel reads it as an integer, from memory that the launch cannot read [read-as-integer]
void integers(Domain *D, long *Out) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < 4; ++I) {
    Out[I] = reinterpret_cast<const long *>(D)[1];
    D->New[I] = 0;
  }
}

// --- Host and device versions ------------------------------------------------

// CHECK-DAG: versions::lambda at remark-names.cpp:[[#@LINE+7]]>: 'Loop.V.Device' passed
// CHECK-DAG: versions::lambda at remark-names.cpp:[[#@LINE+6]]>: 'Loop.V.Device' is used by the device's version of the kernel and not by the host's version [-Rpass-missed=ferry-map]
// CHECK-DAG: versions::lambda at remark-names.cpp:[[#@LINE+5]]>: 'Loop.V.Host' is used by the host's version of the kernel and not by the device's version [-Rpass-missed=ferry-map]
struct Versions {
  double *Device, *Host, *Both;
};
void versions(Versions V) {
  fw::forall<11>(4, [=](int I) {
    V.Both[I] = 0;
#ifdef ON_DEVICE
    V.Device[I] = 0;
#else
    V.Host[I] = 0;
#endif
  });
}
