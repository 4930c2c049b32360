// Several devices: each has its own memory, and its own declare target data.
//
// RUN: for o in -O0 -O1 -O2 -O3; do echo "at $o"; \
// RUN:   %sim_cxx $o %s -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet --devices 3 -- %t || exit 1; done
// RUN: not %ferry_sim --strict --quiet --devices 2 -- %t number

#include "Inputs/check.h"

namespace {
constexpr int N = 100, Devices = 3;
}
#pragma omp begin declare target
int Global = 1;
#pragma omp end declare target

PROGRAM(number) {
  check::value("omp_get_num_devices", omp_get_num_devices(), Devices);
  for (int D = 0; D < Devices; ++D) {
    int Got = -1;
#pragma omp target device(D) map(from : Got)
    Got = omp_get_device_num();
    check::value("omp_get_device_num", Got, D, D);
  }
}

PROGRAM(memory_of_each) {
  int A[N], *P = A;
  for (int I = 0; I < N; ++I)
    A[I] = I;
  for (int D = 0; D < Devices; ++D) {
#pragma omp target enter data map(to : P[0 : N]) device(D)
  }
  for (int D = 0; D < Devices; ++D) {
#pragma omp target teams distribute parallel for device(D)
    for (int I = 0; I < N; ++I)
      P[I] += D * 1000;
  }
  for (int D = 0; D < Devices; ++D) {
    check::value("before", A[1], D ? (D - 1) * 1000 + 1 : 1, D);
#pragma omp target exit data map(from : P[0 : N]) device(D)
    for (int I = 0; I < N; ++I)
      check::value("A", A[I], D * 1000 + I, I);
  }
}

PROGRAM(globals_of_each) {
  for (int D = 0; D < Devices; ++D) {
#pragma omp target device(D)
    Global += D + 1;
  }
  for (int D = 0; D < Devices; ++D) {
    int Got = 0;
#pragma omp target device(D) map(from : Got)
    Got = Global;
    check::value("Global", Got, D + 2, D);
  }
}

PROGRAM(from_device_to_device) {
  int A[N], B[N];
  for (int I = 0; I < N; ++I)
    A[I] = I * 3;
  const int Host = omp_get_initial_device();
  int *P = static_cast<int *>(omp_target_alloc(sizeof(A), 0));
  int *Q = static_cast<int *>(omp_target_alloc(sizeof(A), 2));
  omp_target_memcpy(P, A, sizeof(A), 0, 0, 0, Host);
  omp_target_memcpy(Q, P, sizeof(A), 0, 0, 2, 0);
#pragma omp target teams distribute parallel for device(2) is_device_ptr(Q)
  for (int I = 0; I < N; ++I)
    Q[I] += 1;
  omp_target_memcpy(B, Q, sizeof(A), 0, 0, Host, 2);
  omp_target_free(P, 0);
  omp_target_free(Q, 2);
  for (int I = 0; I < N; ++I)
    check::value("B", B[I], 3 * I + 1, I);
}

PROGRAM(default_device) {
  int Got = -1;
  omp_set_default_device(1);
#pragma omp target map(from : Got)
  Got = omp_get_device_num();
  omp_set_default_device(0);
  check::value("Got", Got, 1);
}

PROGRAM(all_at_once) {
  long Sum[Devices] = {};
#pragma omp parallel for num_threads(Devices)
  for (int D = 0; D < Devices; ++D) {
    long S = 0;
#pragma omp target teams distribute parallel for device(D) reduction(+ : S)
    for (int I = 0; I < N; ++I)
      S += I * (D + 1);
    Sum[D] = S;
  }
  for (int D = 0; D < Devices; ++D)
    check::value("Sum", Sum[D], long(N) * (N - 1) / 2 * (D + 1), D);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
