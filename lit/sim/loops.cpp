// Work-sharing loops: where they begin and end, their steps and index types.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

PROGRAM(copy) {
  constexpr int N = 1000;
  int A[N], B[N];
  for (int I = 0; I < N; ++I)
    A[I] = 3 * I - 7, B[I] = -1;
#pragma omp target teams distribute parallel for map(to : A) map(from : B)
  for (int I = 0; I < N; ++I)
    B[I] = A[I];
  check::array("B", B, A, N);
}

PROGRAM(saxpy) {
  constexpr int N = 5000;
  static float X[N], Y[N], Want[N];
  for (int I = 0; I < N; ++I) {
    X[I] = 0.25f * I, Y[I] = 100 - I;
    Want[I] = 2 * X[I] + Y[I];
  }
  const float Factor = 2;
#pragma omp target teams distribute parallel for map(to : X) map(tofrom : Y)
  for (int I = 0; I < N; ++I)
    Y[I] = Factor * X[I] + Y[I];
  check::array("Y", Y, Want, N);
}

PROGRAM(empty_loops) {
  int Runs = 0, None = 0, Backwards = -5;
#pragma omp target teams distribute parallel for map(tofrom : Runs)
  for (int I = 0; I < None; ++I) {
#pragma omp atomic
    ++Runs;
  }
#pragma omp target teams distribute parallel for map(tofrom : Runs)
  for (int I = 10; I < Backwards; ++I) {
#pragma omp atomic
    ++Runs;
  }
#pragma omp target map(tofrom : Runs)
#pragma omp parallel for
  for (long I = 0; I < None; ++I) {
#pragma omp atomic
    ++Runs;
  }
  check::value("iterations", Runs, 0);
}

PROGRAM(one_iteration) {
  int Runs = 0, Index = -1, One = 1;
#pragma omp target teams distribute parallel for map(tofrom : Runs, Index)
  for (int I = 0; I < One; ++I) {
#pragma omp atomic
    ++Runs;
    Index = I;
  }
  check::value("iterations", Runs, 1);
  check::value("index", Index, 0);
}

PROGRAM(steps) {
  constexpr int N = 700;
  int Seen[N] = {}, Want[N] = {};
  for (int I = 3; I < N; I += 7)
    Want[I] += I;
  for (int I = N - 1; I > 20; I -= 13)
    Want[I] += 1000 + I;
#pragma omp target teams distribute parallel for map(tofrom : Seen)
  for (int I = 3; I < N; I += 7)
    Seen[I] += I;
#pragma omp target teams distribute parallel for map(tofrom : Seen)
  for (int I = N - 1; I > 20; I -= 13)
    Seen[I] += 1000 + I;
  check::array("Seen", Seen, Want, N);
}

PROGRAM(long_index) {
  constexpr int N = 300;
  const long Begin = (1L << 40) - 150;
  long Seen[N], Want[N];
  for (int I = 0; I < N; ++I)
    Want[I] = (Begin + I) * 3;
#pragma omp target teams distribute parallel for map(from : Seen)
  for (long I = Begin; I < Begin + N; ++I)
    Seen[I - Begin] = I * 3;
  check::array("Seen", Seen, Want, N);
}

PROGRAM(long_step) {
  long Sum = 0, Want = 0;
  const long Step = 1L << 31, End = Step * 900;
  for (long I = 5; I < End; I += Step)
    Want += I % 1009;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
  for (long I = 5; I < End; I += Step)
    Sum += I % 1009;
  check::value("Sum", Sum, Want);
}

PROGRAM(unsigned_index) {
  constexpr unsigned N = 513;
  unsigned Seen[N], Want[N];
  const unsigned Begin = 0x80000000u - 200;
  for (unsigned I = 0; I < N; ++I)
    Want[I] = (Begin + I) / 3;
#pragma omp target teams distribute parallel for map(from : Seen)
  for (unsigned I = Begin; I < Begin + N; ++I)
    Seen[I - Begin] = I / 3;
  check::array("Seen", Seen, Want, N);
}

PROGRAM(narrow_index) {
  constexpr int N = 120;
  int Seen[N] = {}, Want[N];
  for (int I = 0; I < N; ++I)
    Want[I] = 2 * I;
#pragma omp target teams distribute parallel for map(tofrom : Seen)
  for (signed char I = 0; I < N; ++I)
    Seen[I] += I;
#pragma omp target teams distribute parallel for map(tofrom : Seen)
  for (unsigned short I = 0; I < N; ++I)
    Seen[I] += I;
  check::array("Seen", Seen, Want, N);
}

PROGRAM(pointer_index) {
  constexpr int N = 257;
  int A[N], Want[N];
  for (int I = 0; I < N; ++I)
    A[I] = I, Want[I] = I * I;
#pragma omp target data map(tofrom : A)
#pragma omp target teams distribute parallel for
  for (int *P = &A[0]; P < &A[0] + N; ++P)
    *P *= *P;
  check::array("A", A, Want, N);
}

PROGRAM(many_iterations) {
  constexpr long N = 200000;
  static unsigned char Seen[N];
  memset(Seen, 0, N);
  long Sum = 0;
#pragma omp target teams distribute parallel for num_teams(7) thread_limit(64) \
    map(tofrom : Seen) reduction(+ : Sum)
  for (long I = 0; I < N; ++I) {
    Seen[I] += 1 + I % 5;
    Sum += I;
  }
  check::value("Sum", Sum, N * (N - 1) / 2);
  for (long I = 0; I < N; ++I)
    check::value("Seen", Seen[I], 1 + I % 5, I);
}

PROGRAM(many_blocks) {
  constexpr int N = 40000;
  static int Seen[N];
#pragma omp target teams distribute parallel for num_teams(N) thread_limit(1) \
    map(from : Seen)
  for (int I = 0; I < N; ++I)
    Seen[I] = omp_get_team_num() == I ? I : -1;
  for (int I = 0; I < N; ++I)
    check::value("Seen", Seen[I], I, I);
}

PROGRAM(bounds_from_device_memory) {
  constexpr int Rows = 40;
  int First[Rows + 1], Sum[Rows], Want[Rows];
  First[0] = 0;
  for (int I = 0; I < Rows; ++I)
    First[I + 1] = First[I] + I * 5 % 17;
  for (int I = 0; I < Rows; ++I) {
    Want[I] = 0;
    for (int K = First[I]; K < First[I + 1]; ++K)
      Want[I] += K;
  }
#pragma omp target teams distribute parallel for map(to : First) \
    map(from : Sum)
  for (int I = 0; I < Rows; ++I) {
    Sum[I] = 0;
    for (int K = First[I]; K < First[I + 1]; ++K)
      Sum[I] += K;
  }
  check::array("Sum", Sum, Want, Rows);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
