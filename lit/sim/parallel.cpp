// Parallel regions in kernels of every kind: generic ones with sequential parts,
// nested and orphaned regions, barriers, single, masked, sections.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

#pragma omp declare target
__attribute__((noinline)) static void fill(int *A, int N, int Value) {
#pragma omp for
  for (int I = 0; I < N; ++I)
    A[I] += Value + I;
}

__attribute__((noinline)) static void fillInParallel(int *A, int N, int Value) {
#pragma omp parallel for
  for (int I = 0; I < N; ++I)
    A[I] += Value + I;
}

__attribute__((noinline)) static int next(int X) {
  return (X * 1103 + 12345) % 9973;
}
#pragma omp end declare target

PROGRAM(sequential_parts) {
  constexpr int N = 300;
  int A[N] = {}, Want[N] = {}, Last = 0, WantLast = 0;
  for (int R = 0, X = 7; R < 3; ++R) {
    X = next(X);
    for (int I = 0; I < N; ++I)
      Want[I] += X + I;
    WantLast += Want[N - 1];
  }
#pragma omp target map(tofrom : A, Last)
  {
    int X = 7;
    for (int R = 0; R < 3; ++R) {
      X = next(X);
#pragma omp parallel for
      for (int I = 0; I < N; ++I)
        A[I] += X + I;
      Last += A[N - 1];
    }
  }
  check::array("A", A, Want, N);
  check::value("Last", Last, WantLast);
}

PROGRAM(sequential_only) {
  constexpr int N = 50;
  int A[N];
#pragma omp target map(from : A)
  {
    A[0] = 1;
    for (int I = 1; I < N; ++I)
      A[I] = next(A[I - 1]);
  }
  int X = 1;
  for (int I = 0; I < N; ++I, X = next(X))
    check::value("A", A[I], X, I);
}

PROGRAM(teams_with_parallel_regions) {
  constexpr int T = 5, N = 90;
  int A[T * N] = {}, Sums[T] = {};
#pragma omp target teams distribute num_teams(3) thread_limit(64) \
    map(tofrom : A, Sums)
  for (int G = 0; G < T; ++G) {
    int X = G;
    for (int R = 0; R < 3; ++R) {
      X = next(X);
#pragma omp parallel for
      for (int I = 0; I < N; ++I)
        A[G * N + I] += X;
    }
    Sums[G] = X;
  }
  for (int G = 0; G < T; ++G) {
    int X1 = next(G), X2 = next(X1), X3 = next(X2);
    check::value("Sums", Sums[G], X3, G);
    for (int I = 0; I < N; ++I)
      check::value("A", A[G * N + I], X1 + X2 + X3, G * N + I);
  }
}

PROGRAM(nested_parallel) {
  int Inner = 0, Outer = 0, Levels = 0, Width = 0;
#pragma omp target map(tofrom : Inner, Outer, Levels, Width)
#pragma omp parallel num_threads(6)
  {
#pragma omp atomic
    ++Outer;
#pragma omp parallel num_threads(3)
    {
#pragma omp atomic
      ++Inner;
      if (omp_get_ancestor_thread_num(1) == 5 && omp_get_thread_num() == 0) {
        Levels = omp_get_level();
        Width = omp_get_num_threads();
      }
    }
  }
  check::value("outer threads", Outer, 6);
  check::value("level", Levels, 2);
  // The device runtime runs a nested region with one thread.
  check::value("inner threads", Inner, 6 * Width);
}

PROGRAM(nested_loops) {
  constexpr int N = 20, M = 30;
  int A[N][M] = {};
#pragma omp target teams distribute parallel for map(tofrom : A) num_teams(2)
  for (int I = 0; I < N; ++I) {
#pragma omp parallel for
    for (int J = 0; J < M; ++J)
      A[I][J] += I * M + J;
  }
  for (int I = 0; I < N * M; ++I)
    check::value("A", A[0][I], I, I);
}

PROGRAM(orphaned) {
  constexpr int N = 150;
  int A[N] = {}, *P = A;
#pragma omp target data map(tofrom : A)
  {
#pragma omp target
#pragma omp parallel num_threads(33)
    fill(P, N, 3);
#pragma omp target
    fillInParallel(P, N, 4);
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 7 + 2 * I, I);
}

