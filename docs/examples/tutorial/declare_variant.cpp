// A function with another version for the device: callers name one function,
// and the compiler takes the variant where its context matches.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
//     declare_variant.cpp
//
// The context `device={kind(nohost)}` is all code of the device, so a lambda
// that runs there calls the variant as well.
#include "../example.h"
#include <vector>

// The version of the device divides once instead of three times.
inline double seriesDevice(double X) {
  double Y = 1 / X;
  return Y * (1 + Y * (1 + Y)) + 100;
}

#pragma omp declare variant(seriesDevice) match(device = {kind(nohost)})
inline double series(double X) { return 1 / X + 1 / (X * X) + 1 / (X * X * X); }

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

static void host(double *Y, int N) {
  for (int I = 0; I < N; ++I)
    Y[I] = series(I + 1);
}

static void target(double *Y, int N) {
#pragma omp target teams distribute parallel for map(tofrom : Y[0 : N])
  for (int I = 0; I < N; ++I)
    Y[I] = series(I + 1);
}

struct View {
  double *Data;
};

static void evaluate(View Y, int N) {
  forall(N, [=](int I) { Y.Data[I] = series(I + 1); });
}

static void lambda(double *Y, int N) {
#pragma omp target data map(tofrom : Y[0 : N])
  evaluate({Y}, N);
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "number of values", 1000, 1, 10000000);
  int N = E.size();
  std::vector<double> Y(N);

  // The device's version adds 100, so that it can be seen which one was called.
  double OfHost = 0;
  for (int I = 0; I < N; ++I)
    OfHost += series(I + 1);
  double OfDevice = OfHost + 100.0 * N;

  auto Run = [&](const char *Name, auto *Work, double Expected) {
    auto Body = [&] {
      Y.assign(N, 0);
      Work(Y.data(), N);
      double Sum = 0;
      for (double Element : Y)
        Sum += Element;
      return Sum;
    };
    E.run(Name, Body, Expected, 1e-12);
  };
  Run("variant-host", host, OfHost);
  Run("variant-target", target, OfDevice);
  Run("variant-lambda", lambda, OfDevice);
  return E.finish();
}
// RUN: %wrong_without_ferry
