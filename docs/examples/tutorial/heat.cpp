// The heat equation on a square, u_t = u_xx + u_yy, by finite differences: each
// step computes every cell from itself and its four neighbours.
//
//   ferry-clang++ -O3 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu heat.cpp
//   ./a.out 1000 --bench
//
// How to know that a stencil is right? Choose the solution first: with zero
// temperature at the edges, u = exp(-2 pi^2 t) sin(pi x) sin(pi y) solves the
// equation on the unit square, so the program starts from it and compares with
// it. The product of sines also solves the discrete equation but for a factor
// that is known, so the program can tell rounding from the error of the method.
#include "../example.h"
#include <utility>
#include <vector>

const double Pi = 3.14159265358979323846;
const int Steps = 20;

// N x N cells inside the square, without its edges.
struct Grid {
  int N;
  double H, Ratio; // Ratio of the time step to H^2: stable up to 1/4.

  explicit Grid(int N) : N(N), H(1.0 / (N + 1)), Ratio(0.2) {}
  double sines(int I, int J) const {
    return std::sin(Pi * H * (I + 1)) * std::sin(Pi * H * (J + 1));
  }
  double time() const { return Steps * Ratio * H * H; }
  double factor() const { return std::exp(-2 * Pi * Pi * time()); }
  double discreteFactor() const {
    double S = std::sin(Pi * H / 2);
    return std::pow(1 - 8 * Ratio * S * S, Steps);
  }
};

// The new temperature of cell (I, J); the edges are at 0.
static inline double updated(const double *U, int N, double Ratio, int I,
                             int J) {
  size_t Cell = size_t(J) * N + I;
  double West = I > 0 ? U[Cell - 1] : 0, East = I < N - 1 ? U[Cell + 1] : 0;
  double South = J > 0 ? U[Cell - N] : 0, North = J < N - 1 ? U[Cell + N] : 0;
  return U[Cell] + Ratio * (West + East + South + North - 4 * U[Cell]);
}

// Each of these makes all steps and leaves the result in U.
static void serial(const Grid &G, double *U, double *Next) {
  for (int Step = 0; Step < Steps; ++Step) {
    for (int J = 0; J < G.N; ++J)
      for (int I = 0; I < G.N; ++I)
        Next[size_t(J) * G.N + I] = updated(U, G.N, G.Ratio, I, J);
    std::swap(U, Next);
  }
}

static void mapped(const Grid &G, double *U, double *Next) {
  int N = G.N;
  double Ratio = G.Ratio;
  size_t Cells = size_t(N) * N;
#pragma omp target enter data map(to : U[0 : Cells])                           \
    map(alloc : Next[0 : Cells])
  for (int Step = 0; Step < Steps; ++Step) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int J = 0; J < N; ++J)
      for (int I = 0; I < N; ++I)
        Next[size_t(J) * N + I] = updated(U, N, Ratio, I, J);
    std::swap(U, Next);
  }
#pragma omp target exit data map(from : U[0 : Cells])                          \
    map(delete : Next[0 : Cells])
}

// With Ferry: the loop template has no clause for data, and the lambda holds a
// reference to the grid and two fields that know their size.
template <typename Body> void forCells(int N, Body Loop) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int J = 0; J < N; ++J)
    for (int I = 0; I < N; ++I)
      Loop(I, J);
}

struct Field {
  double *Data;
  int N;
  double &operator()(int I, int J) const { return Data[size_t(J) * N + I]; }
};

static void step(const Grid &G, Field U, Field Next) {
  forCells(G.N, [=, &G](int I, int J) {
    Next(I, J) = updated(U.Data, G.N, G.Ratio, I, J);
  });
}

static void ferry(const Grid &G, double *U, double *Next) {
  size_t Cells = size_t(G.N) * G.N;
#pragma omp target enter data map(to : U[0 : Cells])                           \
    map(alloc : Next[0 : Cells])
  for (int Step = 0; Step < Steps; ++Step) {
    step(G, {U, G.N}, {Next, G.N});
    std::swap(U, Next);
  }
#pragma omp target exit data map(from : U[0 : Cells])                          \
    map(delete : Next[0 : Cells])
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "cells along an edge", 30, 1, 30000);
  Grid G(E.size());
  std::vector<double> U(size_t(G.N) * G.N), Next(U.size());

  // An even number of steps: the result is where the start was.
  static_assert(Steps % 2 == 0);
  // The root of the mean square of U - Factor * the product of sines.
  auto Norm = [&](double Factor) {
    double Sum = 0;
    for (int J = 0; J < G.N; ++J)
      for (int I = 0; I < G.N; ++I) {
        double Error = U[size_t(J) * G.N + I] - Factor * G.sines(I, J);
        Sum += Error * Error;
      }
    return std::sqrt(Sum / U.size());
  };

  // The sum of sin(pi h i) over the inner points of an edge is 1 / tan(pi h/2).
  double EdgeSum = 1 / std::tan(Pi * G.H / 2);
  double Expected = G.discreteFactor() * EdgeSum * EdgeSum;
  auto Run = [&](const std::string &Name, auto *Solve) {
    auto Body = [&] {
      for (int J = 0; J < G.N; ++J)
        for (int I = 0; I < G.N; ++I)
          U[size_t(J) * G.N + I] = G.sines(I, J);
      Next.assign(U.size(), -1);
      Solve(G, U.data(), Next.data());
      double Sum = 0;
      for (double Cell : U)
        Sum += Cell;
      return Sum;
    };
    // N^2 numbers are added up, so more of them are rounded more often.
    if (!E.run(Name, Body, Expected, 1e-13 * G.N))
      return;
    E.check(Name + ", rounding", Norm(G.discreteFactor()), 0, 1e-13);
    // Of the Taylor series in time and space; 40 is an upper bound of the
    // derivatives in it, taken together.
    E.check(Name + ", error norm", Norm(G.factor()), 0,
            40 * G.time() * G.H * G.H);
  };
  Run("heat-serial", serial);
  Run("heat-mapped", mapped);
  Run("heat-ferry", ferry);
  return E.finish();
}
// RUN: %wrong_without_ferry
