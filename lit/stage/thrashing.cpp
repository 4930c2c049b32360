// Short rows of so many threads that the first level has no room for what they read
// at a time: lines are gone before the thread comes to the next word of its row.
// There tiles pay that do not where threads are fewer. A V100 has 80 x 128 KiB.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_70 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_70 %s -o %t.staged
// RUN: %ferry_sim --gpu v100 --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --gpu v100 --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 7 --memory 3
#include "Inputs/staged.h"

namespace {
template <typename Body> void forall(int Count, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Loop(I);
}

#define ROW_SUMS(Name, Element)                                                \
  void Name(const Element *A, Element *Sums, int Count, int M) {               \
    forall(Count, [=](int I) {                                                 \
      Element Sum = 0;                                                         \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K];                                                   \
      Sums[I] = Sum;                                                           \
    });                                                                        \
  }
ROW_SUMS(manyStaged, double)
ROW_SUMS(fewUnstaged, double)
// As few bytes of as many threads have room.
ROW_SUMS(floatsUnstaged, float)
// What a row of so few saves, a meeting takes.
ROW_SUMS(shortUnstaged, double)

/// What is read and what is written share the room.
#define SCALED(Name)                                                           \
  void Name(const double *A, double *B, int Count, int M) {                    \
    forall(Count, [=](int I) {                                                 \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K) {                                            \
        Sum += A[I * M + K];                                                   \
        B[I * M + K] = Sum;                                                    \
      }                                                                        \
    });                                                                        \
  }
SCALED(writtenStaged)
SCALED(fewWrittenUnstaged)

/// A row behind each of the pointers that are captured through this.
struct Pair {
  const double *A, *B;
  double *Sums;
  int M;

  void productsStaged(int Count) {
    forall(Count, [this](int I) {
      double Sum = 0;
      for (int K = 0; K < M; ++K)
        Sum += A[I * M + K] * B[I * M + K];
      Sums[I] = Sum;
    });
  }
};
} // namespace

template <typename Element, typename Fn>
void rows(Fn Run, int Count, int M, int Written = 1) {
  staged::Array<Element> A(Count * M), Out(Count * Written);
  Run(A.device(), Out.device(), Count, M);
  Out.read();
}

// First those that are left: what a kernel has written, the next one's time may
// have to pay for.
PROGRAM(left) {
  rows<double>(fewUnstaged, 40000, 12);
  rows<float>(floatsUnstaged, 180000, 12);
  rows<double>(shortUnstaged, 180000, 3);
  rows<double>(fewWrittenUnstaged, 40000, 8, 8);
}

PROGRAM(taken) {
  rows<double>(manyStaged, 180000, 12);
  rows<double>(writtenStaged, 180000, 8, 8);
  const int Count = 180000, M = 8;
  staged::Array<double> A(Count * M), B(Count * M), Sums(Count);
  Pair{A.device(), B.device(), Sums.device(), M}.productsStaged(Count);
  Sums.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
