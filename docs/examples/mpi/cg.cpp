// Conjugate gradients on several processes: the temperature after one implicit
// step of the heat equation, (1 + 4 r) u - r * (sum of the neighbours) = b on
// an N x N grid, with a block of rows on the device of each process.
//
//   OMPI_CXX=ferry-clang++ mpicxx -O3 -fopenmp \
//     -fopenmp-targets=x86_64-pc-linux-gnu cg.cpp -o cg
//   mpirun -n 4 ./cg 1000 --bench
//
// The order in which numbers are added changes the last bits of a sum. Here a
// thread of the device adds up a row, and then every process adds up the sums
// of all rows, in their order. So neither the number of processes nor that of
// threads changes a bit of the result.
#include "../example.h"
#include "grid.h"

constexpr double Ratio = 1;
const double Tolerance = 1e-13;
const int MostSteps = 1000;

class Solver {
public:
  explicit Solver(const Layout &L)
      : L(L), N(L.N), X(L), R(L), P(L), W(L), Sums(L.N), RowSum(Sums.data()) {
#pragma omp target enter data map(alloc : RowSum[0 : N])
  }
  ~Solver() {
#pragma omp target exit data map(delete : RowSum[0 : N])
  }

  // Solves for the right-hand side that `Solution` has, from x = 0.
  template <typename F> std::vector<double> solve(F Solution) {
    for (int J = L.Begin; J < L.End; ++J)
      for (int I = 0; I < N; ++I)
        P(I, J) = Solution(I, J);
    P.send();
    multiply();
    forCells(L, [this](int I, int J) {
      R(I, J) = P(I, J) = W(I, J);
      X(I, J) = 0;
    });
    double Residual = dot(R, R), Enough = Residual * Tolerance * Tolerance;
    for (Steps = 0; Residual > Enough && Steps < MostSteps; ++Steps) {
      multiply();
      double Alpha = Residual / dot(P, W);
      forCells(L, [=](int I, int J) {
        X(I, J) += Alpha * P(I, J);
        R(I, J) -= Alpha * W(I, J);
      });
      double Next = dot(R, R), Beta = Next / Residual;
      forCells(L, [=](int I, int J) { P(I, J) = R(I, J) + Beta * P(I, J); });
      Residual = Next;
    }
    return X.gather();
  }

  int steps() const { return Steps; }

private:
  // W = A P
  void multiply() {
    P.exchange();
    forCells(L, [this](int I, int J) {
      double West = I > 0 ? P(I - 1, J) : 0, East = I < N - 1 ? P(I + 1, J) : 0;
      W(I, J) = (1 + 4 * Ratio) * P(I, J) -
                Ratio * (West + East + P(I, J - 1) + P(I, J + 1));
    });
  }

  double dot(const Field &A, const Field &B) {
    forRows(L, [this, &A, &B](int J) {
      double Sum = 0;
      for (int I = 0; I < N; ++I)
        Sum += A(I, J) * B(I, J);
      RowSum[J] = Sum;
    });
    double *Own = RowSum + L.Begin;
#pragma omp target update from(Own[0 : L.End - L.Begin])
    double Sum = 0;
    for (double OfRow : L.gather(Own, 1))
      Sum += OfRow;
    return Sum;
  }

  const Layout &L;
  int N, Steps = 0;
  Field X, R, P, W;
  std::vector<double> Sums;
  double *RowSum;
};

int main(int Argc, char **Argv) {
  static Process P(Argc, Argv);
  Example E(Argc, Argv, "cells along an edge, at least one for each process",
            24, P.Size, 10000, P.Rank > 0);
  int N = E.size();
  Layout L(P, N);
  Solver S(L);

  auto Solution = [](int I, int J) { return (7 * I + 3 * J) % 11 - 4; };
  double Expected = 0;
  for (int J = 0; J < N; ++J)
    for (int I = 0; I < N; ++I)
      Expected += Solution(I, J);

  std::vector<double> X;
  auto Body = [&] {
    X = S.solve(Solution);
    double Sum = 0;
    for (double Cell : X)
      Sum += Cell;
    return Sum;
  };
  if (E.run("mpi-cg", Body, Expected, 1e-9)) {
    double Error = 0;
    for (int J = 0; J < N; ++J)
      for (int I = 0; I < N; ++I)
        Error =
            std::fmax(Error, std::fabs(X[size_t(J) * N + I] - Solution(I, J)));
    E.check("mpi-cg, largest error", Error, 0, 1e-11);
    E.check("mpi-cg, converged", S.steps() < MostSteps, 1);
  }
  return E.finish();
}
