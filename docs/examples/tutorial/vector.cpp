// A std::vector on the device. Mapping the object would only copy its pointers,
// so what is mapped is the data behind them. A region then has to use a plain
// pointer, but with Ferry a lambda may use the vector itself.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu vector.cpp
//
// The vectors cannot grow on the device, and nothing keeps the device's copy in
// step when the host's grows.
#include "../example.h"
#include <numeric>
#include <vector>

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

using Vector = std::vector<double>;

static void pointer(const Vector &X, Vector &Y) {
  int N = Y.size();
  const double *XData = X.data();
  double *YData = Y.data();
#pragma omp target teams distribute parallel for map(to : XData[0 : N])        \
    map(tofrom : YData[0 : N])
  for (int I = 0; I < N; ++I)
    YData[I] += 2 * XData[I];
}

// X and Y are captured by reference: the closure holds the addresses of two
// vectors of the host, and each of these holds the address of its data.
static void add(const Vector &X, Vector &Y) {
  forall(Y.size(), [&](int I) { Y[I] += 2 * X[I]; });
}

static void lambda(const Vector &X, Vector &Y) {
  int N = Y.size();
  const double *XData = X.data();
  double *YData = Y.data();
#pragma omp target data map(to : XData[0 : N]) map(tofrom : YData[0 : N])
  add(X, Y);
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "length of the vectors", 1000, 1, 10000000);
  int N = E.size();
  Vector X(N), Y(N);
  std::iota(X.begin(), X.end(), 0);

  auto Run = [&](const char *Name, auto *Add) {
    auto Body = [&] {
      Y.assign(N, 1);
      Add(X, Y);
      return std::accumulate(Y.begin(), Y.end(), 0.0);
    };
    // Y[I] is 2 I + 1, and the sum of the first n odd numbers n^2.
    E.run(Name, Body, double(N) * N);
  };
  Run("vector-pointer", pointer);
  Run("vector-lambda", lambda);
  return E.finish();
}
// RUN: %wrong_without_ferry
