// Launches of many warps on an H100. Rows that have no conflicts of banks have to be of
// 64 elements, and threads more than there is room for in blocks of one warp; others,
// and records of which several fields are read, gain from tiles in all of them. Rows
// that are changed in place gain where threads are so many.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_90 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_90 %s -o %t.staged
// RUN: %ferry_sim --gpu h100 --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --gpu h100 --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 9
#include "Inputs/staged.h"

namespace {
struct Record {
  float X, Y, Z, W;
};

template <typename Body>
void forall(int Count, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Loop(I);
}

#define ROWS(Name, Element, Value)                       \
  void Name(Element *A, float *Sums, int Count, int M) { \
    forall(Count, [=](int I) {                           \
      float Sum = 0;                                     \
      for (int K = 0; K < M; ++K)                        \
        Sum += Value;                                    \
      Sums[I] = Sum;                                     \
    });                                                  \
  }
ROWS(shortUnstaged, float, A[I * M + K])
ROWS(longStaged, float, A[I * M + K])
ROWS(conflictingStaged, float, A[I * M + K])
ROWS(fewerUnstaged, float, A[I * M + K])
ROWS(fewerConflictingStaged, float, A[I * M + K])
ROWS(fewerOfOneFieldUnstaged, Record, A[I * M + K].Y)
ROWS(fewerRecordsStaged, Record, A[I * M + K].X *A[I * M + K].Y - A[I * M + K].Z)
ROWS(inPlaceStaged, float, A[I * M + K] = Sum + A[I * M + K])
ROWS(fewerInPlaceUnstaged, float, A[I * M + K] = Sum + A[I * M + K])

template <typename Element, typename Fn>
void rows(Fn Run, int Count, int M) {
  constexpr size_t Floats = sizeof(Element) / sizeof(float);
  staged::Array<float> A(Count * M * Floats), Sums(Count);
  Run(reinterpret_cast<Element *>(A.device()), Sums.device(), Count, M);
  Sums.read();
}
} // namespace

// First those that are left: what a kernel has written, the next one's time may
// have to pay for.
PROGRAM(left) {
  rows<float>(shortUnstaged, 100000, 63);
  rows<float>(fewerUnstaged, 40000, 99);
  rows<Record>(fewerOfOneFieldUnstaged, 40000, 65);
  rows<float>(fewerInPlaceUnstaged, 40000, 96);
}

PROGRAM(taken) {
  rows<float>(longStaged, 100000, 65);
  rows<float>(conflictingStaged, 100000, 32);
  rows<float>(inPlaceStaged, 100000, 32);
  rows<float>(fewerConflictingStaged, 40000, 96);
  rows<Record>(fewerRecordsStaged, 40000, 65);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
