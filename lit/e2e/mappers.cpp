// Declared mappers and maps that the user wrote for members: what they attach
// stays attached, and Ferry carries the other pointers.
//
// RUN: for o in "-O0 -g" -O1 -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done
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
struct Grid {
  int Count;
  int *In;
  int *Out;
};
#pragma omp declare mapper(Grid G) \
    map(G, G.In[0 : G.Count], G.Out[0 : G.Count])
#pragma omp declare mapper(input : Grid G) map(G, G.In[0 : G.Count])

// A grid and its data, which nothing maps but the mapper. libomptarget 19 leaves
// an object with a mapper mapped after the region, so the grids are never
// deleted: no other object may lie there.
struct GridData {
  int In[N], Out[N];
  Grid G{N, In, Out};
  GridData() {
    for (int I = 0; I < N; ++I)
      In[I] = I + 1, Out[I] = -1;
  }
  template <class F>
  void expect(F Want) {
    for (int I = 0; I < N; ++I)
      check::equal("Out", Out[I], Want(I));
    check::pointer("G.In", G.In, In);
    check::pointer("G.Out", G.Out, Out);
    check::absent("Out", Out);
  }
};
} // namespace

// STOCK: ok mapper_alone
SHAPE(mapper_alone) {
  GridData &S = *new GridData;
  Grid &G = S.G;
#pragma omp target map(tofrom : G)
  for (int I = 0; I < G.Count; ++I)
    G.Out[I] = G.In[I] + 1;
  S.expect([](int I) { return I + 2; });
}

// STOCK-NEXT: ok implicit_mapper
SHAPE(implicit_mapper) {
  GridData &S = *new GridData;
  Grid &G = *new Grid(S.G);
#pragma omp target
  for (int I = 0; I < G.Count; ++I)
    G.Out[I] = G.In[I] + 2;
  check::pointer("the copy's In", G.In, S.In);
  S.expect([](int I) { return I + 3; });
}

// STOCK-NEXT: FAIL mapper_and_closure
SHAPE(mapper_and_closure) {
  GridData &S = *new GridData;
  Mapped<int> A(N);
  Grid &G = S.G;
  View X{A};
  int Factor = 3;
  auto Read = [=](int I) { return X[I]; };
  auto Scaled = [&](int I) { return Factor * Read(I); };
#pragma omp target map(tofrom : G)
  for (int I = 0; I < G.Count; ++I)
    G.Out[I] = G.In[I] + Scaled(I) + Read(I);
  check::absent("Factor", Factor);
  S.expect([&](int I) { return I + 1 + 4 * A.at(I); });
}

// STOCK-NEXT: FAIL named_mapper_and_closure
SHAPE(named_mapper_and_closure) {
  GridData &S = *new GridData;
  Mapped<int> Out(N, 2);
  Grid &G = S.G;
  View Y{Out};
  auto Write = [=](int I, int V) { Y[I] = V; };
#pragma omp target map(mapper(input), to : G)
  for (int I = 0; I < G.Count; ++I)
    Write(I, G.In[I] + 1);
  Out.expect([](int I) { return I + 2; });
  S.expect([](int) { return -1; });
}

// STOCK-NEXT: FAIL closure_over_mapped_grid
SHAPE(closure_over_mapped_grid) {
  // The grid is on the device with its members attached.
  GridData &S = *new GridData;
  Grid &G = S.G;
#pragma omp target enter data map(to : G)
  forall(N, [&](int I) { G.Out[I] = G.In[I] + 5; });
  forall(N, [=](int I) { G.Out[I] += G.In[I]; });
#pragma omp target exit data map(from : G)
  S.expect([](int I) { return 2 * I + 7; });
}

namespace {
struct Triad {
  int *X, *Y, *Z;
  View W;
  int Factor;
  void operator()(int I) const { Z[I] = Factor * X[I] + Y[I] + W[I]; }
};
} // namespace

// STOCK-NEXT: FAIL functor_with_attach_maps
SHAPE(functor_with_attach_maps) {
  // X and Z are mapped by the construct, Y and W before.
  Mapped<int> B(N, 3), C(N, 4);
  int A[N], Out[N];
  for (int I = 0; I < N; ++I)
    A[I] = I + 1, Out[I] = -1;
  Triad F{A, B, Out, {C}, 2};
#pragma omp target map(to : F) map(to : F.X[0 : N]) map(from : F.Z[0 : N])
  for (int I = 0; I < N; ++I)
    F(I);
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], 2 * (I + 1) + B.at(I) + C.at(I));
  check::pointer("X", F.X, A);
  check::pointer("Y", F.Y, B.Host);
  check::absent("F", F);
  check::absent("A", A);
  check::absent("Out", Out);
}

// STOCK-NEXT: ok all_members_attached
SHAPE(all_members_attached) {
  int A[N], B[N], C[N], Out[N];
  for (int I = 0; I < N; ++I)
    A[I] = I, B[I] = 2 * I, C[I] = 3 * I, Out[I] = -1;
  Triad F{A, B, Out, {C}, 2};
#pragma omp target map(to : F) map(to : F.X[0 : N], F.Y[0 : N]) \
    map(from : F.Z[0 : N]) map(to : F.W.Data[0 : N])
  for (int I = 0; I < N; ++I)
    F(I);
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], 7 * I);
  check::pointer("Z", F.Z, Out);
  check::absent("F", F);
}

