// Copies between host and device, and allocations: what the map clauses say,
// and nothing else. N = 1000 doubles are 8000 bytes.
//
// RUN: %sim_cxx -O2 %s -o %t
// RUN: check() { echo "$1"; \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t $1 || return 1; \
// RUN:   %python %S/Inputs/check_counters.py %t.json \
// RUN:     --total h2d_copies=$2 --total h2d_bytes=$3 \
// RUN:     --total d2h_copies=$4 --total d2h_bytes=$5 \
// RUN:     --total launches=$6; }; \
// RUN: check map_to 1 8000 0 0 1 && check map_from 0 0 1 8000 1 && \
// RUN: check map_tofrom 1 8000 1 8000 1 && check map_alloc 0 0 0 0 1 && \
// RUN: check section 1 800 1 400 1 && check two_arrays 2 16000 1 8000 1 && \
// RUN: check kept_on_device 1 8000 1 8000 10 && \
// RUN: check always_copied 10 80000 10 80000 10 && \
// RUN: check updates 3 8800 2 8800 1 && check enter_and_exit 1 8000 1 8000 1 && \
// RUN: check released 1 8000 0 0 1 && check device_pointer 0 0 0 0 1 && \
// RUN: check target_memcpy 1 8000 1 4000 0 && check scalar_by_value 0 0 0 0 1 && \
// RUN: check scalar_tofrom 1 8 1 8 1 && \
// RUN: check of_each_launch 4 16000 4 16000 4
// RUN: not %python %S/Inputs/check_counters.py %t.json --total h2d_copies=5
// RUN: %python %S/Inputs/check_counters.py %t.json --total d2h_copies=4

#include "Inputs/check.h"

namespace {
constexpr int N = 1000;
double A[N], B[N];
} // namespace

PROGRAM(map_to) {
  double *P = A;
#pragma omp target map(to : P[0 : N])
  P[5] = 1;
}

PROGRAM(map_from) {
  double *P = A;
#pragma omp target teams distribute parallel for map(from : P[0 : N])
  for (int I = 0; I < N; ++I)
    P[I] = I;
  check::value("A", A[7], 7);
}

PROGRAM(map_tofrom) {
  double *P = A;
#pragma omp target teams distribute parallel for map(tofrom : P[0 : N])
  for (int I = 0; I < N; ++I)
    P[I] += I;
  check::value("A", A[7], 7);
}

PROGRAM(map_alloc) {
  double *P = A;
#pragma omp target map(alloc : P[0 : N])
  P[5] = 1;
}

PROGRAM(section) {
  double *P = A, *Q = B;
#pragma omp target map(to : P[100 : 100]) map(from : Q[50 : 50])
  for (int I = 50; I < 100; ++I)
    Q[I] = P[50 + I];
}

PROGRAM(two_arrays) {
  double *P = A, *Q = B;
#pragma omp target teams distribute parallel for map(to : P[0 : N]) \
    map(tofrom : Q[0 : N])
  for (int I = 0; I < N; ++I)
    Q[I] += P[I];
}

PROGRAM(kept_on_device) {
  double *P = A;
#pragma omp target data map(tofrom : P[0 : N])
  for (int R = 0; R < 10; ++R) {
#pragma omp target teams distribute parallel for map(tofrom : P[0 : N])
    for (int I = 0; I < N; ++I)
      P[I] += 1;
  }
  check::value("A", A[0], 10);
}

PROGRAM(always_copied) {
  double *P = A;
#pragma omp target data map(alloc : P[0 : N])
  for (int R = 0; R < 10; ++R) {
#pragma omp target teams distribute parallel for map(always, tofrom : P[0 : N])
    for (int I = 0; I < N; ++I)
      P[I] += 1;
  }
  check::value("A", A[0], 10);
}

PROGRAM(updates) {
  double *P = A;
#pragma omp target data map(to : P[0 : N])
  {
#pragma omp target update to(P[0 : 50])
#pragma omp target update to(P[50 : 50])
#pragma omp target
    P[3] = 5;
#pragma omp target update from(P[0 : N])
#pragma omp target update from(P[0 : 100])
  }
  check::value("A", A[3], 5);
}

PROGRAM(enter_and_exit) {
  double *P = A;
#pragma omp target enter data map(to : P[0 : N])
#pragma omp target
  P[3] = 5;
#pragma omp target exit data map(from : P[0 : N])
  check::value("A", A[3], 5);
}

PROGRAM(released) {
  double *P = A;
#pragma omp target enter data map(to : P[0 : N])
#pragma omp target
  P[3] = 5;
#pragma omp target exit data map(release : P[0 : N])
  check::value("A", A[3], 0);
}

PROGRAM(device_pointer) {
  double *D = static_cast<double *>(
      omp_target_alloc(sizeof(A), omp_get_default_device()));
#pragma omp target is_device_ptr(D)
  D[5] = 3;
  omp_target_free(D, omp_get_default_device());
}

PROGRAM(target_memcpy) {
  const int Device = omp_get_default_device(), Host = omp_get_initial_device();
  void *D = omp_target_alloc(sizeof(A), Device);
  omp_target_memcpy(D, A, sizeof(A), 0, 0, Device, Host);
  omp_target_memcpy(A, D, sizeof(A) / 2, 0, 0, Host, Device);
  omp_target_free(D, Device);
}

PROGRAM(scalar_by_value) {
  long X = 5;
#pragma omp target
  X = X + 1;
  check::value("X", X, 5);
}

PROGRAM(scalar_tofrom) {
  double X = 5;
#pragma omp target map(tofrom : X)
  X = X + 1;
  check::value("X", X, 6);
}

PROGRAM(of_each_launch) {
  double *P = A;
  for (int R = 0; R < 4; ++R) {
#pragma omp target teams distribute parallel for map(tofrom : P[0 : N / 2])
    for (int I = 0; I < N / 2; ++I)
      P[I] += 1;
  }
  check::value("A", A[0], 4);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
