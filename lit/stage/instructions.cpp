// How many instructions tiles take: steps are read four or two at a time, and
// where rows begin at multiples of 16 bytes they are copied so as well, by as
// many requests of shared memory as that is; else word by word. The last tile of
// a row may be shorter.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=double -mllvm -ferry-stage=off %s -o %t.double-off
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=double %s -o %t.double
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=float -mllvm -ferry-stage=off %s -o %t.float-off
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=float %s -o %t.float
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 256 256 0 --most 2.2 --copies 1024 --machine 2.4
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 256 256 0 --most 1.85 --copies 512 --machine 2.0
// What a row takes beside its elements: the agreement of the warp.
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 48 48 0 --most 2.55 --copies 256 --machine 3.35
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 48 48 0 --most 2.3 --copies 128 --machine 2.95
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 256 256 1 --most 2.55 --copies 2048
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 256 256 3 --most 2.45 --copies 2048
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 240 243 0 --most 2.6 --copies 1920
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 240 244 0 --most 1.9 --copies 512
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 241 244 0 --most 2.0 --copies 704
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 241 242 0 --most 2.3 --copies 1152
#include <cstdio>
#include <cstdlib>
#include <vector>

// Sums of 256 rows of Length elements, Pitch apart, the first at element Begin.
int main(int, char **Arguments) {
  const int Length = std::atoi(Arguments[1]), Pitch = std::atoi(Arguments[2]),
            Begin = std::atoi(Arguments[3]), Rows = 256;
  const int Size = Begin + Rows * Pitch;
  std::vector<REAL> Values(Size), Sums(Rows);
  for (int I = 0; I < Size; ++I)
    Values[I] = REAL(I % 1013) / 7;
  REAL *V = Values.data(), *S = Sums.data();
#pragma omp target teams distribute parallel for map(to : V[0 : Size]) map(from : S[0 : Rows])
  for (int I = 0; I < Rows; ++I) {
    REAL Sum = 0;
    for (int K = 0; K < Length; ++K)
      Sum += V[Begin + I * Pitch + K];
    S[I] = Sum;
  }
  for (REAL Sum : Sums)
    std::printf("%a\n", double(Sum));
}
