// Target tasks: nowait, depend, taskgroup, and launches by many host threads.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

namespace {
constexpr int N = 300;
}

PROGRAM(chain_of_dependences) {
  int A[N], B[N], *P = A, *Q = B;
  for (int I = 0; I < N; ++I)
    A[I] = I, B[I] = 1;
#pragma omp target enter data map(to : P[0 : N], Q[0 : N])
  for (int R = 0; R < 4; ++R) {
#pragma omp target teams distribute parallel for nowait depend(inout : Q[0])
    for (int I = 0; I < N; ++I)
      Q[I] = Q[I] * 2 + P[I];
  }
#pragma omp taskwait
#pragma omp target exit data map(from : Q[0 : N]) map(release : P[0 : N])
  for (int I = 0; I < N; ++I)
    check::value("B", B[I], 16 + 15 * I, I);
}

PROGRAM(data_in_tasks) {
  double A[N], *P = A;
  for (int I = 0; I < N; ++I)
    A[I] = I;
#pragma omp target enter data map(to : P[0 : N]) nowait depend(out : P[0])
#pragma omp target teams distribute parallel for nowait depend(inout : P[0])
  for (int I = 0; I < N; ++I)
    P[I] += 0.5;
#pragma omp target update from(P[0 : N]) nowait depend(inout : P[0])
#pragma omp target exit data map(release : P[0 : N]) nowait depend(in : P[0])
#pragma omp taskwait
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I + 0.5, I);
}

PROGRAM(task_group) {
  constexpr int Tasks = 8;
  int A[Tasks][N];
#pragma omp taskgroup
  for (int T = 0; T < Tasks; ++T) {
    int *P = A[T];
#pragma omp target teams distribute parallel for nowait firstprivate(T) \
    map(from : P[0 : N])
    for (int I = 0; I < N; ++I)
      P[I] = T * 1000 + I;
  }
  for (int T = 0; T < Tasks; ++T)
    for (int I = 0; I < N; ++I)
      check::value("A", A[T][I], T * 1000 + I, T * N + I);
}

PROGRAM(many_host_threads) {
  constexpr int Threads = 6;
  static long Sum[Threads];
#pragma omp parallel for num_threads(Threads)
  for (int T = 0; T < Threads; ++T) {
    long S = 0;
    for (int R = 0; R < 5; ++R) {
#pragma omp target teams distribute parallel for reduction(+ : S)
      for (int I = 0; I < N; ++I)
        S += I + T;
    }
    Sum[T] = S;
  }
  for (int T = 0; T < Threads; ++T)
    check::value("Sum", Sum[T], 5L * (N * (N - 1) / 2 + N * T), T);
}

PROGRAM(host_works_meanwhile) {
  int A[N], Host = 0;
#pragma omp target teams distribute parallel for nowait map(from : A)
  for (int I = 0; I < N; ++I)
    A[I] = 2 * I;
  for (int I = 0; I < N; ++I)
    Host += I;
#pragma omp taskwait
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 2 * I, I);
  check::value("Host", Host, N * (N - 1) / 2);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
