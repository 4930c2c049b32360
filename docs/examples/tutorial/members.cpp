// Objects on the device: one that is mapped whole, one that lives there as a
// global variable, and members that kernels reach through `this`.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu members.cpp
#include "../example.h"
#include <vector>

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

class Line {
public:
  constexpr Line(double Slope, double Offset) : Slope(Slope), Offset(Offset) {}
  double operator()(double X) const { return Slope * X + Offset; }
  void raise(double By) { Offset += By; }

private:
  double Slope, Offset;
};

// The device has a Ground of its own, for as long as the program runs.
#pragma omp declare target
Line Ground(1, 0);
#pragma omp end declare target

// Member functions that are called in a region are compiled for the device
// without being told to. The object is sent and brought back.
static double wholeObject(std::vector<double> &) {
  Line L(2, 1);
  double Y = 0;
#pragma omp target map(tofrom : L, Y)
  {
    L.raise(10);
    Y = L(4);
  }
  return Y + L(0);
}

static double globalObject(std::vector<double> &) {
  Ground = Line(1, 5);
#pragma omp target update to(Ground)
  Ground = Line(0, 0);
  double Y = 0;
#pragma omp target map(from : Y)
  {
    Ground.raise(1);
    Y = Ground(4);
  }
#pragma omp target update from(Ground)
  return Y + Ground(0);
}

// Samples of a line. The arrays were mapped by whoever made them.
class Samples {
public:
  Samples(double *Y, int N, Line L) : Y(Y), N(N), L(L) {}

  // Without a lambda, members have to be copied to local variables first: a
  // region that names them would map the object, and Y in it would stay the
  // host's address.
  void takeByHand() {
    double *Y = this->Y;
    Line L = this->L;
#pragma omp target teams distribute parallel for map(to : L)
    for (int I = 0; I < N; ++I)
      Y[I] = L(I);
  }

  void take() {
    forall(N, [this](int I) { Y[I] = L(I); });
  }

private:
  double *Y;
  int N;
  Line L;
};

static double sum(std::vector<double> &Y, void (Samples::*Take)()) {
  int N = Y.size();
  double *Data = Y.data(), Sum = 0;
  Y.assign(N, 0);
  Samples S(Data, N, Line(2, 1));
#pragma omp target data map(tofrom : Data[0 : N])
  (S.*Take)();
  for (double Element : Y)
    Sum += Element;
  return Sum;
}

static double byHand(std::vector<double> &Y) {
  return sum(Y, &Samples::takeByHand);
}

static double lambda(std::vector<double> &Y) { return sum(Y, &Samples::take); }

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "number of samples", 1000, 1, 10000000);
  double N = E.size();
  std::vector<double> Y(E.size());
  auto Run = [&](const char *Name, auto *Work, double Expected) {
    E.run(Name, [&] { return Work(Y); }, Expected);
  };
  Run("members-whole", wholeObject, 19 + 11);
  Run("members-global", globalObject, 10 + 6);
  Run("members-by-hand", byHand, N * N);
  Run("members-lambda", lambda, N * N);
  return E.finish();
}
// RUN: %wrong_without_ferry
