// Each planted mistake is named right: on the host device without optimisation
// and with it, and on the simulated GPU.
//
// RUN: for o in -O0 -O2; do \
// RUN:   %ferry_clangxx --ferry-check %offload -Wno-openmp-mapping $o %s -o %t || exit 1; \
// RUN:   %t none 2> %t.none && count 0 < %t.none || exit 1; \
// RUN:   for m in forgotten short released record table null member reference argument far last; do \
// RUN:     echo "$m at $o"; (%t $m 2>&1 || true) | FileCheck %s --check-prefix=$m || exit 1; done; done
// RUN: %if device-runtime %{ \
// RUN:   %sim_cxx --ferry-check -O2 -Wno-openmp-mapping %s -o %t.sim && \
// RUN:   %ferry_sim --quiet --strict -- %t.sim none 2>&1 | count 0 && \
// RUN:   (%ferry_sim --quiet -- %t.sim forgotten 2>&1 || true) | FileCheck %s --check-prefix=forgotten && \
// RUN:   (%ferry_sim --quiet -- %t.sim short 2>&1 || true) | FileCheck %s --check-prefix=short && \
// RUN:   (%ferry_sim --quiet -- %t.sim null 2>&1 || true) | FileCheck %s --check-prefix=null %}

#include <cstring>
#include <omp.h>

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

struct View {
  double *Data;
};
struct Grid {
  View U;
  double *F;
  int N;
  void smooth() {
    forall(N, [=](int I) { U.Data[I] += F[I]; });
  }
};

constexpr int N = 100;

int main(int, char **Arguments) {
  const char *Mistake = Arguments[1];
  auto Is = [&](const char *M) { return !strcmp(Mistake, M); };
  double *Block = new double[4 * N]();
  View X{Block};
  double *Y = Block + N + 8, *Z = Block + 3 * N;
  int *Null = nullptr;
  // What a test of the program's own hides is no mistake.
  const bool Flag = Is("never");
  const int None = Is("never");
  Grid *Unmapped = new Grid{};
#pragma omp target enter data map(to : X.Data[0 : N])
  if (!Is("forgotten")) {
    const int Part = Is("short") ? N / 2 : N;
#pragma omp target enter data map(to : Y[0 : Part])
  }
  forall(N, [=](int I) {
    X.Data[I] += Y[I];
    if (Flag)
      X.Data[I] += Z[I];
    for (int J = 0; J < None; ++J)
      X.Data[I] += Null[J];
    if (X.Data[I] > 1e9)
      X.Data[I] += Z[I] + Unmapped->N;
  });
  // forgotten: ferry-check: mapping.cpp:[[#]], kernel forall<main::lambda at mapping.cpp:[[#@LINE-9]]>, device 0, launch 1
  // forgotten-NEXT: 'Loop.Y' = 0x{{[0-9a-f]+}}, used at mapping.cpp:[[#@LINE-9]], is not mapped
  // forgotten-NEXT: nearest mapping: X.Data[0:N] (800 bytes, mapping.cpp:[[#@LINE-16]]), ends 64 bytes before
  // forgotten-NEXT: hint: target enter data map(to: Y[0:100])
  // short: 'Loop.Y' = {{.*}}, is partly mapped: bytes 0 to 799 are accessed, 0 to 399 are mapped
  // short-NEXT: nearest mapping: Y[0:Part] (400 bytes

  if (Is("released")) {
#pragma omp target exit data map(release : Y[0 : N])
    forall(N, [=](int I) { X.Data[I] = Y[I]; });
    // released: launch 2
    // released-NEXT: 'Loop.Y' = {{.*}} was mapped until launch 1
    // released: hint: unmap Y[0:Part] (800 bytes, mapping.cpp:[[#]]) behind this launch
  }

  // A record, and a table, on the way.
  Grid G{X, Y, N};
  Grid *P = &G;
  double *Rows[2] = {X.Data, Y};
  double **Table = Rows;
  if (!Is("record")) {
#pragma omp target enter data map(to : P[0 : 1])
  }
  forall(N, [=](int I) { P->U.Data[I] += P->N; });
  // record: 'Loop.P' = {{.*}}, used at mapping.cpp:[[#@LINE-1]], leads to pointers and is not mapped
  // record: hint: target enter data map(to: P[0:1])
  if (!Is("table")) {
#pragma omp target enter data map(to : Table[0 : 2])
  }
  forall(N, [=](int I) { Table[0][I] += Table[1][I]; });
  // table: 'Loop.Table' = {{.*}} leads to pointers and is not mapped
  // table: hint: target enter data map(to: Table[0:2])

  if (Is("null"))
    Y = nullptr;
  forall(Is("null") ? 1 : 0, [=](int I) {
    if (I > N)
      Y[I] = 0;
    else
      X.Data[I] = Y[I];
  });
  // null: 'Loop.Y' = null, used at mapping.cpp:[[#@LINE-2]], is followed

  Grid H{X, Is("member") ? Z : Block, N};
  H.smooth();
  // member: 'Loop.this->F' = {{.*}} is not mapped
  // member: hint: target enter data map(to: this->F[0:100])

  double *W = Is("reference") ? Z : Block;
  forall(N, [&](int I) { X.Data[I] += W[I]; });
  // reference: 'Loop.W' = {{.*}} is not mapped

  double *V = Is("argument") ? Z : Block;
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    V[I] += 1;
  // argument: 'V' = {{.*}} is not mapped
  // argument: hint: target enter data map(tofrom: V[0:100])

  // Only what is accessed has to be there: from the 11th on, backwards.
  double *Q = Is("far") ? Z : Block - 10;
  forall(N, [=](int I) { Q[10 + N - 1 - I] = 1; });
  // far: 'Loop.Q' = {{.*}} is not mapped
  // far: hint: target enter data map(tofrom: Q[10:100])

  const int More = Is("last") ? 1 : 0;
  forall(N - 1, [=](int I) { X.Data[I] = X.Data[I + 1 + More]; });
  // last: 'Loop.X.Data' = {{.*}} is partly mapped: bytes 0 to 807 are accessed, 0 to 799 are mapped
}
