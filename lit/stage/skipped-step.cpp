// A step that a thread leaves out of its row, as Jacobi's iteration does, does
// not keep threads from reading full tiles: all steps are run there, two of
// doubles and four of floats by one request of shared memory, and one of them
// is not added.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=double -mllvm -ferry-stage=off %s -o %t.double-off
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=double %s -o %t.double
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=float -mllvm -ferry-stage=off %s -o %t.float-off
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DREAL=float %s -o %t.float
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 1024 5000 --most 1.06 --copies 4352 --machine 1.07
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 1024 5000 --most 0.91 --copies 2304 --machine 0.86
// The first or the last step of a row is not even copied: a warp with such a
// row goes step by step.
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 1024 0 --most 1.12 --copies 4368 --machine 1.13 --conflicts 2048
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 1024 800 --most 0.98 --copies 2328 --machine 0.93 --conflicts 3072
// Behind the last full tile, and where rows begin anywhere.
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.float 1020 900 --most 0.98 --copies 2328 --machine 0.94
// RUN: %python %S/Inputs/compare_instructions.py %ferry_sim %t.double 1023 0 --most 1.27 --copies 8448 --machine 1.31
#include <cstdio>
#include <cstdlib>
#include <vector>

// Products of 256 rows of Length elements, without the one that is Shift steps
// behind that of the row's number.
int main(int, char **Arguments) {
  const int Length = std::atoi(Arguments[1]), Shift = std::atoi(Arguments[2]),
            Rows = 256, Size = Rows * Length;
  std::vector<REAL> Values(Size), Vector(Length), Products(Rows);
  for (int I = 0; I < Size; ++I)
    Values[I] = REAL(I % 1013) / 7;
  for (int K = 0; K < Length; ++K)
    Vector[K] = REAL(K % 31) / 3;
  REAL *V = Values.data(), *X = Vector.data(), *P = Products.data();
#pragma omp target teams distribute parallel for map(to : V[0 : Size], X[0 : Length]) map(from : P[0 : Rows])
  for (int I = 0; I < Rows; ++I) {
    REAL Sum = 0;
    for (int K = 0; K < Length; ++K)
      if (K != I + Shift)
        Sum += V[I * Length + K] * X[K];
    P[I] = Sum;
  }
  for (REAL Product : Products)
    std::printf("%a\n", double(Product));
}
