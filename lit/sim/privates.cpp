// private, firstprivate, lastprivate and linear, of variables of every kind.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

namespace {
constexpr int N = 210;

#pragma omp begin declare target
struct Counted {
  int Value;
  Counted() : Value(3) {}
  Counted(const Counted &Other) : Value(Other.Value + 100) {}
  ~Counted() { Value = -1; }
};
#pragma omp end declare target
} // namespace

PROGRAM(private_scalar) {
  int A[N], X = 5;
#pragma omp target teams distribute parallel for private(X) map(from : A)
  for (int I = 0; I < N; ++I) {
    X = I * 2;
    A[I] = X;
  }
  check::value("X", X, 5);
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 2 * I, I);
}

PROGRAM(private_array) {
  int A[N], Local[16];
#pragma omp target teams distribute parallel for private(Local) map(from : A)
  for (int I = 0; I < N; ++I) {
    for (int K = 0; K < 16; ++K)
      Local[K] = I + K;
    A[I] = Local[I % 16] + Local[15];
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 2 * I + I % 16 + 15, I);
}

PROGRAM(firstprivate_scalars) {
  double A[N], D = 0.25;
  char C = 3;
  long L = 1L << 35;
  bool B = true;
  float F = 1.5f;
#pragma omp target teams distribute parallel for firstprivate(D, C, L, B, F) map(from : A)
  for (int I = 0; I < N; ++I) {
    D += C;
    A[I] = D + L + B + F;
    D -= C;
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 0.25 + 3 + double(1L << 35) + 1 + 1.5, I);
}

PROGRAM(firstprivate_array) {
  int A[N], Table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
#pragma omp target teams distribute parallel for firstprivate(Table) \
    map(from : A)
  for (int I = 0; I < N; ++I) {
    Table[I % 8] += 1;
    A[I] = Table[I % 8] - 1;
    Table[I % 8] -= 1;
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 1 << I % 8, I);
}

PROGRAM(firstprivate_of_parallel) {
  constexpr int T = 64;
  int A[T], X = 7;
#pragma omp target map(from : A) map(to : X)
  {
    int Y = X * 3;
#pragma omp parallel num_threads(T) firstprivate(Y)
    {
      Y += omp_get_thread_num();
      A[omp_get_thread_num()] = Y;
    }
  }
  for (int I = 0; I < T; ++I)
    check::value("A", A[I], 21 + I, I);
}

PROGRAM(lastprivate_of_parallel_for) {
  int Last = -1, A[N];
#pragma omp target map(tofrom : Last) map(from : A)
#pragma omp parallel for lastprivate(Last) num_threads(45) schedule(static, 4)
  for (int I = 0; I < N; ++I) {
    Last = I * 10;
    A[I] = Last;
  }
  check::value("Last", Last, (N - 1) * 10);
  check::value("A", A[7], 70);
}

PROGRAM(linear) {
  int A[N], K = 100;
#pragma omp target map(from : A) map(tofrom : K)
#pragma omp parallel for linear(K : 3) num_threads(70)
  for (int I = 0; I < N; ++I) {
    A[I] = K;
    K += 3;
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 100 + 3 * I, I);
  check::value("K", K, 100 + 3 * N);
}

PROGRAM(objects) {
  constexpr int T = 32;
  int First[T], Own[T];
  // A region that is not the only one in the kernel has a multiple of 32
  // threads.
#pragma omp target map(from : First, Own)
  {
    Counted C, D;
    C.Value = 7;
#pragma omp parallel num_threads(T) firstprivate(C) private(D)
    {
      int I = omp_get_thread_num();
      First[I] = C.Value + I;
      Own[I] = D.Value + I;
    }
  }
  for (int I = 0; I < T; ++I) {
    check::value("First", First[I], 107 + I, I);
    check::value("Own", Own[I], 3 + I, I);
  }
}

PROGRAM(default_none) {
  int A[N], Factor = 4;
#pragma omp target teams distribute parallel for default(none) \
    shared(A) firstprivate(Factor) map(from : A)
  for (int I = 0; I < N; ++I)
    A[I] = Factor * I;
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 4 * I, I);
}

PROGRAM(large_locals) {
  constexpr int M = 60;
  long A[M];
#pragma omp target teams distribute parallel for map(from : A) num_teams(2) \
    thread_limit(32)
  for (int I = 0; I < M; ++I) {
    int Local[1000];
    for (int K = 0; K < 1000; ++K)
      Local[K] = K * I;
    long S = 0;
    for (int K = 0; K < 1000; ++K)
      S += Local[(K * 7 + I) % 1000];
    A[I] = S;
  }
  for (int I = 0; I < M; ++I)
    check::value("A", A[I], 499500L * I, I);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