// STOCK-NEXT: FAIL attached_by_enter_data
SHAPE(attached_by_enter_data) {
  Mapped<int> B(N, 3), C(N, 4);
  int A[N], Out[N];
  for (int I = 0; I < N; ++I)
    A[I] = I + 1, Out[I] = -1;
  Triad F{A, B, Out, {C}, 2};
#pragma omp target enter data map(to : F)
#pragma omp target enter data map(to : F.X[0 : N], F.Z[0 : N])
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    F(I);
#pragma omp target exit data map(from : F.Z[0 : N]) map(release : F.X[0 : N])
#pragma omp target exit data map(release : F)
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], 2 * (I + 1) + B.at(I) + C.at(I));
  check::pointer("Z", F.Z, Out);
  check::absent("F", F);
}

namespace {
/// Memory that takes the place on the device that was free last.
struct InBetween {
  int Memory[N];
  InBetween() {
#pragma omp target enter data map(alloc : Memory)
  }
  ~InBetween() {
#pragma omp target exit data map(delete : Memory)
  }
};
} // namespace

// STOCK-NEXT: FAIL attached_and_mapped_elsewhere
SHAPE(attached_and_mapped_elsewhere) {
  // The construct has attached what it unmaps.
  int A[N];
  for (int &X : A)
    X = 1;
  View V{A};
#pragma omp target enter data map(to : V)
#pragma omp target map(tofrom : V.Data[0 : N])
  for (int I = 0; I < N; ++I)
    V[I] += 1;
  InBetween Taken;
#pragma omp target enter data map(to : A)
#pragma omp target
  for (int I = 0; I < N; ++I)
    V[I] += 1;
#pragma omp target exit data map(from : A) map(release : V)
  for (int X : A)
    check::equal("A", X, 3);
}

namespace {
struct Row {
  int Length;
  int *Data;
};
#pragma omp declare mapper(with_data : Row R) map(R, R.Data[0 : R.Length])
} // namespace

// STOCK-NEXT: FAIL mapper_and_mapped_elsewhere
SHAPE(mapper_and_mapped_elsewhere) {
  int *A = new int[N], Sum = 0;
  for (int I = 0; I < N; ++I)
    A[I] = 1;
  Row *R = new Row{N, A};
#pragma omp target map(mapper(with_data), to : R[0 : 1]) map(from : Sum)
  Sum = R->Data[0] + R->Data[N - 1];
  check::equal("Sum", Sum, 2);
  InBetween Taken;
#pragma omp target enter data map(to : R[0 : 1], A[0 : N])
#pragma omp target
  for (int I = 0; I < R->Length; ++I)
    R->Data[I] += 1;
#pragma omp target exit data map(from : A[0 : N]) map(release : R[0 : 1])
  for (int I = 0; I < N; ++I)
    check::equal("A", A[I], 2);
}

// STOCK-NEXT: ok attached_and_always_copied
SHAPE(attached_and_always_copied) {
  // libomptarget 22 copies nothing where the program itself has attached.
  const bool Stays = check::offload() && __clang_major__ >= 22;
  int A[N], Sum = 0;
  for (int &X : A)
    X = 1;
  View V{A}, *P = &V;
#pragma omp target enter data map(to : P[0 : 1])
#pragma omp target enter data map(to : P->Data[0 : N])
#pragma omp target map(from : Sum)
  Sum = P->Data[0] + P->Data[N - 1];
  check::equal("Sum", Sum, 2);
  V.Data = nullptr;
#pragma omp target enter data map(always, to : P[0 : 1])
#pragma omp target map(from : Sum)
  Sum = P->Data ? P->Data[0] : -1;
  check::equal("Sum", Sum, Stays ? 1 : -1);
#pragma omp target exit data map(delete : P[0 : 1], A)
}

// STOCK-NEXT: ok attached_by_ferry_and_the_program
SHAPE(attached_by_ferry_and_the_program) {
  // What the program attached last is what comes back as the host's.
  Mapped<int> A(N), Out(N, 2);
  int B[N], *Q = Out;
  for (int I = 0; I < N; ++I)
    B[I] = I;
  View V{A}, *P = &V;
#pragma omp target enter data map(to : P[0 : 1])
  forall(N, [=](int I) { Q[I] = P->Data[I]; });
  V.Data = B;
#pragma omp target enter data map(to : P->Data[0 : N])
  forall(N, [=](int I) { Q[I] = P->Data[I]; });
#pragma omp target update from(P[0 : 1])
  check::pointer("Data", V.Data, B);
#pragma omp target exit data map(delete : P[0 : 1], B)
  Out.expect([&](int I) { return I; });
}

namespace {
struct Solver {
  int *In, *Out;
  View More;
  int Factor;
  void run() {
#pragma omp target map(to : this->In[0 : N]) map(from : this -> Out[0 : N])
    for (int I = 0; I < N; ++I)
      Out[I] = Factor * In[I] + More[I];
  }
};
} // namespace

// STOCK-NEXT: FAIL members_of_this
SHAPE(members_of_this) {
  Mapped<int> C(N, 4);
  int A[N], Out[N];
  for (int I = 0; I < N; ++I)
    A[I] = I + 1, Out[I] = -1;
  Solver S{A, Out, {C}, 3};
  S.run();
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], 3 * (I + 1) + C.at(I));
  check::pointer("In", S.In, A);
  check::absent("the object", S);
  check::absent("A", A);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
