// The heat equation of tutorial/heat.cpp on several processes, each with a
// block of rows on its device. Before each step neighbours exchange the rows
// at their common edges.
//
//   OMPI_CXX=ferry-clang++ mpicxx -O3 -fopenmp \
//     -fopenmp-targets=x86_64-pc-linux-gnu heat.cpp -o heat
//   mpirun -n 4 ./heat 1000 --bench
//
// A cell is computed in the same way whoever does it, so the result has the
// same bits on any number of processes.
#include "../example.h"
#include "grid.h"

const double Pi = 3.14159265358979323846;
const int Steps = 20;
constexpr double Ratio =
    0.2; // Of the time step to the square of the cell's edge.

static double sines(int N, int I, int J) {
  return std::sin(Pi * (I + 1) / (N + 1)) * std::sin(Pi * (J + 1) / (N + 1));
}

static void step(const Layout &L, const Field &U, const Field &Next) {
  int N = L.N;
  forCells(L, [=, &U, &Next](int I, int J) {
    double West = I > 0 ? U(I - 1, J) : 0, East = I < N - 1 ? U(I + 1, J) : 0;
    Next(I, J) = U(I, J) + Ratio * (West + East + U(I, J - 1) + U(I, J + 1) -
                                    4 * U(I, J));
  });
}

static std::vector<double> solve(const Layout &L) {
  Field U(L), Next(L);
  for (int J = L.Begin; J < L.End; ++J)
    for (int I = 0; I < L.N; ++I)
      U(I, J) = sines(L.N, I, J);
  U.send();
  for (int Step = 0; Step < Steps; ++Step) {
    U.exchange();
    step(L, U, Next);
    U.swap(Next);
  }
  return U.gather();
}

int main(int Argc, char **Argv) {
  static Process P(Argc, Argv);
  Example E(Argc, Argv, "cells along an edge, at least one for each process",
            30, P.Size, 30000, P.Rank > 0);
  int N = E.size();
  Layout L(P, N);

  // The product of sines becomes smaller by this factor, see tutorial/heat.cpp.
  double S = std::sin(Pi / (N + 1) / 2);
  double Factor = std::pow(1 - 8 * Ratio * S * S, Steps);
  double EdgeSum = 1 / std::tan(Pi / (N + 1) / 2);
  std::vector<double> U;
  auto Body = [&] {
    U = solve(L);
    double Sum = 0;
    for (double Cell : U)
      Sum += Cell;
    return Sum;
  };
  if (E.run("mpi-heat", Body, Factor * EdgeSum * EdgeSum, 1e-13 * N)) {
    double Error = 0;
    for (int J = 0; J < N; ++J)
      for (int I = 0; I < N; ++I)
        Error = std::fmax(
            Error, std::fabs(U[size_t(J) * N + I] - Factor * sines(N, I, J)));
    E.check("mpi-heat, largest error", Error, 0, 1e-13);
  }
  return E.finish();
}
