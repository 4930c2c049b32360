// Jacobi's method for A x = b, in the stages in which a course on GPUs tunes
// it, and the plain loops again behind a loop template.
//
//   ferry-clang++ -O3 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu jacobi.cpp
//   ./a.out 1000 --bench
//
//   jacobi-target      each loop in a target construct, which sends A each time
//   jacobi-loops       and shared by all threads of the device
//   jacobi-data        and the data stays on the device
//   jacobi-branchfree  and the test for the diagonal becomes a factor
//   jacobi-coalesced   and A is stored by columns, so that neighbouring threads
//                      read neighbouring addresses
//   jacobi-ferry       jacobi-data's loops as lambdas: the arrays are members
//                      of an object, and no construct names them
//   jacobi-tuned       the same, as ferry-report asks for it
//
// README.md goes from one to the next by what ferry-report and ferry-check say.
#include "../example.h"
#include <utility>
#include <vector>

const double Tolerance = 1e-12;
const int MostSteps = 1000;

// A has the diagonal 2, and row sums of less than 1 beside it, so every step
// makes the error half as large at least.
struct Problem {
  int N;
  std::vector<double> A, B, Solution;

  explicit Problem(int N) : N(N), A(size_t(N) * N), B(N), Solution(N) {
    unsigned Random = 1;
    for (double &Element : A) {
      Random = Random * 1664525u + 1013904223u;
      Element = (Random >> 8) * 0x1p-24 / N;
    }
    for (int I = 0; I < N; ++I) {
      A[size_t(I) * N + I] = 2;
      Solution[I] = 1 + I % 7;
    }
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J)
        B[I] += A[size_t(I) * N + J] * Solution[J];
  }

  std::vector<double> transposed() const {
    std::vector<double> T(A.size());
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J)
        T[size_t(J) * N + I] = A[size_t(I) * N + J];
    return T;
  }
};

// Each function below gets x = 0 in Old, and returns the array that holds the
// result: Old or New.
static double *serial(int N, const double *A, const double *B, double *Old,
                      double *New) {
  double Change = 1;
  for (int Step = 0; Change > Tolerance && Step < MostSteps; ++Step) {
    for (int I = 0; I < N; ++I) {
      double Sum = 0;
      for (int J = 0; J < N; ++J)
        if (I != J)
          Sum += A[size_t(I) * N + J] * Old[J];
      New[I] = (B[I] - Sum) / A[size_t(I) * N + I];
    }
    Change = 0;
    for (int I = 0; I < N; ++I)
      Change += (New[I] - Old[I]) * (New[I] - Old[I]);
    Change = std::sqrt(Change);
    std::swap(Old, New);
  }
  return Old;
}

static double *target(int N, const double *A, const double *B, double *Old,
                      double *New) {
  double Change = 1;
  for (int Step = 0; Change > Tolerance && Step < MostSteps; ++Step) {
#pragma omp target map(to : A[0 : size_t(N) * N], B[0 : N], Old[0 : N])        \
    map(from : New[0 : N])
    for (int I = 0; I < N; ++I) {
      double Sum = 0;
      for (int J = 0; J < N; ++J)
        if (I != J)
          Sum += A[size_t(I) * N + J] * Old[J];
      New[I] = (B[I] - Sum) / A[size_t(I) * N + I];
    }
    Change = 0;
#pragma omp target map(to : Old[0 : N], New[0 : N]) map(tofrom : Change)
    for (int I = 0; I < N; ++I)
      Change += (New[I] - Old[I]) * (New[I] - Old[I]);
    Change = std::sqrt(Change);
    std::swap(Old, New);
  }
  return Old;
}

static double *loops(int N, const double *A, const double *B, double *Old,
                     double *New) {
  double Change = 1;
  for (int Step = 0; Change > Tolerance && Step < MostSteps; ++Step) {
#pragma omp target teams distribute parallel for map(                          \
        to : A[0 : size_t(N) * N], B[0 : N], Old[0 : N])                       \
    map(from : New[0 : N])
    for (int I = 0; I < N; ++I) {
      double Sum = 0;
      for (int J = 0; J < N; ++J)
        if (I != J)
          Sum += A[size_t(I) * N + J] * Old[J];
      New[I] = (B[I] - Sum) / A[size_t(I) * N + I];
    }
    Change = 0;
#pragma omp target teams distribute parallel for map(to : Old[0 : N],          \
                                                         New[0 : N])           \
    map(tofrom : Change) reduction(+ : Change)
    for (int I = 0; I < N; ++I)
      Change += (New[I] - Old[I]) * (New[I] - Old[I]);
    Change = std::sqrt(Change);
    std::swap(Old, New);
  }
  return Old;
}

static double change(int N, const double *Old, const double *New) {
  double Sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : Sum)             \
    reduction(+ : Sum)
  for (int I = 0; I < N; ++I)
    Sum += (New[I] - Old[I]) * (New[I] - Old[I]);
  return std::sqrt(Sum);
}

