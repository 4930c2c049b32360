//===- tealeaf_grid.h - Linear heat conduction in two dimensions *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One implicit step of the heat equation, in five points and with a
// conductivity that depends on the material, as TeaLeaf solves it: A u = u0
// with A = 1 + dt div(K grad). No heat crosses the boundary: the conductivity
// of the faces there is 0, so the row of cells around the grid is only there to
// be read.
//
// Here are the grid, the work of one cell in each kernel of the conjugate
// gradient method, and that method on the host.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_EXAMPLES_PAPER2018_TEALEAF_GRID_H
#define FERRY_EXAMPLES_PAPER2018_TEALEAF_GRID_H

#include <cmath>
#include <vector>

// N by N cells, and a row more on each side.
struct Shape {
  int N;
  int cells() const { return N * N; }
  int stride() const { return N + 2; }
  int size() const { return stride() * stride(); }
  // The cell of iteration I of a loop over those inside.
  int cell(int I) const { return (I / N + 1) * stride() + I % N + 1; }
};

// (A V)(C). Kx and Ky are the conductivities of a cell's left and lower faces.
inline double heatMatrix(int C, int Stride, const double *Kx, const double *Ky,
                         const double *V) {
  double Diagonal = 1 + (Kx[C] + Kx[C + 1]) + (Ky[C] + Ky[C + Stride]);
  double X = Kx[C] * V[C - 1] + Kx[C + 1] * V[C + 1];
  double Y = Ky[C] * V[C - Stride] + Ky[C + Stride] * V[C + Stride];
  return Diagonal * V[C] - X - Y;
}

// r = u0 - A u, p = r. Returns the cell's term of r.r.
inline double cgInit(int C, int Stride, const double *Kx, const double *Ky,
                     const double *U0, double *U, double *R, double *P) {
  U[C] = U0[C];
  double Residual = U0[C] - heatMatrix(C, Stride, Kx, Ky, U0);
  R[C] = Residual;
  P[C] = Residual;
  return Residual * Residual;
}

// w = A p. Returns the cell's term of p.w.
inline double cgCalcW(int C, int Stride, const double *Kx, const double *Ky,
                      const double *P, double *W) {
  double Value = heatMatrix(C, Stride, Kx, Ky, P);
  W[C] = Value;
  return P[C] * Value;
}

// u += alpha p, r -= alpha w. Returns the cell's term of r.r.
inline double cgCalcUr(int C, double Alpha, const double *P, const double *W,
                       double *U, double *R) {
  U[C] += Alpha * P[C];
  double Residual = R[C] - Alpha * W[C];
  R[C] = Residual;
  return Residual * Residual;
}

// p = r + beta p.
inline void cgCalcP(int C, double Beta, const double *R, double *P) {
  P[C] = R[C] + Beta * P[C];
}

// Arrays of a grid, mapped or not.
struct Grid {
  Shape S;
  double *Kx, *Ky, *U0, *U, *R, *P, *W;
};

// The method itself: K::calcW and so on are the loops.
struct CgResult {
  int Iterations;
  double FirstResidual, LastResidual;
};
template <typename K> CgResult solve(const Grid &G, double Tolerance) {
  const int MostIterations = 10000;
  double Rro = K::init(G), First = Rro;
  int Iteration = 0;
  while (Rro > Tolerance * Tolerance * First && Iteration < MostIterations) {
    double Alpha = Rro / K::calcW(G);
    double Rrn = K::calcUr(G, Alpha);
    K::calcP(G, Rrn / Rro);
    Rro = Rrn;
    ++Iteration;
  }
  return {Iteration, std::sqrt(First), std::sqrt(Rro)};
}

// One thread on the host.
struct Serial {
  static double init(const Grid &G) {
    double Sum = 0;
    for (int I = 0; I < G.S.cells(); ++I)
      Sum += cgInit(G.S.cell(I), G.S.stride(), G.Kx, G.Ky, G.U0, G.U, G.R, G.P);
    return Sum;
  }
  static double calcW(const Grid &G) {
    double Sum = 0;
    for (int I = 0; I < G.S.cells(); ++I)
      Sum += cgCalcW(G.S.cell(I), G.S.stride(), G.Kx, G.Ky, G.P, G.W);
    return Sum;
  }
  static double calcUr(const Grid &G, double Alpha) {
    double Sum = 0;
    for (int I = 0; I < G.S.cells(); ++I)
      Sum += cgCalcUr(G.S.cell(I), Alpha, G.P, G.W, G.U, G.R);
    return Sum;
  }
  static void calcP(const Grid &G, double Beta) {
    for (int I = 0; I < G.S.cells(); ++I)
      cgCalcP(G.S.cell(I), Beta, G.R, G.P);
  }
};

// A dense cold material with a hot, thin one in a corner.
class Heat {
public:
  explicit Heat(int N) : S{N}, U0(S.size()), Kx(S.size()), Ky(S.size()) {
    const double Width = 10, Dt = 0.04;
    const double Factor = Dt * N * N / (Width * Width);
    std::vector<double> Density(S.size());
    for (int I = 0; I < S.cells(); ++I) {
      bool Hot = I / N < N / 2 && I % N <= N / 3;
      Density[S.cell(I)] = Hot ? 0.2 : 8;
      U0[S.cell(I)] = Density[S.cell(I)] * (Hot ? 20 : 0.01);
    }
    // The conductivity is 1 by the density, on a face the mean of both sides.
    for (int I = 0; I < S.cells(); ++I) {
      int C = S.cell(I);
      auto Mean = [&](int Other) {
        return Factor * (1 / Density[C] + 1 / Density[Other]) / 2;
      };
      if (I % N)
        Kx[C] = Mean(C - 1);
      if (I / N)
        Ky[C] = Mean(C - S.stride());
    }
  }

  Shape S;
  std::vector<double> U0, Kx, Ky;
};

#endif // FERRY_EXAMPLES_PAPER2018_TEALEAF_GRID_H
