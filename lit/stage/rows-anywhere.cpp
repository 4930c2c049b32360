// Rows of any length that begin anywhere: a thread does by itself what is
// before a multiple of 16 bytes, the warp copies by 16 bytes from there on, and
// what is behind the last one the thread copies. Where two arrays do not begin
// alike, rows are copied word by word. In the last warp threads may have no row.
//
// RUN: %sim_cxx -O2 --offload-arch=sm_80 -DREAL=double -mllvm -ferry-stage=off %s -o %t.double-off
// RUN: %sim_cxx -O2 --offload-arch=sm_80 -DREAL=double -mllvm -ferry-stage=always %s -o %t.double
// RUN: %sim_cxx -O2 --offload-arch=sm_80 -DREAL=float -mllvm -ferry-stage=off %s -o %t.float-off
// RUN: %sim_cxx -O2 --offload-arch=sm_80 -DREAL=float -mllvm -ferry-stage=always %s -o %t.float
// RUN: %ferry_sim --strict --quiet -- %t.double-off 128 > %t.expected
// RUN: %ferry_sim --strict --quiet -- %t.double 128 > %t.out
// RUN: diff %t.expected %t.out
// RUN: %ferry_sim --strict --quiet --seed 7 -- %t.double 128 | diff %t.expected -
// RUN: FileCheck %s < %t.out
// RUN: %ferry_sim --strict --quiet -- %t.float-off 128 > %t.expected
// RUN: %ferry_sim --strict --quiet -- %t.float 128 | diff %t.expected -
// RUN: %ferry_sim --strict --quiet --seed 7 -- %t.float 128 | diff %t.expected -
// RUN: %ferry_sim --strict --quiet -- %t.double-off 53 > %t.expected
// RUN: %ferry_sim --strict --quiet --seed 8 -- %t.double 53 | diff %t.expected -
// RUN: %ferry_sim --strict --quiet -- %t.float-off 33 > %t.expected
// RUN: %ferry_sim --strict --quiet --seed 9 -- %t.float 33 | diff %t.expected -
// RUN: %ferry_sim --strict --quiet -- %t.float-off 63 > %t.expected
// RUN: %ferry_sim --strict --quiet --seed 9 -- %t.float 63 | diff %t.expected -
// CHECK-COUNT-60: 0x
#include <cstdio>
#include <cstdlib>
#include <vector>

static void addRows(const REAL *A, const REAL *B, REAL *Sums, int Rows,
                    int Length, int Pitch) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Rows; ++I) {
    REAL Sum = 0;
    for (int K = 0; K < Length; ++K)
      Sum = Sum * REAL(0.75) + A[I * Pitch + K] - B[I * Pitch + K];
    Sums[I] = Sum;
  }
}

// Each row is written where it is read.
static void scaleRows(REAL *A, int Rows, int Length, int Pitch, REAL Factor) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Rows; ++I)
    for (int K = 0; K < Length; ++K)
      A[I * Pitch + K] *= Factor;
}

// Arrays end where their last rows end.
int main(int, char **Arguments) {
  const int Rows = std::atoi(Arguments[1]);
  for (int Length : {96, 99, 100, 101, 102, 103, 127, 128, 131, 163})
    for (int Begin : {0, 1, 2}) {
      const int Pitch = Length + Begin % 2, Last = (Rows - 1) * Pitch + Length,
                Size = Begin + Last, OtherSize = Size + 1;
      std::vector<REAL> ArrayA(Size), ArrayB(OtherSize), Sums(Rows);
      for (int I = 0; I < Size; ++I)
        ArrayA[I] = REAL(I % 1013) / 7;
      for (int I = 0; I < OtherSize; ++I)
        ArrayB[I] = REAL(I % 511) / 3;
      REAL *A = ArrayA.data(), *B = ArrayB.data(), *S = Sums.data();
      auto Report = [&] {
        REAL All = 0;
        for (int I = 0; I < Rows; ++I)
          All = All * REAL(0.5) + S[I];
        std::printf("%a\n", double(All));
      };
#pragma omp target data map(tofrom : A[0 : Size]) map(to : B[0 : Size])
      {
        scaleRows(A + Begin, Rows, Length, Pitch, REAL(1.25));
#pragma omp target data map(from : S[0 : Rows])
        addRows(A + Begin, B + Begin, S, Rows, Length, Pitch);
      }
      Report();
#pragma omp target data map(to : A[0 : Size], B[0 : OtherSize])
#pragma omp target data map(from : S[0 : Rows])
      addRows(A + Begin, B + Begin + 1, S, Rows, Length, Pitch);
      Report();
    }
}
