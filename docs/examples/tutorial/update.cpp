// Host and device take turns on the same data, which stays mapped: target
// update sends or brings back what the other side needs, and only that.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu update.cpp
//
// The device adds 1 to every element; the host looks at the first and the last
// element, doubles them, and sends these two back.
#include "../example.h"
#include <vector>

const int Turns = 5;

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

// An array with a front and a back end that the host works on.
struct Strip {
  double *Data;
  int N;

  void add() {
    forall(N, [this](int I) { Data[I] += 1; });
  }
  void doubleEnds() {
    double *Front = Data, *Back = Data + N - 1;
#pragma omp target update from(Front[0 : 1], Back[0 : 1])
    *Front *= 2;
    *Back *= 2;
#pragma omp target update to(Front[0 : 1], Back[0 : 1])
  }
};

static void addMapped(double *Data, int N) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Data[I] += 1;
}

static void mapped(double *Data, int N) {
  Strip S{Data, N};
#pragma omp target data map(tofrom : Data[0 : N])
  for (int Turn = 0; Turn < Turns; ++Turn) {
    addMapped(Data, N);
    S.doubleEnds();
  }
}

static void lambda(double *Data, int N) {
  Strip S{Data, N};
#pragma omp target data map(tofrom : Data[0 : N])
  for (int Turn = 0; Turn < Turns; ++Turn) {
    S.add();
    S.doubleEnds();
  }
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "length of the array", 1000, 2, 100000000);
  int N = E.size();
  std::vector<double> A(N);
  // Ends: x -> 2 (x + 1) from 0 gives 2^(Turns + 1) - 2.
  double Ends = std::pow(2, Turns + 1) - 2;
  double Expected = 2 * Ends + double(Turns) * (N - 2);

  auto Run = [&](const char *Name, auto *Work) {
    auto Body = [&] {
      A.assign(N, 0);
      Work(A.data(), N);
      double Sum = 0;
      for (double Element : A)
        Sum += Element;
      return Sum;
    };
    E.run(Name, Body, Expected);
  };
  Run("update", mapped);
  Run("update-lambda", lambda);
  return E.finish();
}
// RUN: %wrong_without_ferry
