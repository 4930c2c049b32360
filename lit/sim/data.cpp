// Where data lives: target data, enter, exit and update, and the map types.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

namespace {
constexpr int N = 180;

struct Vector {
  int Size;
  double *Data;
};
#pragma omp declare mapper(Vector V) map(V.Size) map(V.Data[0 : V.Size])
} // namespace

PROGRAM(kept_between_kernels) {
  int A[N], *P = A;
  for (int I = 0; I < N; ++I)
    A[I] = I;
#pragma omp target data map(tofrom : P[0 : N])
  {
    for (int R = 0; R < 4; ++R) {
#pragma omp target teams distribute parallel for
      for (int I = 0; I < N; ++I)
        P[I] = P[I] * 2 + 1;
    }
    check::value("the host's", A[5], 5);
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 16 * I + 15, I);
}

PROGRAM(enter_and_exit) {
  double *P = new double[N];
  for (int I = 0; I < N; ++I)
    P[I] = I;
#pragma omp target enter data map(to : P[0 : N])
  for (int I = 0; I < N; ++I)
    P[I] = -1;
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    P[I] += 0.5;
  check::value("before", P[3], -1);
  check::value("present", omp_target_is_present(P, 0), 1);
#pragma omp target exit data map(from : P[0 : N])
  check::value("gone", omp_target_is_present(P, 0), 0);
  for (int I = 0; I < N; ++I)
    check::value("P", P[I], I + 0.5, I);
  delete[] P;
}

PROGRAM(updates) {
  int A[N], *P = A;
  for (int I = 0; I < N; ++I)
    A[I] = I;
#pragma omp target data map(to : P[0 : N])
  {
    for (int I = 0; I < N; ++I)
      P[I] = 2 * I;
#pragma omp target update to(P[10 : 20])
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      P[I] += 1000;
#pragma omp target update from(P[5 : 50])
  }
  for (int I = 0; I < N; ++I)
    check::value("P", P[I],
                 I < 5 || I >= 55 ? 2 * I
                                  : 1000 + (I >= 10 && I < 30 ? 2 * I : I),
                 I);
}

PROGRAM(section_of_rows) {
  static int A[12][30];
  memset(A, 0, sizeof(A));
#pragma omp target teams distribute parallel for collapse(2) \
    map(tofrom : A[3 : 6][0 : 30])
  for (int I = 3; I < 9; ++I)
    for (int J = 0; J < 30; ++J)
      A[I][J] = I * 100 + J;
  for (int I = 0; I < 12; ++I)
    for (int J = 0; J < 30; ++J)
      check::value("A", A[I][J], I >= 3 && I < 9 ? I * 100 + J : 0, I);
}

PROGRAM(always) {
  int X = 1;
#pragma omp target data map(to : X)
  {
    X = 5;
#pragma omp target map(always, tofrom : X)
    X *= 10;
    check::value("X", X, 50);
  }
}

PROGRAM(allocated_and_deleted) {
  int *P = new int[N];
#pragma omp target enter data map(alloc : P[0 : N])
#pragma omp target enter data map(alloc : P[0 : N])
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    P[I] = 3 * I;
#pragma omp target update from(P[0 : N])
#pragma omp target exit data map(delete : P[0 : N])
  check::value("present", omp_target_is_present(P, 0), 0);
  for (int I = 0; I < N; ++I)
    check::value("P", P[I], 3 * I, I);
  delete[] P;
}

PROGRAM(member_pointers) {
  Vector V{N, new double[N]};
  for (int I = 0; I < N; ++I)
    V.Data[I] = I;
#pragma omp target teams distribute parallel for map(tofrom : V.Data[0 : N]) map(to : V.Size)
  for (int I = 0; I < N; ++I)
    V.Data[I] = V.Data[I] * 2 + V.Size;
  for (int I = 0; I < N; ++I)
    check::value("Data", V.Data[I], 2.0 * I + N, I);
  delete[] V.Data;
}

PROGRAM(mapper) {
  Vector V{N, new double[N]};
  for (int I = 0; I < N; ++I)
    V.Data[I] = I;
#pragma omp target teams distribute parallel for map(tofrom : V)
  for (int I = 0; I < V.Size; ++I)
    V.Data[I] += 0.25;
  for (int I = 0; I < N; ++I)
    check::value("Data", V.Data[I], I + 0.25, I);
  delete[] V.Data;
}

PROGRAM(implicit_maps) {
  int A[N], Scalar = 7, Untouched = 1;
  double Factor = 0.5;
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I) {
    A[I] = int(I * Factor) + Scalar;
    Untouched = 2;
  }
  check::value("Untouched", Untouched, 1);
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I / 2 + 7, I);
}

PROGRAM(default_map) {
  int X = 1, Y = 2;
#pragma omp target defaultmap(tofrom : scalar)
  {
    X = X + 10;
    Y = Y + X;
  }
  check::value("X, Y", X * 100 + Y, 1113);
}

PROGRAM(null_and_empty) {
  int *P = nullptr, Zero = 0, Null = 0;
#pragma omp target map(to : P[0 : Zero]) map(from : Null)
  Null = P == nullptr;
  check::value("Null", Null, 1);
}

PROGRAM(shared_by_two_scopes) {
  int A[N] = {}, *P = A;
#pragma omp target data map(tofrom : P[0 : N])
  {
#pragma omp target data map(tofrom : P[0 : N])
    {
#pragma omp target teams distribute parallel for map(tofrom : P[0 : N])
      for (int I = 0; I < N; ++I)
        P[I] = I;
    }
    check::value("still the host's", A[7], 0);
  }
  check::value("copied back", A[7], 7);
}

PROGRAM(large) {
  constexpr long M = 1 << 20;
  double *P = new double[M];
  for (long I = 0; I < M; ++I)
    P[I] = I;
  double Got = 0;
#pragma omp target map(to : P[0 : M]) map(from : Got)
  Got = P[0] + P[M / 2] + P[M - 1];
  check::value("Got", Got, M / 2 + M - 1);
  delete[] P;
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
