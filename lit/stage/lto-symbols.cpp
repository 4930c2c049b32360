// Link-time optimisation of several files. What another file replaces (a weak
// function), what several have (inline functions and their variables), and what
// belongs to the program (variables of a file, addresses of functions) is the
// same in staged kernels and in others.
//
// RUN: build() { %sim_cxx -O3 -foffload-lto -Rpass=ferry-stage "$@" -c %s -o %t.main.o && \
// RUN:   %sim_cxx -O3 -foffload-lto -Rpass=ferry-stage "$@" -DOTHER -c %s -o %t.other.o; }; \
// RUN: link() { %sim_cxx -O3 -foffload-lto -Rpass=ferry-stage -Rpass-missed=ferry-stage $2 $3 -o $1; }; \
// RUN: build -mllvm -ferry-stage=off && link %t.plain %t.main.o %t.other.o && \
// RUN: cp %t.other.o %t.other-off.o && build -mllvm -ferry-stage=always && \
// RUN: link %t.staged %t.main.o %t.other.o 2> %t.remarks && \
// RUN: FileCheck %s --input-file=%t.remarks
// RUN: %run_plain_and_staged --kernels 8
//
// The other way round; and one file without staging.
// RUN: %sim_cxx -O3 -foffload-lto %t.other.o %t.main.o -o %t.staged
// RUN: %run_plain_and_staged --kernels 8
// RUN: %sim_cxx -O3 -foffload-lto %t.other-off.o %t.main.o -o %t.staged
// RUN: %run_plain_and_staged --kernels 8
// RUN: %sim_cxx -O3 -foffload-lto %t.main.o %t.other-off.o -o %t.staged
// RUN: %run_plain_and_staged --kernels 8

#include "Inputs/staged.h"

#include <initializer_list>

constexpr int N = 333;

#pragma omp begin declare target
/// The file with main has a weak one, the other one that counts.
double weight(int I);
/// In both files, with a variable that is one in the program.
inline double &factor() {
  static double Factor = 3;
  return Factor;
}
__attribute__((noinline)) inline double scaled(double X) {
  return X * factor();
}
inline int callsOf() {
  static int Last = 7;
  return Last++;
}
typedef double (*Function)(double);
inline double twice(double X) { return 2 * X; }
Function twiceOfOther();
#pragma omp end declare target
void otherRows(const double *A, double *B, int M);
void otherChangesState(const double *A, double *B, int M);

#ifdef OTHER

#pragma omp begin declare target
double weight(int I) { return 1.0 / (I + 1); }
Function twiceOfOther() { return twice; }
/// Has the name of one in the other file.
static double State = 5;
#pragma omp end declare target

void otherRows(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      // CHECK-DAG: remark: {{.*}}lto-symbols.cpp:[[#@LINE+1]]:{{.*}} staged 1 load
      Sum += A[I * M + J] * weight(J);
    B[I] = scaled(Sum) + State;
  }
}

void otherChangesState(const double *, double *, int M) {
#pragma omp target
  State += M;
}

#else

#pragma omp begin declare target
__attribute__((weak)) double weight(int) { return 1000; }
static double State = 1;
__attribute__((noinline)) void setState(double To) { State = To; }
static Function Known;
#pragma omp end declare target

namespace {
void weakFewer(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      // CHECK-DAG: remark: {{.*}}lto-symbols.cpp:[[#@LINE+1]]:{{.*}} staged 1 load
      Sum += A[I * M + J];
    B[I] = scaled(Sum) * weight(I);
  }
}

/// Reads and writes what another kernel does.
void stateFewer(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      // CHECK-DAG: remark: {{.*}}lto-symbols.cpp:[[#@LINE+1]]:{{.*}} staged 1 load
      Sum += A[I * M + J];
    B[I] = Sum * State;
  }
}

void changesState(const double *, double *B, int M) {
#pragma omp target is_device_ptr(B)
  {
    B[0] = State;
    setState(State + M);
    B[1] = State + callsOf();
    Known = twiceOfOther();
  }
}

/// The address of a function of several files, which another kernel has noted.
void addressSame(const double *A, double *B, int M) {
// CHECK-DAG: remark: {{.*}}lto-symbols.cpp:[[#@LINE+1]]:{{.*}} not staged: {{.*}} [not-replaceable]
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[I * M + J];
    // It is left, for it calls what it does not know.
    B[I] = Known(Sum) + (Known == twice) + (Known == twiceOfOther());
  }
}

/// Blocks exchange their sums through shared memory that all files have.
void reducesFewer(const double *A, double *B, int M) {
  long Total = 0;
#pragma omp target teams distribute parallel for reduction(+ : Total) is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      // CHECK-DAG: remark: {{.*}}lto-symbols.cpp:[[#@LINE+1]]:{{.*}} staged 1 load
      Sum += A[I * M + J];
    B[I] = Sum;
    Total += static_cast<long>(Sum);
  }
  staged::Bits = staged::Bits * 31 + static_cast<uint64_t>(Total);
}

/// Of what several files have.
void countsSame(const double *, double *B, int) {
#pragma omp target is_device_ptr(B)
  B[0] = callsOf() + ++factor();
}
} // namespace

PROGRAM(symbols) {
  constexpr int M = 100;
  staged::Array<double> A(N * M), B(N);
  for (int Time = 0; Time < 2; ++Time)
    for (auto *Run : {weakFewer, stateFewer, changesState, otherRows,
                      otherChangesState, addressSame, reducesFewer, countsSame}) {
      Run(A.device(), B.device(), M);
      B.read();
    }
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }

#endif
