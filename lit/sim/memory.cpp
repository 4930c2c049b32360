// malloc, free, new and delete on the device.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

#include <cstdint>

namespace {
struct Node {
  int Value;
  Node *Next;
};
} // namespace

PROGRAM(malloc_and_free) {
  constexpr int N = 200;
  int A[N], Size = 10;
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I) {
    int *P = static_cast<int *>(malloc(sizeof(int) * (Size + I % 7)));
    for (int K = 0; K < Size + I % 7; ++K)
      P[K] = I * K;
    A[I] = P[Size - 1];
    free(P);
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 9 * I, I);
}

PROGRAM(new_and_delete) {
  constexpr int N = 120;
  double A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I) {
    double *P = new double[I + 1], *Q = new double(0.25);
    for (int K = 0; K <= I; ++K)
      P[K] = K;
    A[I] = P[I] + *Q;
    delete[] P;
    delete Q;
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I + 0.25, I);
}

PROGRAM(lists) {
  constexpr int N = 64;
  int A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I) {
    Node *First = nullptr;
    for (int K = 0; K < I % 9; ++K)
      First = new Node{K * I, First};
    A[I] = 0;
    while (First) {
      Node *Rest = First->Next;
      A[I] = A[I] * 3 + First->Value;
      delete First;
      First = Rest;
    }
  }
  for (int I = 0; I < N; ++I) {
    int Want = 0;
    for (int K = I % 9 - 1; K >= 0; --K)
      Want = Want * 3 + K * I;
    check::value("A", A[I], Want, I);
  }
}

PROGRAM(across_kernels) {
  constexpr int N = 30;
  int *Rows[N];
  int Sum[N];
#pragma omp target data map(alloc : Rows) map(from : Sum)
  {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      Rows[I] = static_cast<int *>(malloc(sizeof(int) * (I + 1)));
      for (int K = 0; K <= I; ++K)
        Rows[I][K] = K;
    }
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      Sum[I] = 0;
      for (int K = 0; K <= I; ++K)
        Sum[I] += Rows[I][K];
      free(Rows[I]);
    }
  }
  for (int I = 0; I < N; ++I)
    check::value("Sum", Sum[I], I * (I + 1) / 2, I);
}

PROGRAM(aligned) {
  constexpr int N = 50;
  int Bad = 0;
#pragma omp target teams distribute parallel for reduction(+ : Bad)
  for (int I = 1; I <= N; ++I) {
    void *P = malloc(I);
    Bad += reinterpret_cast<uintptr_t>(P) % 16 != 0;
    free(P);
    free(nullptr);
  }
  check::value("misaligned blocks", Bad, 0);
}

PROGRAM(shared_by_a_team) {
  constexpr int T = 4, N = 48;
  int Out[T];
#pragma omp target teams distribute num_teams(T) thread_limit(64) \
    map(from : Out)
  for (int G = 0; G < T; ++G) {
    int *P = new int[N];
#pragma omp parallel for
    for (int I = 0; I < N; ++I)
      P[I] = G + I;
    int S = 0;
    for (int I = 0; I < N; ++I)
      S += P[I];
    Out[G] = S;
    delete[] P;
  }
  for (int G = 0; G < T; ++G)
    check::value("Out", Out[G], G * N + N * (N - 1) / 2, G);
}

PROGRAM(many_times) {
  constexpr int N = 32;
  long Sum = 0;
  int Rounds = 200;
#pragma omp target teams distribute parallel for reduction(+ : Sum) \
    num_teams(1) thread_limit(32)
  for (int I = 0; I < N; ++I)
    for (int R = 0; R < Rounds; ++R) {
      char *P = static_cast<char *>(malloc(100 + R * 10));
      P[0] = 1, P[99 + R * 10] = 2;
      Sum += P[0] + P[99 + R * 10];
      free(P);
    }
  check::value("Sum", Sum, 3L * N * Rounds);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
