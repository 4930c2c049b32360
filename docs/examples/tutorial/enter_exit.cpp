// Data that comes to the device in one function, is used in others and leaves
// in a third: target enter data and target exit data, which need no block of
// code around what happens in between. Kernels find what is mapped.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
//     enter_exit.cpp
#include "../example.h"
#include <omp.h>
#include <vector>

static void enter(double *A, int N) {
#pragma omp target enter data map(to : A[0 : N])
  // From here on the device has its own copy; kernels do not see this one.
  for (int I = 0; I < N; ++I)
    A[I] = -1;
}

static void leave(double *A, int N) {
#pragma omp target exit data map(from : A[0 : N])
}

// A is mapped, so the pointer that the kernel gets is the device's.
static void square(double *A, int N) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] = A[I] * A[I];
}

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

// A is a member of the closure, by reference. Ferry looks it up as well.
static void squareLambda(double *A, int N) {
  forall(N, [&A](int I) { A[I] = A[I] * A[I]; });
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "length of the array", 1000, 1, 100000);
  int N = E.size();
  std::vector<double> A(N);

  auto Run = [&](const std::string &Name, auto *Square) {
    auto Body = [&] {
      for (int I = 0; I < N; ++I)
        A[I] = I;
      enter(A.data(), N);
      Square(A.data(), N);
      Square(A.data(), N);
      leave(A.data(), N);
      double Sum = 0;
      for (double Element : A)
        Sum += Element;
      return Sum;
    };
    // The sum of the fourth powers of 0 to N - 1.
    double M = N - 1.0;
    E.run(Name, Body, M * (M + 1) * (2 * M + 1) * (3 * M * M + 3 * M - 1) / 30,
          1e-12);
    E.check(Name + ", left on the device",
            omp_target_is_present(A.data(), omp_get_default_device()), 0);
  };
  Run("enter-exit", square);
  Run("enter-exit-lambda", squareLambda);
  return E.finish();
}
// RUN: %wrong_without_ferry
