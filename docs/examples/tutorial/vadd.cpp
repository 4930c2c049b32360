// The sum of two vectors: a loop on the device in OpenMP's words, and the same
// loop as a lambda.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu vadd.cpp
//
// In the first, map clauses name the arrays. In the second the arrays were
// mapped before, and the loop template knows nothing of them: they are inside
// the lambda, in views, and Ferry gives the kernel their device addresses.
#include "../example.h"
#include <vector>

struct View {
  double *Data;
  double &operator()(int I) const { return Data[I]; }
};

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

static void addMapped(const double *A, const double *B, double *C, int N) {
#pragma omp target teams distribute parallel for map(to : A[0 : N], B[0 : N])  \
    map(from : C[0 : N])
  for (int I = 0; I < N; ++I)
    C[I] = A[I] + B[I];
}

static void addViews(View A, View B, View C, int N) {
  forall(N, [=](int I) { C(I) = A(I) + B(I); });
}

// C is sent too, so that it comes back as it was if no kernel has written it.
static void addLambda(double *A, double *B, double *C, int N) {
#pragma omp target data map(to : A[0 : N], B[0 : N]) map(tofrom : C[0 : N])
  addViews({A}, {B}, {C}, N);
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "length of the vectors", 1000, 1, 10000000);
  int N = E.size();
  std::vector<double> A(N), B(N), C(N);
  for (int I = 0; I < N; ++I) {
    A[I] = I;
    B[I] = 2.0 * (N - I);
  }

  auto Run = [&](const char *Name, auto *Add) {
    auto Body = [&] {
      C.assign(N, -1);
      Add(A.data(), B.data(), C.data(), N);
      double Sum = 0;
      for (double Element : C)
        Sum += Element;
      return Sum;
    };
    // C[I] is 2 N - I. All are whole numbers, so the sum is exact.
    E.run(Name, Body, 2.0 * N * N - 0.5 * N * (N - 1.0));
  };
  Run("vadd-map", addMapped);
  Run("vadd-lambda", addLambda);
  return E.finish();
}
// RUN: %wrong_without_ferry
