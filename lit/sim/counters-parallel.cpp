// The ordinary constructs cost what their loops say: a combined construct has
// no accesses of its own once the compiler has seen through the device runtime.
//
// RUN: for o in -O2 -O3; do echo "at $o"; \
// RUN:   %sim_cxx $o -mllvm -ferry-stage=off %s -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t || exit 1; \
// RUN:   %python %S/Inputs/check_counters.py %t.json --kernels 8 || exit 1; done

#include "Inputs/counted.h"

#define PARALLEL_COPY(T, SIZE, STRIDE)                           \
  COUNTED(parallel_copy_##SIZE##_##STRIDE) {                     \
    Arrays<T> A(1024 * STRIDE + 1, 1024);                        \
    T *In = A.In, *Out = A.Out;                                  \
    PRAGMA(omp target teams distribute parallel for num_teams(8)               \
               thread_limit(128) is_device_ptr(In, Out))         \
    for (int I = 0; I < 1024; ++I)                               \
      Out[I] = In[I * STRIDE];                                   \
    A.copied(1024);                                              \
  }

#define PARALLEL_MULTIPLY(SIZE)                                 \
  COUNTED(parallel_multiply_##SIZE) {                           \
    Arrays<double> M(1, SIZE *SIZE);                            \
    DeviceArray<double> OfA(SIZE *SIZE, 0), OfB(SIZE *SIZE, 0); \
    double *A = OfA, *B = OfB, *C = M.Out;                      \
    PRAGMA(omp target teams distribute parallel for collapse(2)                \
               num_teams(SIZE *SIZE / 128) thread_limit(128)                   \
                   is_device_ptr(A, B, C))                      \
    for (int I = 0; I < SIZE; ++I)                              \
      for (int J = 0; J < SIZE; ++J) {                          \
        double S = 1;                                           \
        for (int K = 0; K < SIZE; ++K)                          \
          S += A[I * SIZE + K] * B[K * SIZE + J];               \
        C[I * SIZE + J] = S;                                    \
      }                                                         \
    M.is(SIZE *SIZE - 1, 1);                                    \
  }

PARALLEL_COPY(char, 1, 1)
PARALLEL_COPY(int, 4, 0)
PARALLEL_COPY(int, 4, 3)
PARALLEL_COPY(double, 8, 1)
PARALLEL_COPY(double, 8, 17)
PARALLEL_COPY(Bytes16, 16, 2)
PARALLEL_MULTIPLY(32)
PARALLEL_MULTIPLY(64)

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
