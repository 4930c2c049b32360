// Pointers of a table at the index of a loop, by the first and the last round:
// tables captured by value and by reference, mapped ones, records, members; with
// what their objects hold beside them.
//
// RUN: for o in -O0 -O2; do \
// RUN:   %ferry_clangxx --ferry-check %offload -Wno-openmp-mapping $o %s -o %t || exit 1; \
// RUN:   env FERRY_CHECK=error %t right 2>&1 | count 0 || exit 1; \
// RUN:   for m in value inner beside reference table records member argument first short released null; do \
// RUN:     echo "$m at $o"; (%t $m 2>&1 || true) | FileCheck %s --check-prefix=$m || exit 1; done; done
// RUN: %if device-runtime %{ \
// RUN:   %sim_cxx --ferry-check -O2 -Wno-openmp-mapping %s -o %t.sim && \
// RUN:   env FERRY_CHECK=error %ferry_sim --quiet --strict -- %t.sim right 2>&1 | count 0 && \
// RUN:   (%ferry_sim --quiet -- %t.sim value 2>&1 || true) | FileCheck %s --check-prefixes=value,simulator && \
// RUN:   (%ferry_sim --quiet -- %t.sim table 2>&1 || true) | FileCheck %s --check-prefix=table %}

#include <cstring>

template <typename Body>
void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

constexpr int N = 100, Rows = 3;

struct Row {
  long Length;
  double *Cells;
};

struct Grid {
  double *Levels[Rows];
  void fill(int M) {
    forall(Rows, [=](int I) {
      for (int J = 0; J < M; ++J)
        Levels[I][J] = J;
    });
  }
};

int main(int, char **Arguments) {
  const char *Mistake = Arguments[1];
  auto Is = [&](const char *M) { return !strcmp(Mistake, M); };
  auto *Block = new double[6 * N]();
  double *X = Block, *Y = Block + N, *Z = Block + 2 * N;
  double *Wrong = Block + 4 * N;
#pragma omp target enter data map(to : X[0 : N], Y[0 : N], Z[0 : N])
  const int M = N;
  auto Last = [&](const char *If) { return Is(If) ? Wrong : Z; };

  double *A[Rows] = {X, Y, Last("value")};
  forall(Rows, [=](int I) {
    for (int J = 0; J < M; ++J)
      A[I][J] += 1;
  });
  // value: ferry-check: tables.cpp:[[#]], kernel forall<main::lambda at tables.cpp:[[#@LINE-4]]>, device 0, launch 1
  // value-NEXT: 'Loop.A[2]' = 0x{{[0-9a-f]+}}, used at tables.cpp:[[#@LINE-3]], is not mapped
  // value-NEXT: nearest mapping: Z[0:N] (800 bytes, tables.cpp:[[#@LINE-11]]), ends 800 bytes before
  // value-NEXT: hint: target enter data map(tofrom: A[2][0:100])
  // value-NOT: ferry-check
  // simulator: host-pointer: {{.*}} nearest captured pointer: 'Loop.A[2]'

  // The other loop chooses the pointer.
  double *B[Rows] = {X, Y, Last("inner")};
  forall(N, [=](int I) {
    for (int K = 0; K < Rows; ++K)
      B[K][I] = I;
  });
  // inner: 'Loop.B[2]' = {{.*}} is not mapped
  // inner: hint: target enter data map(tofrom: B[2][0:100])

  // What stands beside a table, and the first two of it.
  double *C[Rows] = {X, Y, Wrong}, *Beside = Last("beside");
  forall(Rows - 1, [=](int I) {
    for (int J = 0; J < M; ++J)
      C[I][J] = Beside[J];
  });
  // beside: 'Loop.Beside' = {{.*}} is not mapped
  // beside-NOT: ferry-check

  double *D[Rows] = {X, Y, Last("reference")};
  forall(Rows, [&](int I) { D[I][7] += 1; });
  // reference: 'Loop.D[2]' = {{.*}} is not mapped
  // reference: hint: target enter data map(tofrom: D[2][7:1])

  auto *Table = new double *[Rows] { X, Y, Last("table") };
#pragma omp target enter data map(to : Table[0 : Rows])
  forall(Rows, [=](int I) {
    for (int J = 0; J < M; ++J)
      Table[I][J] += 1;
  });
  // table: 'Loop.Table[2]' = {{.*}} is not mapped

  auto *List = new Row[Rows]{{N, X}, {N, Y}, {N, Last("records")}};
#pragma omp target enter data map(to : List[0 : Rows])
  forall(Rows, [=](int I) { List[I].Cells[0] += 1; });
  // records: 'Loop.List[2].Cells' = {{.*}} is not mapped
  // records: hint: target enter data map(tofrom: List[2].Cells[0:1])

  Grid G{{X, Y, Last("member")}};
  G.fill(N);
  // member: 'Loop.this->Levels[2]' = {{.*}} is not mapped

  auto *Arg = new double *[Rows] { X, Y, Last("argument") };
#pragma omp target enter data map(to : Arg[0 : Rows])
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < M; ++J)
      Arg[I][J] += 1;
  // argument: 'Arg[2]' = {{.*}} is not mapped

  // From the second on, backwards, each other one.
  double *E[6] = {Wrong, X, Wrong, Y, Wrong, Last("first")};
  forall(Rows, [=](int I) { E[5 - 2 * I][I] = 0; });
  // first: 'Loop.E[5]' = {{.*}} is not mapped
  // first-NOT: ferry-check

  // An earlier launch has translated the device's copy of the table.
  auto *Twice = new double *[2]{X, Is("short") ? Z + N / 2 : Y};
#pragma omp target enter data map(to : Twice[0 : 2])
  forall(1, [=](int I) { Twice[1][I] += 1; });
  if (Is("released")) {
#pragma omp target exit data map(release : Y[0 : N])
  }
  forall(2, [=](int I) {
    for (int J = 0; J < M; ++J)
      Twice[I][J] += 1;
  });
  // short: 'Loop.Twice[1]' = {{.*}} is partly mapped: bytes 0 to 799 are accessed, -400 to 399 are mapped
  // released: 'Loop.Twice[1]' = {{.*}} was mapped until launch [[#]]

  // One round is the first and the last.
  double *F[Rows] = {X, Is("null") ? nullptr : Y, X};
  forall(1, [=](int I) { F[I + 1][I] = 1; });
  // null: 'Loop.F[1]' = null, used at tables.cpp:[[#@LINE-1]], is followed
  // null-NOT: ferry-check

  // No mistakes: a table that the kernel changes, or fills, an index that depends
  // on data, rows that nobody reads.
  auto *Swapped = new double *[2]{X, Wrong};
#pragma omp target enter data map(to : Swapped[0 : 2])
#pragma omp target
  {
    Swapped[1] = Swapped[0];
    for (int I = 0; I < 2; ++I)
      Swapped[I][0] += 1;
  }
  auto *Filled = new double *[2]();
#pragma omp target enter data map(to : Filled[0 : 2])
#pragma omp target
  Filled[0] = Filled[1] = X;
  forall(2, [=](int I) { Filled[I][0] += 1; });
  double *P[2] = {Wrong, X};
  forall(N, [=](int I) {
    for (int K = X[I] < -1 ? 0 : 1; K < 2; ++K)
      P[K][I] += 1;
    for (int K = 0; K < 2; ++K)
      if (K != 0)
        P[K][I] += 1;
  });
}
