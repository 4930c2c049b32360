// Pi as the integral of 4 / (1 + x^2) from 0 to 1, by the midpoint rule: one
// loop and one sum, brought to the device step by step.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu pi.cpp
//   ./a.out 1000000 --bench
//
// The simulator shows what the versions make of a GPU: how many blocks and
// threads work, and on what.
#include "../example.h"
#include <algorithm>
#include <omp.h>

static double height(long I, double Step) {
  double X = (I + 0.5) * Step;
  return 4 / (1 + X * X);
}

static double serial(long N) {
  double Step = 1.0 / N, Sum = 0;
  for (long I = 0; I < N; ++I)
    Sum += height(I, Step);
  return Sum * Step;
}

// One thread of the device does everything. Scalars are sent, but not brought
// back, unless a map clause asks for it.
static double target(long N) {
  double Step = 1.0 / N, Sum = 0;
#pragma omp target map(tofrom : Sum)
  for (long I = 0; I < N; ++I)
    Sum += height(I, Step);
  return Sum * Step;
}

// The threads of one team share the loop: one multiprocessor of a GPU.
static double oneTeam(long N) {
  double Step = 1.0 / N, Sum = 0;
#pragma omp target map(tofrom : Sum)
#pragma omp parallel for reduction(+ : Sum)
  for (long I = 0; I < N; ++I)
    Sum += height(I, Step);
  return Sum * Step;
}

// Many teams share it, but only one thread of each works.
static double teams(long N) {
  double Step = 1.0 / N, Sum = 0;
#pragma omp target teams distribute reduction(+ : Sum) map(tofrom : Sum)
  for (long I = 0; I < N; ++I)
    Sum += height(I, Step);
  return Sum * Step;
}

// The teams share blocks of the loop, the threads of each share a block.
static double blocks(long N) {
  double Step = 1.0 / N, Sum = 0;
#pragma omp target teams reduction(+ : Sum) map(tofrom : Sum)
  {
    long Block = (N + omp_get_num_teams() - 1) / omp_get_num_teams();
#pragma omp distribute
    for (long Begin = 0; Begin < N; Begin += Block) {
      long End = std::min(Begin + Block, N);
#pragma omp parallel for reduction(+ : Sum)
      for (long I = Begin; I < End; ++I)
        Sum += height(I, Step);
    }
  }
  return Sum * Step;
}

// The combined construct: the compiler cuts the loop into blocks.
static double combined(long N) {
  double Step = 1.0 / N, Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)            \
    map(tofrom : Sum)
  for (long I = 0; I < N; ++I)
    Sum += height(I, Step);
  return Sum * Step;
}

// The same behind a template. The lambda holds a reference to Step, a variable
// of the host, of which no map clause knows.
template <typename Body> double sum(long N, Body Term) {
  double Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)            \
    map(tofrom : Sum)
  for (long I = 0; I < N; ++I)
    Sum += Term(I);
  return Sum;
}

static double lambda(long N) {
  double Step = 1.0 / N;
  return sum(N, [&](long I) { return height(I, Step); }) * Step;
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "number of intervals", 10000, 1, 1000000000);
  long N = E.size();
  const double Pi = 3.14159265358979323846;
  // The rule is off by less than 1 / N^2; the rest is rounding.
  double Tolerance = 1.0 / N / N + 1e-15 * std::sqrt(N);

  auto Run = [&](const char *Name, double (*Integral)(long)) {
    E.run(Name, [&] { return Integral(N); }, Pi, Tolerance);
  };
  Run("pi-serial", serial);
  Run("pi-target", target);
  Run("pi-one-team", oneTeam);
  Run("pi-teams", teams);
  Run("pi-blocks", blocks);
  Run("pi-combined", combined);
  Run("pi-lambda", lambda);
  return E.finish();
}
