// TeaLeaf's conjugate gradient method for the linear heat conduction equation:
// its kernels calc_w (a stencil and a sum) and calc_p (a vector update) alone,
// and the whole solve.
//
//   ferry-clang++ -O3 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu tealeaf.cpp
//
//   plain     OpenMP's directives around the loop itself
//   explicit  the lambda is made inside `target data use_device_ptr(...)`
//   lambda    the lambda captures the pointers, and nothing else
//
// All three make the same sums, so they take the same steps and end with the
// same bits; see variants.h. This program runs with `--ferry-off` as well and
// must print the same.
#include "loops.h"
#include "tealeaf_grid.h"
#include "variants.h"

struct Plain {
  static double init(const Grid &G) {
    Shape S = G.S;
    const double *Kx = G.Kx, *Ky = G.Ky, *U0 = G.U0;
    double *U = G.U, *R = G.R, *P = G.P, Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
    for (int I = 0; I < S.cells(); ++I)
      Sum += cgInit(S.cell(I), S.stride(), Kx, Ky, U0, U, R, P);
    return Sum;
  }
  static double calcW(const Grid &G) {
    Shape S = G.S;
    const double *Kx = G.Kx, *Ky = G.Ky, *P = G.P;
    double *W = G.W, Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
    for (int I = 0; I < S.cells(); ++I)
      Sum += cgCalcW(S.cell(I), S.stride(), Kx, Ky, P, W);
    return Sum;
  }
  static double calcUr(const Grid &G, double Alpha) {
    Shape S = G.S;
    const double *P = G.P, *W = G.W;
    double *U = G.U, *R = G.R, Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
    for (int I = 0; I < S.cells(); ++I)
      Sum += cgCalcUr(S.cell(I), Alpha, P, W, U, R);
    return Sum;
  }
  static void calcP(const Grid &G, double Beta) {
    Shape S = G.S;
    double *R = G.R, *P = G.P;
#pragma omp target teams distribute parallel for
    for (int I = 0; I < S.cells(); ++I)
      cgCalcP(S.cell(I), Beta, R, P);
  }
};

struct Explicit {
  static double init(const Grid &G) {
    Shape S = G.S;
    const double *Kx = G.Kx, *Ky = G.Ky, *U0 = G.U0;
    double *U = G.U, *R = G.R, *P = G.P, Sum;
#pragma omp target data use_device_ptr(Kx, Ky, U0, U, R, P)
    Sum = reduceSum<double>(0, S.cells(), [=](int I) {
      return cgInit(S.cell(I), S.stride(), Kx, Ky, U0, U, R, P);
    });
    return Sum;
  }
  static double calcW(const Grid &G) {
    Shape S = G.S;
    const double *Kx = G.Kx, *Ky = G.Ky, *P = G.P;
    double *W = G.W, Sum;
#pragma omp target data use_device_ptr(Kx, Ky, P, W)
    Sum = reduceSum<double>(0, S.cells(), [=](int I) {
      return cgCalcW(S.cell(I), S.stride(), Kx, Ky, P, W);
    });
    return Sum;
  }
  static double calcUr(const Grid &G, double Alpha) {
    Shape S = G.S;
    const double *P = G.P, *W = G.W;
    double *U = G.U, *R = G.R, Sum;
#pragma omp target data use_device_ptr(P, W, U, R)
    Sum = reduceSum<double>(0, S.cells(), [=](int I) {
      return cgCalcUr(S.cell(I), Alpha, P, W, U, R);
    });
    return Sum;
  }
  static void calcP(const Grid &G, double Beta) {
    Shape S = G.S;
    double *R = G.R, *P = G.P;
#pragma omp target data use_device_ptr(R, P)
    forall(0, S.cells(), [=](int I) { cgCalcP(S.cell(I), Beta, R, P); });
  }
};

struct Lambda {
  static double init(const Grid &G) {
    return reduceSum<double>(0, G.S.cells(),
                             [S = G.S, Kx = G.Kx, Ky = G.Ky, U0 = G.U0, U = G.U,
                              R = G.R, P = G.P](int I) {
                               return cgInit(S.cell(I), S.stride(), Kx, Ky, U0,
                                             U, R, P);
                             });
  }
  static double calcW(const Grid &G) {
    return reduceSum<double>(
        0, G.S.cells(),
        [S = G.S, Kx = G.Kx, Ky = G.Ky, P = G.P, W = G.W](int I) {
          return cgCalcW(S.cell(I), S.stride(), Kx, Ky, P, W);
        });
  }
  static double calcUr(const Grid &G, double Alpha) {
    return reduceSum<double>(
        0, G.S.cells(),
        [=, S = G.S, P = G.P, W = G.W, U = G.U, R = G.R](int I) {
          return cgCalcUr(S.cell(I), Alpha, P, W, U, R);
        });
  }
  static void calcP(const Grid &G, double Beta) {
    forall(0, G.S.cells(), [=, S = G.S, R = G.R, P = G.P](int I) {
      cgCalcP(S.cell(I), Beta, R, P);
    });
  }
};

