// How many instructions tiles take: steps are read four or two at a time, and
// copied so, by as many requests of shared memory as that is. Full tiles are
// copied and read without questions. The last tile of a row may be shorter. Of
// floats three tiles are under way, for five instructions more for each.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=double -mllvm -ferry-stage=off %s -o %t.double-off
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=double %s -o %t.double
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=float -mllvm -ferry-stage=off %s -o %t.float-off
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=float %s -o %t.float
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 256 256 0 --most 1.64 --copies 1024 --machine 1.46
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 256 256 0 --most 1.36 --copies 512 --machine 1.35
// Long rows show what a tile takes.
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 1024 1024 0 --most 1.53 --copies 4096 --machine 1.29
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 1024 1024 0 --most 1.23 --copies 2048 --machine 1.16
// What a row takes beside its elements: the agreement of the warp.
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 64 64 0 --most 2.1 --copies 256 --machine 2.3
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 64 64 0 --most 1.84 --copies 128 --machine 2.1
// Rows that begin anywhere: a thread does by itself what is before a multiple
// of 16 bytes, and copies what is behind the last one.
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 256 256 1 --most 1.76 --copies 1032 --machine 1.69 --conflicts 128
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 256 256 3 --most 1.5 --copies 536 --machine 1.57 --conflicts 240
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 240 243 0 --most 1.76 --copies 968 --machine 1.71 --conflicts 128
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 1023 1023 0 --most 1.55 --copies 4104 --machine 1.34 --conflicts 128
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 1023 1023 0 --most 1.25 --copies 2072 --machine 1.2 --conflicts 240
// Too short for that: words of the elements' size. So few rows would not gain.
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=float -mllvm -ferry-stage=always %s -o %t.always && cp %t.float-off %t.always-off
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.always 96 97 0 --most 2.11 --copies 768 --machine 2.4
// By 16 bytes, and a part of a tile.
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 240 244 0 --most 1.42 --copies 512 --machine 1.46
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 241 244 0 --most 1.46 --copies 704 --machine 1.58
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 241 242 0 --most 1.73 --copies 1152 --machine 1.69
// One warp, in which some threads have no row.
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 1024 1024 0 31 --most 1.5 --copies 256 --machine 1.45
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 1023 1023 0 21 --most 1.8 --copies 195 --machine 1.46
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 1000 1000 0 8 --most 3.71 --copies 126 --machine 1.46
#include <cstdio>
#include <cstdlib>
#include <vector>

// Sums of 256 rows, or another number, of Length elements, Pitch apart, the
// first at element Begin.
int main(int Count, char **Arguments) {
  const int Length = std::atoi(Arguments[1]), Pitch = std::atoi(Arguments[2]),
            Begin = std::atoi(Arguments[3]),
            Rows = Count > 4 ? std::atoi(Arguments[4]) : 256;
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
