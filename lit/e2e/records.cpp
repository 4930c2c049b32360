// Records with many pointers of which few are used, pointers to records that
// hold pointers, and tables of pointers.
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

// A domain of 150 pointers as simulation codes pass it around. Most of them
// point at memory that no device has.
struct Domain {
  int Count = N;
  double *Fields[100];
  int *Lists[46];
  double *X, *Y, *Force;
  const int *Nodes;
  double Step = 0.5;
};
struct DomainData {
  Mapped<double> X{N, 1}, Y{N, 3}, Force{N, 2};
  Mapped<int> Nodes{N, 0};
  double Unmapped[N] = {};
  Domain D;
  DomainData() {
    for (int I = 0; I < 100; ++I)
      D.Fields[I] = Unmapped + I % N;
    for (int I = 0; I < 46; ++I)
      D.Lists[I] = reinterpret_cast<int *>(Unmapped);
    D.X = X;
    D.Y = Y;
    D.Force = Force;
    D.Nodes = Nodes;
  }
  void expect(double Factor) {
    check::absent("the domain", D);
    check::absent("an unmapped field", Unmapped);
    check::pointer("X", D.X, X.Host);
    Force.expect([&](int I) {
      return Factor * (X.at(I) + Y.at(I) * Nodes.at(I) * 0.5);
    });
  }
};
} // namespace

// STOCK: FAIL domain_by_value
SHAPE(domain_by_value) {
  DomainData All;
  Domain D = All.D;
  forall(N, [=](int I) {
    D.Force[I] = D.X[I] + D.Y[I] * D.Nodes[I] * D.Step;
  });
  All.expect(1);
}

// STOCK-NEXT: FAIL domain_by_reference
SHAPE(domain_by_reference) {
  DomainData All;
  Domain &D = All.D;
  forall(N, [&](int I) {
    D.Force[I] = D.X[I] + D.Y[I] * D.Nodes[I] * D.Step;
  });
  All.expect(1);
}

namespace {
struct Simulation : Domain {
  explicit Simulation(const Domain &D) : Domain(D) {}
  void step() {
    forall(N, [this](int I) { Force[I] = X[I] + Y[I] * Nodes[I] * Step; });
  }
  void stepDirectly() {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < Count; ++I)
      Force[I] *= 2;
  }
};
} // namespace

// STOCK-NEXT: FAIL domain_by_this
SHAPE(domain_by_this) {
  DomainData All;
  Simulation S(All.D);
  S.step();
  S.stepDirectly();
  check::absent("the simulation", S);
  All.expect(2);
}

// STOCK-NEXT: FAIL domain_by_pointer
SHAPE(domain_by_pointer) {
  DomainData All;
  Domain *D = &All.D;
#pragma omp target enter data map(to : D[0 : 1])
  forall(N, [=](int I) {
    D->Force[I] = D->X[I] + D->Y[I] * D->Nodes[I] * D->Step;
  });
#pragma omp target exit data map(delete : D[0 : 1])
  All.expect(1);
}

namespace {
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};
struct Level {
  View Values;
  Level *Next;
  int Weight;
};
} // namespace

// STOCK-NEXT: FAIL pointer_to_record
SHAPE(pointer_to_record) {
  Mapped<int> A(N), Out(N, 2);
  View Both[2] = {View{A}, View{Out}};
  View *V = Both;
#pragma omp target enter data map(to : V[0 : 2])
  forall(N, [=](int I) { V[1][I] = V[0][I] + 1; });
#pragma omp target exit data map(delete : V[0 : 2])
  check::pointer("V[1].Data", Both[1].Data, Out.Host);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL record_behind_record
SHAPE(record_behind_record) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  Level Fine{View{B}, nullptr, 3};
  Level Coarse{View{A}, &Fine, 5};
  Level *L = &Coarse, *Below = &Fine;
  int *Q = Out;
#pragma omp target enter data map(to : L[0 : 1], Below[0 : 1])
  forall(N, [=](int I) {
    Q[I] = L->Values[I] * L->Weight + L->Next->Values[I] * L->Next->Weight;
  });
#pragma omp target exit data map(delete : L[0 : 1], Below[0 : 1])
  check::pointer("Next", Coarse.Next, &Fine);
  Out.expect([&](int I) { return 5 * A.at(I) + 3 * B.at(I); });
}

namespace {
struct Simple {
  Domain *D;
  void operator()(int I) const { D->Force[I] = D->X[I] + D->Y[I]; }
};
} // namespace

