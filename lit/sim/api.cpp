// omp_target_alloc, omp_target_memcpy and the clauses for device pointers.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

namespace {
constexpr int N = 240;
const int Host = omp_get_initial_device();
int Device() { return omp_get_default_device(); }
} // namespace

PROGRAM(alloc_and_memcpy) {
  int A[N], B[N];
  for (int I = 0; I < N; ++I)
    A[I] = I;
  int *D = static_cast<int *>(omp_target_alloc(sizeof(A), Device()));
  check::value("copy to", omp_target_memcpy(D, A, sizeof(A), 0, 0, Device(), Host),
               0);
#pragma omp target teams distribute parallel for is_device_ptr(D)
  for (int I = 0; I < N; ++I)
    D[I] = D[I] * 2 + 1;
  check::value("copy from",
               omp_target_memcpy(B, D, sizeof(B) - 40, 40, 0, Host, Device()), 0);
  omp_target_free(D, Device());
  for (int I = 10; I < N; ++I)
    check::value("B", B[I], 2 * (I - 10) + 1, I);
}

PROGRAM(copy_within_the_device) {
  int A[N], B[N];
  for (int I = 0; I < N; ++I)
    A[I] = I * I;
  int *D = static_cast<int *>(omp_target_alloc(sizeof(A), Device()));
  int *E = static_cast<int *>(omp_target_alloc(sizeof(A), Device()));
  omp_target_memcpy(D, A, sizeof(A), 0, 0, Device(), Host);
  omp_target_memcpy(E, D, sizeof(A), 0, 0, Device(), Device());
  omp_target_memcpy(B, E, sizeof(A), 0, 0, Host, Device());
  omp_target_free(D, Device());
  omp_target_free(E, Device());
  check::array("B", B, A, N);
}

PROGRAM(memcpy_of_rectangle) {
  constexpr int Rows = 10, Columns = 24;
  int A[Rows][Columns], B[Rows][Columns] = {};
  for (int I = 0; I < N; ++I)
    A[0][I] = I;
  int *D = static_cast<int *>(omp_target_alloc(sizeof(A), Device()));
  const size_t Volume[] = {4, 7}, Offset[] = {2, 3}, Zero[] = {0, 0},
               Extent[] = {Rows, Columns};
  omp_target_memcpy_rect(D, A, sizeof(int), 2, Volume, Zero, Offset, Extent,
                         Extent, Device(), Host);
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(D)
  for (int I = 0; I < 4; ++I)
    for (int J = 0; J < 7; ++J)
      D[I * Columns + J] += 1000;
  omp_target_memcpy_rect(B, D, sizeof(int), 2, Volume, Offset, Zero, Extent,
                         Extent, Host, Device());
  omp_target_free(D, Device());
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J)
      check::value("B", B[I][J],
                   I >= 2 && I < 6 && J >= 3 && J < 10 ? A[I][J] + 1000 : 0, I);
}

PROGRAM(use_device_ptr) {
  int A[N], *P = A, Present = 0;
  memset(A, 0, sizeof(A));
#pragma omp target data map(tofrom : P[0 : N])
  {
    int *Mapped = nullptr;
#pragma omp target data use_device_ptr(P)
    Mapped = P;
    Present = Mapped != A && Mapped == omp_get_mapped_ptr(A, Device());
#pragma omp target teams distribute parallel for is_device_ptr(Mapped)
    for (int I = 0; I < N; ++I)
      Mapped[I] = I;
  }
  check::value("Present", Present, 1);
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I, I);
}

PROGRAM(use_device_addr) {
  int A[N] = {}, X = 5;
#pragma omp target data map(tofrom : A, X)
#pragma omp target data use_device_addr(A, X)
  {
#pragma omp target teams distribute parallel for has_device_addr(A, X)
    for (int I = 0; I < N; ++I)
      A[I] = I + X;
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I + 5, I);
}

PROGRAM(associated_pointer) {
  int A[N] = {};
  int *D = static_cast<int *>(omp_target_alloc(sizeof(A), Device()));
  check::value("associate",
               omp_target_associate_ptr(A, D, sizeof(A), 0, Device()), 0);
#pragma omp target teams distribute parallel for map(alloc : A)
  for (int I = 0; I < N; ++I)
    A[I] = 7 * I;
#pragma omp target update from(A)
  check::value("disassociate", omp_target_disassociate_ptr(A, Device()), 0);
  omp_target_free(D, Device());
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 7 * I, I);
}

PROGRAM(many_allocations) {
  constexpr int Count = 300;
  char *P[Count];
  int Bad = 0;
  for (int I = 0; I < Count; ++I) {
    P[I] = static_cast<char *>(omp_target_alloc(1 + I * 13, Device()));
    Bad += !P[I];
  }
  for (int I = 0; I < Count; I += 2)
    omp_target_free(P[I], Device());
  for (int I = 0; I < Count; I += 2)
    P[I] = static_cast<char *>(omp_target_alloc(1 + I * 7, Device()));
  for (int I = 1; I < Count; ++I)
    Bad += P[I] == P[I - 1];
  for (int I = 0; I < Count; ++I)
    omp_target_free(P[I], Device());
  check::value("Bad", Bad, 0);
}

PROGRAM(pointer_to_the_end) {
  int A[N], Sum = 0;
  for (int I = 0; I < N; ++I)
    A[I] = I;
  int *D = static_cast<int *>(omp_target_alloc(sizeof(A), Device()));
  omp_target_memcpy(D, A, sizeof(A), 0, 0, Device(), Host);
  int *End = D + N;
#pragma omp target is_device_ptr(D, End) map(tofrom : Sum)
  for (int *P = D; P != End; ++P)
    Sum += *P;
  omp_target_free(D, Device());
  check::value("Sum", Sum, N * (N - 1) / 2);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
