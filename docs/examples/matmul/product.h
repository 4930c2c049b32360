//===- product.h - Matrices and what their product must be ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The matrices are on the device as long as the Product lives, and the host's
// copies are overwritten: a kernel that gets a host pointer computes nothing.
// Elements are doubles, or what -DREAL=float says; small whole numbers, so that
// every sum is exact, in whatever order. C is right if C v is A (B v), which
// takes n^2 operations to compute.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_EXAMPLES_MATMUL_PRODUCT_H
#define FERRY_EXAMPLES_MATMUL_PRODUCT_H

#include "../example.h"
#include <algorithm>
#include <vector>

#ifndef REAL
#define REAL double
#endif
using Real = REAL;

// N rows of N elements.
struct Matrix {
  Real *Data;
  int N;

  Real &operator()(int I, int J) const { return Data[I * N + J]; }
};

class Product {
public:
  Product(int Argc, char **Argv)
      : E(Argc, Argv, "rows of the matrices", 50, 1, 8000), N(E.size()),
        A(size_t(N) * N), B(A.size()), C(A.size()), V(N) {
    unsigned Random = 1;
    for (auto *M : {&A, &B})
      for (Real &Element : *M) {
        Random = Random * 1664525u + 1013904223u;
        Element = int(Random >> 24) % 7 - 3;
      }
    for (int I = 0; I < N; ++I)
      V[I] = I + 1;
    Right = times(A, times(B, V));
    for (auto *M : {&A, &B, &C}) {
      Real *Data = M->data();
#pragma omp target enter data map(to : Data[0 : M->size()])
      std::fill(M->begin(), M->end(), 0);
    }
  }

  Product(const Product &) = delete;

  ~Product() {
    for (auto *M : {&A, &B, &C}) {
      Real *Data = M->data();
#pragma omp target exit data map(delete : Data[0 : M->size()])
    }
  }

  // Multiply(A, B, C) starts a kernel; with --bench its time is measured, and
  // no transfer.
  template <typename F> void run(const std::string &Name, F Multiply) {
    std::vector<double> Got;
    auto Body = [&] {
      if (!Got.empty()) {
        Multiply(matrix(A), matrix(B), matrix(C));
        return sum(Got);
      }
      store(C);
      Multiply(matrix(A), matrix(B), matrix(C));
      load(C);
      Got = times(C, V);
      return sum(Got);
    };
    if (!E.run(Name, Body, sum(Right)))
      return;
    int Wrong = 0;
    for (int I = 0; I < N; ++I)
      Wrong += Got[I] != Right[I];
    E.check(Name + ", wrong rows", Wrong, 0);
  }

  int finish() const { return E.finish(); }

private:
  Example E;
  int N;
  std::vector<Real> A, B, C;
  std::vector<double> V, Right;

  Matrix matrix(std::vector<Real> &M) const { return {M.data(), N}; }

  static void store(std::vector<Real> &M) {
    std::fill(M.begin(), M.end(), std::numeric_limits<Real>::quiet_NaN());
    Real *Data = M.data();
#pragma omp target update to(Data[0 : M.size()])
  }

  static void load(std::vector<Real> &M) {
    Real *Data = M.data();
#pragma omp target update from(Data[0 : M.size()])
  }

  static double sum(const std::vector<double> &Values) {
    double Sum = 0;
    for (double Value : Values)
      Sum += Value;
    return Sum;
  }

  static std::vector<double> times(const std::vector<Real> &M,
                                   const std::vector<double> &Values) {
    size_t Size = Values.size();
    std::vector<double> Result(Size);
    for (size_t I = 0; I < Size; ++I)
      for (size_t J = 0; J < Size; ++J)
        Result[I] += M[I * Size + J] * Values[J];
    return Result;
  }
};

#endif // FERRY_EXAMPLES_MATMUL_PRODUCT_H