PROGRAM(barriers) {
  constexpr int T = 96, Steps = 5;
  int A[2][T], Want[2][T];
  for (int I = 0; I < T; ++I)
    A[0][I] = Want[0][I] = I * I;
  for (int S = 0; S < Steps; ++S)
    for (int I = 0; I < T; ++I)
      Want[(S + 1) & 1][I] = Want[S & 1][(I + 1) % T] - Want[S & 1][I];
#pragma omp target parallel num_threads(T) map(tofrom : A)
  {
    int I = omp_get_thread_num();
    for (int S = 0; S < Steps; ++S) {
      A[(S + 1) & 1][I] = A[S & 1][(I + 1) % T] - A[S & 1][I];
#pragma omp barrier
    }
  }
  check::array("A", A[0], Want[0], 2 * T);
}

PROGRAM(single_and_masked) {
  int Single = 0, Masked = -1, Master = -1, After = 0;
#pragma omp target parallel num_threads(40) \
    map(tofrom : Single, Masked, Master, After)
  {
#pragma omp single
    Single += 5;
#pragma omp masked
    Masked = omp_get_thread_num();
#pragma omp master
    Master = omp_get_thread_num();
#pragma omp barrier
    if (Single == 5 && Masked == 0) {
#pragma omp atomic
      ++After;
    }
  }
  check::value("Single", Single, 5);
  check::value("Masked", Masked, 0);
  check::value("Master", Master, 0);
  check::value("threads that saw it", After, 40);
}

PROGRAM(sections) {
  int A = 0, B = 0, C = 0, Sum = 0;
#pragma omp target map(tofrom : A, B, C, Sum)
#pragma omp parallel sections num_threads(2) reduction(+ : Sum)
  {
#pragma omp section
    A = 1, Sum += 1;
#pragma omp section
    B = 2, Sum += 2;
#pragma omp section
    C = 3, Sum += 3;
  }
  check::value("A, B, C", A * 100 + B * 10 + C, 123);
  check::value("Sum", Sum, 6);
}

PROGRAM(if_clauses) {
  int Threads = 0, Here = 0, Yes = 1, No = 0;
#pragma omp target map(tofrom : Threads) if (target : Yes)
#pragma omp parallel if (parallel : Yes) num_threads(12)
  {
#pragma omp atomic
    ++Threads;
  }
#pragma omp target if (No) map(tofrom : Here)
  Here = omp_is_initial_device();
  check::value("Threads", Threads, 12);
  check::value("on the host", Here, 1);
}

PROGRAM(nowait_loops) {
  constexpr int N = 130;
  int A[N], B[N];
#pragma omp target parallel num_threads(64) map(from : A, B)
  {
#pragma omp for nowait
    for (int I = 0; I < N; ++I)
      A[I] = I;
#pragma omp for nowait
    for (int I = 0; I < N; ++I)
      B[I] = 2 * I;
  }
  for (int I = 0; I < N; ++I)
    check::value("A + B", A[I] + B[I], 3 * I, I);
}

PROGRAM(threads_of_each_region) {
  int Threads[4] = {};
#pragma omp target map(tofrom : Threads) thread_limit(128)
  {
#pragma omp parallel num_threads(128)
    if (omp_get_thread_num() == 0)
      Threads[0] = omp_get_num_threads();
#pragma omp parallel num_threads(1)
    Threads[1] = omp_get_num_threads();
#pragma omp parallel num_threads(32)
    if (omp_get_thread_num() == 31)
      Threads[2] = omp_get_num_threads();
    // The device runtime takes a multiple of 32.
#pragma omp parallel num_threads(66)
    if (omp_get_thread_num() == 63)
      Threads[3] = omp_get_num_threads();
  }
  check::value("Threads[0]", Threads[0] <= 128 && Threads[0] > 1, true);
  check::value("Threads[1]", Threads[1], 1);
  check::value("Threads[2]", Threads[2], 32);
  check::value("Threads[3]", Threads[3] == 64 || Threads[3] == 66, true);
}

PROGRAM(ordered_by_flags) {
  constexpr int T = 4;
  int Flag[T + 1] = {1}, Sum = 0;
#pragma omp target teams num_teams(1) thread_limit(32) map(tofrom : Flag, Sum)
  {
#pragma omp parallel num_threads(T)
    {
      int I = omp_get_thread_num(), Ready = 0;
      while (!Ready) {
#pragma omp atomic read
        Ready = Flag[I];
        if (Ready) {
#pragma omp flush
          Sum = Sum * 10 + I + 1;
#pragma omp flush
#pragma omp atomic write
          Flag[I + 1] = 1;
        }
      }
    }
  }
  check::value("Sum", Sum, 1234);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