static double *data(int N, const double *A, const double *B, double *Old,
                    double *New) {
  double Change = 1;
#pragma omp target data map(to : A[0 : size_t(N) * N], B[0 : N])               \
    map(tofrom : Old[0 : N], New[0 : N])
  for (int Step = 0; Change > Tolerance && Step < MostSteps; ++Step) {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      double Sum = 0;
      for (int J = 0; J < N; ++J)
        if (I != J)
          Sum += A[size_t(I) * N + J] * Old[J];
      New[I] = (B[I] - Sum) / A[size_t(I) * N + I];
    }
    Change = change(N, Old, New);
    std::swap(Old, New);
  }
  return Old;
}

static double *branchfree(int N, const double *A, const double *B, double *Old,
                          double *New) {
  double Change = 1;
#pragma omp target data map(to : A[0 : size_t(N) * N], B[0 : N])               \
    map(tofrom : Old[0 : N], New[0 : N])
  for (int Step = 0; Change > Tolerance && Step < MostSteps; ++Step) {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      double Sum = 0;
      for (int J = 0; J < N; ++J)
        Sum += A[size_t(I) * N + J] * Old[J] * double(I != J);
      New[I] = (B[I] - Sum) / A[size_t(I) * N + I];
    }
    Change = change(N, Old, New);
    std::swap(Old, New);
  }
  return Old;
}

// A is stored by columns here.
static double *coalesced(int N, const double *A, const double *B, double *Old,
                         double *New) {
  double Change = 1;
#pragma omp target data map(to : A[0 : size_t(N) * N], B[0 : N])               \
    map(tofrom : Old[0 : N], New[0 : N])
  for (int Step = 0; Change > Tolerance && Step < MostSteps; ++Step) {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      double Sum = 0;
      for (int J = 0; J < N; ++J)
        Sum += A[size_t(J) * N + I] * Old[J] * double(I != J);
      New[I] = (B[I] - Sum) / A[size_t(I) * N + I];
    }
    Change = change(N, Old, New);
    std::swap(Old, New);
  }
  return Old;
}

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

template <typename Body> double sum(int N, Body Term) {
  double Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)            \
    map(tofrom : Sum)
  for (int I = 0; I < N; ++I)
    Sum += Term(I);
  return Sum;
}

struct Solver {
  int N;
  const double *A, *B;
  double *Old, *New;

  double step() {
    forall(N, [this](int I) {
      double Sum = 0;
      for (int J = 0; J < N; ++J)
        if (I != J)
          Sum += A[size_t(I) * N + J] * Old[J];
      New[I] = (B[I] - Sum) / A[size_t(I) * N + I];
    });
    return change();
  }

  double tunedStep() {
    // All threads have the same N, whatever happens to the object.
    forall(N, [this, N = N](int I) {
      double Sum = 0;
      for (int J = 0; J < N; ++J)
        Sum += A[size_t(I) * N + J] * Old[J] * double(I != J);
      New[I] = (B[I] - Sum) / A[size_t(I) * N + I];
    });
    return change();
  }

  double change() {
    double Change =
        sum(N, [this](int I) { return (New[I] - Old[I]) * (New[I] - Old[I]); });
    std::swap(Old, New);
    return std::sqrt(Change);
  }
};

template <double (Solver::*Step)()>
static double *ferry(int N, const double *A, const double *B, double *Old,
                     double *New) {
  Solver S{N, A, B, Old, New};
  double Change = 1;
#pragma omp target data map(to : A[0 : size_t(N) * N], B[0 : N])               \
    map(tofrom : Old[0 : N], New[0 : N])
  for (int I = 0; Change > Tolerance && I < MostSteps; ++I)
    Change = (S.*Step)();
  return S.Old;
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "number of unknowns", 40, 1, 40000);
  Problem P(E.size());
  int N = P.N;
  double Expected = 0;
  for (double X : P.Solution)
    Expected += X;
  std::vector<double> X(N), Y(N);

  auto Run = [&](const char *Name, auto *Solve, const std::vector<double> &A) {
    double *Result = nullptr;
    auto Body = [&] {
      X.assign(N, 0);
      Y.assign(N, 0);
      Result = Solve(N, A.data(), P.B.data(), X.data(), Y.data());
      double Sum = 0;
      for (int I = 0; I < N; ++I)
        Sum += Result[I];
      return Sum;
    };
    if (!E.run(Name, Body, Expected, 1e-11))
      return;
    double Error = 0;
    for (int I = 0; I < N; ++I)
      Error = std::fmax(Error, std::fabs(Result[I] - P.Solution[I]));
    E.check(std::string(Name) + ", largest error", Error, 0, 1e-11);
  };
  Run("jacobi-serial", serial, P.A);
  Run("jacobi-target", target, P.A);
  Run("jacobi-loops", loops, P.A);
  Run("jacobi-data", data, P.A);
  Run("jacobi-branchfree", branchfree, P.A);
  Run("jacobi-coalesced", coalesced, P.transposed());
  Run("jacobi-ferry", ferry<&Solver::step>, P.A);
  Run("jacobi-tuned", ferry<&Solver::tunedStep>, P.A);
  return E.finish();
}
// RUN: %wrong_without_ferry
