// What happens to variables that no clause names. OpenMP's own rules: scalars
// are sent and not brought back, arrays and structures go both ways, and of a
// pointer only the address is looked up. defaultmap changes that for a region.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
//     defaultmap.cpp
#include "../example.h"

const int Length = 8;

struct Pair {
  double First, Second;
};

// Weights, so that the checksum tells which variables came back changed.
static double seen(double Scalar, const double *Array, const Pair &P) {
  return Scalar + 100 * Array[0] + 10000 * P.Second;
}

static double implicitRules(long) {
  double Scalar = 1, Array[Length] = {1};
  Pair P = {1, 1};
#pragma omp target
  {
    Scalar += 1;
    Array[0] += 1;
    P.Second += 1;
  }
  return seen(Scalar, Array, P);
}

static double scalarsBack(long) {
  double Scalar = 1, Array[Length] = {1};
  Pair P = {1, 1};
#pragma omp target defaultmap(tofrom : scalar)
  {
    Scalar += 1;
    Array[0] += 1;
    P.Second += 1;
  }
  return seen(Scalar, Array, P);
}

// Sent, and private to the region: the host's stay as they are.
static double nothingBack(long) {
  double Scalar = 1, Array[Length] = {1};
  Pair P = {1, 1};
#pragma omp target defaultmap(firstprivate : aggregate)
  {
    Scalar += 1;
    Array[0] += 1;
    P.Second += 1;
  }
  return seen(Scalar, Array, P);
}

// With none the compiler insists that every variable is in a clause.
static double everyOneNamed(long) {
  double Scalar = 1, Array[Length] = {1};
  Pair P = {1, 1};
#pragma omp target defaultmap(none) map(tofrom : Scalar, P) map(to : Array)
  {
    Scalar += 1;
    Array[0] += 1;
    P.Second += 1;
  }
  return seen(Scalar, Array, P);
}

// A closure is a structure. Whatever rule it is under, Ferry finds the pointers
// in it; here they are arrays that were mapped by the caller.
template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for defaultmap(                   \
        firstprivate : aggregate) defaultmap(firstprivate : scalar)
  for (int I = 0; I < N; ++I)
    Loop(I);
}

struct View {
  double *Data;
};

static void fill(View V, int N) {
  forall(N, [=](int I) { V.Data[I] = I; });
}

static double closure(long N) {
  double *Data = new double[N]();
#pragma omp target data map(tofrom : Data[0 : N])
  fill({Data}, N);
  double Sum = 0;
  for (long I = 0; I < N; ++I)
    Sum += Data[I];
  delete[] Data;
  return Sum;
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "length of the closure's array", 1000, 1, 10000000);
  long N = E.size();
  auto Run = [&](const char *Name, double (*Work)(long), double Expected) {
    E.run(Name, [&] { return Work(N); }, Expected);
  };
  Run("defaultmap-implicit", implicitRules, 20201);
  Run("defaultmap-scalars", scalarsBack, 20202);
  Run("defaultmap-firstprivate", nothingBack, 10101);
  Run("defaultmap-none", everyOneNamed, 20102);
  Run("defaultmap-closure", closure, 0.5 * N * (N - 1.0));
  return E.finish();
}
// RUN: %wrong_without_ferry
