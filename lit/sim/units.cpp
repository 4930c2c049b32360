// Several translation units: separate compilation, a static library, device
// code that calls and reads what is defined elsewhere.
//
// RUN: for o in -O0 -O1 -O2 -O3; do echo "at $o"; \
// RUN:   for f in %s %S/Inputs/units_device.cpp %S/Inputs/units_library.cpp; do \
// RUN:     %sim_cxx $o -c $f -o %t.$(basename $f).o || exit 1; done; \
// RUN:   %sim_cxx %t.units.cpp.o %t.units_device.cpp.o %t.units_library.cpp.o -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t || exit 1; \
// RUN:   rm -f %t.a; ar rcs %t.a %t.units_library.cpp.o %t.units_device.cpp.o; \
// RUN:   %sim_cxx %t.units.cpp.o %t.a -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t || exit 1; done
//
// Units of different levels.
// RUN: %sim_cxx -O0 -c %S/Inputs/units_device.cpp -o %t.units_device.cpp.o
// RUN: %sim_cxx -O3 -g -c %s -o %t.units.cpp.o
// RUN: %sim_cxx %t.units.cpp.o %t.units_device.cpp.o %t.units_library.cpp.o -o %t
// RUN: %ferry_sim --strict --quiet -- %t

#include "Inputs/check.h"
#include "Inputs/units.h"

namespace {
constexpr int N = 170;

#pragma omp begin declare target
struct Steel : Material {
  double density() const override { return 7.5; }
};
#pragma omp end declare target
} // namespace

PROGRAM(functions_of_another_unit) {
  int A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I)
    A[I] = weigh(I);
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 1 << I % 8, I);
}

PROGRAM(records_across_units) {
  double E[N];
#pragma omp target teams distribute parallel for map(from : E)
  for (int I = 0; I < N; ++I) {
    Particle P = {{double(I), 2, 3}, 4};
    E[I] = energy(P);
  }
  for (int I = 0; I < N; ++I)
    check::value("E", E[I], 2.0 * (I * I + 13), I);
}

PROGRAM(virtual_functions_across_units) {
  double Got = 0;
#pragma omp target map(from : Got)
  {
    Steel S;
    Got = weight(S, 2);
  }
  check::value("Got", Got, 15);
}

PROGRAM(variables_of_another_unit) {
  int Got = 0;
#pragma omp target map(from : Got)
  {
    Calls += 5;
    Got = Calls + int(Weights[7]);
  }
  check::value("Got", Got, 233);
#pragma omp target update from(Calls)
  check::value("Calls", Calls, 105);
}

PROGRAM(regions_of_another_unit) {
  double A[N];
  for (int I = 0; I < N; ++I)
    A[I] = I;
  scale(A, N, 3);
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 3.0 * I, I);
  long Want = 0;
  for (int I = 0; I < N; ++I)
    Want += 2 * I + (1 << I % 8);
  check::value("countOnDevice", countOnDevice(N), Want);
}

PROGRAM(same_template_in_two_units) {
  long A[N];
  for (int I = 0; I < N; ++I)
    A[I] = I;
  check::value("here", sumOnDevice(A, N), N * (N - 1) / 2);
  check::value("there", sumInLibrary(A, N), N * (N - 1) / 2);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
