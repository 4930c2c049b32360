// Records with padding behind or between what is read are copied in as large words as
// others, and asynchronously. In words of the smallest field, or waited for, they would
// not pay in launches of few warps.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_90 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_90 %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 3
#include "Inputs/staged.h"

namespace {
constexpr int Rows = 4000, Columns = 256;

struct Pair {
  double Value;
  int Kind;
  Pair(int I = 0) : Value(I * 0.75), Kind(I % 5) {}
  double result() const { return Value * Kind; }
};

struct Flagged {
  double Value;
  bool Flag;
  Flagged(int I = 0) : Value(I * 0.75), Flag(I % 3 == 0) {}
  double result() const { return Flag ? Value : -1; }
};

struct Triple {
  double X;
  float Y;
  double Z;
  Triple(int I = 0) : X(I * 0.75), Y(I % 7), Z(I % 5) {}
  double result() const { return X * Z + Y; }
};

#define SUMS(Name, Type)                                                       \
  void Name(const Type *A, double *Sums, int M) {                              \
    _Pragma("omp target teams distribute parallel for is_device_ptr(A, Sums)") \
    for (int I = 0; I < Rows; ++I) {                                           \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K)                                              \
        Sum = Sum * 0.5 + A[I * M + K].result();                               \
      Sums[I] = Sum;                                                           \
    }                                                                          \
  }
SUMS(pairsStaged, Pair)
SUMS(flaggedStaged, Flagged)
SUMS(triplesStaged, Triple)

/// The first row begins at a multiple of 8 bytes where a Triple does.
template <class T> void compare(void Kernel(const T *, double *, int)) {
  staged::Array<T> A(Rows * Columns, 1);
  staged::Array<double> Sums(Rows);
  Kernel(A.device(), Sums.device(), Columns);
  Sums.read();
  for (int I = 0; I < Rows; ++I) {
    double Sum = 0;
    for (int K = 0; K < Columns; ++K)
      Sum = Sum * 0.5 + A.host()[I * Columns + K].result();
    check::value("Sums", Sums.host()[I], Sum, I);
  }
}
} // namespace

PROGRAM(pairs) { compare(pairsStaged); }
PROGRAM(flagged) { compare(flaggedStaged); }
PROGRAM(triples) { compare(triplesStaged); }

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