// What a solve on the host has: the arrays that change.
struct HostState {
  explicit HostState(Shape S)
      : U(S.size()), R(S.size()), P(S.size()), W(S.size()) {}
  Grid grid(Heat &H) {
    return {H.S,      H.Kx.data(), H.Ky.data(), H.U0.data(),
            U.data(), R.data(),    P.data(),    W.data()};
  }
  std::vector<double> U, R, P, W;
};

class TeaLeaf {
public:
  TeaLeaf(int Argc, char **Argv)
      : E(Argc, Argv, "cells along each edge of the grid", 24, 2, 8192),
        H(E.size()), Start(H.S) {
    Serial::init(Start.grid(H));
    G = {H.S,
         Memory.add(H.Kx),
         Memory.add(H.Ky),
         Memory.add(H.U0),
         Memory.add(Start.U),
         Memory.add(Start.R),
         Memory.add(Start.P),
         Memory.add(Start.W)};
  }

  int run() {
    runCalcW();
    runCalcP();
    runSolve();
    return E.finish();
  }

private:
  void runCalcW() {
    HostState After = Start;
    double Pw = Serial::calcW(After.grid(H)), Terms = 0;
    for (size_t I = 0; I < After.W.size(); ++I)
      Terms += std::fabs(Start.P[I] * After.W[I]);
    // A row of A adds up six products, none greater than twice the diagonal
    // times the largest element of p. A sum errs by a rounding of the sum of
    // its terms' magnitudes for each addition.
    double Rounding = 2 * H.S.cells() * Eps * Terms / Pw;
    Kernel CalcW(E, "calc-w", {{G.W, Start.W, After.W}}, 50 * Eps);
    CalcW.run("plain", [&] { return Plain::calcW(G); }, Pw, Rounding);
    CalcW.run("explicit", [&] { return Explicit::calcW(G); }, Pw, Rounding);
    CalcW.run("lambda", [&] { return Lambda::calcW(G); }, Pw, Rounding);
  }

  void runCalcP() {
    const double Beta = 0.7;
    HostState After = Start;
    Serial::calcP(After.grid(H), Beta);
    // A GPU may fuse the product and the sum, which saves one rounding.
    Kernel CalcP(E, "calc-p", {{G.P, Start.P, After.P}}, Eps);
    CalcP.run("plain", [&] { Plain::calcP(G, Beta); });
    CalcP.run("explicit", [&] { Explicit::calcP(G, Beta); });
    CalcP.run("lambda", [&] { Lambda::calcP(G, Beta); });
  }

  void runSolve() {
    HostState After = Start;
    CgResult Host = solve<Serial>(After.grid(H), CgTolerance);
    // No eigenvalue of A is below 1. So a solution is as near to the right one
    // as its residual is small, and two are twice as near to each other; this
    // is far more than what rounding does.
    double Near = 2 * CgTolerance * Host.FirstResidual;
    double Largest = *std::max_element(After.U.begin(), After.U.end());
    Kernel Cg(E, "cg", {{G.U, Start.U, After.U}}, Near / Largest, 1);
    if (Cg.run("plain", [&] { Device = solve<Plain>(G, CgTolerance); }))
      checkHeat("cg-plain");
    if (Cg.run("explicit", [&] { Device = solve<Explicit>(G, CgTolerance); }))
      checkHeat("cg-explicit");
    if (Cg.run("lambda", [&] { Device = solve<Lambda>(G, CgTolerance); }))
      checkHeat("cg-lambda");
  }

  // No heat is lost: the columns of A add up to 1, so the sums of u and of u0
  // differ by the sum of the residual, which is at most the root of the number
  // of cells times its norm.
  void checkHeat(const std::string &Variant) {
    double Before = 0, After = 0;
    for (double V : H.U0)
      Before += V;
    for (double V : DeviceMemory::load(G.U, H.S.size()))
      After += V;
    double Lost = H.S.N * 2 * CgTolerance * Device.FirstResidual;
    E.check(Variant + ", heat", After, Before, Lost / Before);
  }

  const double Eps = std::numeric_limits<double>::epsilon();
  const double CgTolerance = 1e-10;
  Example E;
  Heat H;
  HostState Start;
  DeviceMemory Memory;
  Grid G;
  CgResult Device = {};
};

int main(int Argc, char **Argv) { return TeaLeaf(Argc, Argv).run(); }

// RUN: %same_without_ferry
