// Tables and records on the device in which kernels store pointers: what they
// stored stays, all else is attached, and one copy from the device tells.
//
// RUN: %run_at_all_levels
// RUN: %sim_cxx -O2 %s -o %t
// RUN: copies() { %ferry_sim --strict --quiet --json %t.json -- %t $1 && \
// RUN:   %python %S/Inputs/check_counters.py %t.json \
// RUN:     --total h2d_copies=$2 --total d2h_copies=$3; }; \
// RUN: copies written 4 2 && copies read_often 8 2 && \
// RUN: copies of_the_construct 18 1

#include "Inputs/check.h"

namespace {
constexpr int N = 4;
double Zeroes[N], A[N] = {1, 2, 3, 4}, B[N] = {5, 6, 7, 8}, Out[N];
double *Rows[N];

struct Record {
  double *P;
  int Count;
  double *Q;
};

struct MappedArrays {
  MappedArrays() {
    for (int I = 0; I < N; ++I)
      Rows[I] = Zeroes + I;
    double *Z = Zeroes, *X = A, *Y = B, *Q = Out;
#pragma omp target enter data map(to : Z[0 : N], X[0 : N], Y[0 : N])
#pragma omp target enter data map(alloc : Q[0 : N])
  }
  ~MappedArrays() {
    double *Z = Zeroes, *X = A, *Y = B, *Q = Out;
#pragma omp target exit data map(delete : Z[0 : N], X[0 : N], Y[0 : N], Q[0 : N])
  }
};

struct MappedTable : MappedArrays {
  MappedTable() {
    double **T = Rows;
#pragma omp target enter data map(to : T[0 : N])
  }
  ~MappedTable() {
    double **T = Rows;
#pragma omp target exit data map(delete : T[0 : N])
  }
};

void store(double *Array, int First = 0) {
  double **T = Rows;
#pragma omp target teams distribute parallel for
  for (int I = First; I < N; ++I)
    T[I] = Array + I;
}

void read() {
  double **T = Rows, *Q = Out;
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Q[I] = *T[I];
}

template <class F>
void expect(F Want) {
  double *Q = Out;
#pragma omp target update from(Q[0 : N])
  for (int I = 0; I < N; ++I)
    check::value("Out", Out[I], Want(I), I);
}
} // namespace

// Three arrays and the table; back, the table once and the results.
PROGRAM(written) {
  MappedTable Table;
  store(A);
  read();
  expect([](int I) { return A[I]; });
}

// Four pointers more, at the first launch.
PROGRAM(read_often) {
  MappedTable Table;
  for (int Round = 0; Round < 2; ++Round)
    read();
  expect([](int) { return 0; });
}

// The table and four pointers for each launch, and nothing back.
PROGRAM(of_the_construct) {
  MappedArrays Arrays;
  double **T = Rows, *Q = Out;
  for (int Round = 0; Round < 3; ++Round) {
#pragma omp target map(to : T[0 : N])
    for (int I = 0; I < N; ++I)
      Q[I] = *T[I];
  }
  expect([](int) { return 0; });
}

PROGRAM(partly_written) {
  MappedTable Table;
  store(A, 2);
  read();
  read();
  expect([](int I) { return I < 2 ? Zeroes[I] : A[I]; });
}

PROGRAM(swapped) {
  MappedTable Table;
  store(A);
  double **T = Rows;
  for (int Round = 0; Round < 3; ++Round) {
#pragma omp target
    {
      double *P = T[0];
      T[0] = T[3];
      T[3] = P;
    }
    read();
  }
  expect([](int I) { return A[I == 0 ? 3 : I == 3 ? 0
                                                  : I]; });
}

PROGRAM(updated) {
  MappedTable Table;
  store(A);
  read();
  double **T = Rows;
  T[1] = B + 1;
#pragma omp target update to(T[1 : 1])
  read();
  expect([](int I) { return I == 1 ? B[I] : A[I]; });
#pragma omp target update from(T[0 : N])
  check::value("the device's pointer",
               Rows[2] == omp_get_mapped_ptr(A + 2, 0), true);
  check::value("the host's pointer", Rows[1] == B + 1, true);
}

PROGRAM(mapped_again) {
  for (int Round = 0; Round < 4; ++Round) {
    MappedTable Table;
    if (Round % 2)
      store(A);
    read();
    expect([=](int I) { return Round % 2 ? A[I] : 0; });
  }
}

PROGRAM(records) {
  MappedArrays Arrays;
  Record Body[2] = {{Zeroes, 1, Out}, {Zeroes, 2, Zeroes}}, *R = Body;
#pragma omp target enter data map(to : R[0 : 2])
  double *X = A;
#pragma omp target
  R[0].P = X;
  for (int Round = 0; Round < 2; ++Round) {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      R[0].Q[I] = R[0].P[I] + R[1].P[I] + R[1].Count;
  }
  expect([](int I) { return A[I] + 2; });
#pragma omp target exit data map(delete : R[0 : 2])
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