// STOCK-NEXT: FAIL functor_with_pointer_to_record
SHAPE(functor_with_pointer_to_record) {
  DomainData All;
  Domain *D = &All.D;
#pragma omp target enter data map(to : D[0 : 1])
  forall(N, Simple{D});
  forallByReference(N, Simple{D});
#pragma omp target exit data map(delete : D[0 : 1])
  All.Force.expect([&](int I) { return All.X.at(I) + All.Y.at(I); });
}

// STOCK-NEXT: FAIL table_with_constant_index
SHAPE(table_with_constant_index) {
  Mapped<double> A(N), B(N, 3), Out(N, 2);
  double *Rows[3] = {A, B, Out};
  double **T = Rows;
#pragma omp target enter data map(to : T[0 : 3])
  forall(N, [=](int I) { T[2][I] = T[0][I] * T[1][I]; });
#pragma omp target exit data map(delete : T[0 : 3])
  check::pointer("T[2]", Rows[2], Out.Host);
  Out.expect([&](int I) { return A.at(I) * B.at(I); });
}

// STOCK-NEXT: FAIL table_with_dynamic_index
SHAPE(table_with_dynamic_index) {
  Mapped<double> A(5 * N), Out(N, 2);
  double *Rows[5];
  for (int R = 0; R < 5; ++R)
    Rows[R] = A + R * N;
  double **T = Rows, *Q = Out;
#pragma omp target enter data map(to : T[0 : 5])
  forall(N, [=](int I) {
    Q[I] = 0;
    for (int R = 0; R < 5; ++R)
      Q[I] += T[R][I];
  });
#pragma omp target exit data map(delete : T[0 : 5])
  check::pointer("T[4]", Rows[4], A + 4 * N);
  Out.expect([&](int I) {
    double Sum = 0;
    for (int R = 0; R < 5; ++R)
      Sum += A.at(R * N + I);
    return Sum;
  });
}

// STOCK-NEXT: FAIL rows_written_with_dynamic_index
SHAPE(rows_written_with_dynamic_index) {
  Mapped<int> A(N), B(N, 3), C(N, 4), D(N, 5);
  int *Rows[4] = {A, B, C, D};
  int **T = Rows;
#pragma omp target enter data map(to : T[0 : 4])
  forall(4 * N, [=](int I) { T[I / N][I % N] += I / N; });
#pragma omp target exit data map(delete : T[0 : 4])
  A.expect([&](int I) { return A.at(I); });
  B.expect([&](int I) { return B.at(I) + 1; });
  C.expect([&](int I) { return C.at(I) + 2; });
  D.expect([&](int I) { return D.at(I) + 3; });
}

// STOCK-NEXT: FAIL table_of_views
SHAPE(table_of_views) {
  Mapped<int> A(N), B(N, 3), C(N, 4), Out(N, 2);
  View Rows[3] = {View{A}, View{B}, View{C}};
  View *T = Rows;
  int *Q = Out;
#pragma omp target enter data map(to : T[0 : 3])
  forall(N, [=](int I) {
    Q[I] = 0;
    for (int R = 0; R < 3; ++R)
      Q[I] += T[R][I];
  });
#pragma omp target exit data map(delete : T[0 : 3])
  Out.expect([&](int I) { return A.at(I) + B.at(I) + C.at(I); });
}

// STOCK-NEXT: FAIL table_captured_by_value
SHAPE(table_captured_by_value) {
  // The table is part of the closure.
  Mapped<int> A(4 * N), Out(N, 2);
  int *T[4], *Q = Out;
  for (int R = 0; R < 4; ++R)
    T[R] = A + (3 - R) * N;
  forall(N, [=](int I) { Q[I] = T[I % 4][I]; });
  Out.expect([&](int I) { return A.at((3 - I % 4) * N + I); });
}

// STOCK-NEXT: FAIL table_captured_by_reference
SHAPE(table_captured_by_reference) {
  Mapped<int> A(4 * N), Out(N, 2);
  int *T[4], *Q = Out;
  for (int R = 0; R < 4; ++R)
    T[R] = A + (3 - R) * N;
  forall(N, [&](int I) { Q[I] = T[I % 4][I]; });
  check::pointer("T[3]", T[3], A.Host);
  check::absent("T", T);
  Out.expect([&](int I) { return A.at((3 - I % 4) * N + I); });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
