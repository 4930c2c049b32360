// Matrix multiplication and transposition: what each kernel must count is
// computed by check_counters.py from the kernel's name.
//
// RUN: for o in -O0 -O1 -O2 -O3; do echo "at $o"; \
// RUN:   %sim_cxx $o %s -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t || exit 1; \
// RUN:   %python %S/Inputs/check_counters.py %t.json --kernels 13 || exit 1; done

#include "Inputs/counted.h"

namespace {
/// A[i][j] = i + 1, B[i][j] = j + 2, so C[i][j] = n (i + 1) (j + 2).
struct Matrices {
  int N;
  DeviceArray<double> A, B, C;
  explicit Matrices(int N) : N(N), A(N * N), B(N * N), C(N * N, 0) {
    double *Host = new double[N * N];
    for (int I = 0; I < N * N; ++I)
      Host[I] = I / N + 1;
    A.write(Host);
    for (int I = 0; I < N * N; ++I)
      Host[I] = I % N + 2;
    B.write(Host);
    delete[] Host;
  }
  void check() {
    double *Host = new double[N * N];
    C.read(Host);
    for (int I = 0; I < N * N; ++I)
      check::value("C", Host[I], double(N) * (I / N + 1) * (I % N + 2), I);
    delete[] Host;
  }
};
} // namespace

#define MULTIPLY(SIZE)                                                  \
  COUNTED(multiply_##SIZE) {                                            \
    Matrices M(SIZE);                                                   \
    const double *A = M.A, *B = M.B;                                    \
    double *C = M.C;                                                    \
    PRAGMA(omp target teams ompx_bare num_teams(SIZE *SIZE / 128)       \
               thread_limit(128) is_device_ptr(A, B, C)) {              \
      int T = blockId() * 128 + threadId(), I = T / SIZE, J = T % SIZE; \
      double S = 0;                                                     \
      for (int K = 0; K < SIZE; ++K)                                    \
        S += A[I * SIZE + K] * B[K * SIZE + J];                         \
      C[I * SIZE + J] = S;                                              \
    }                                                                   \
    M.check();                                                          \
  }

#define TILED_MULTIPLY(SIZE, TILE)                                         \
  COUNTED(tiled_multiply_##SIZE##_##TILE) {                                \
    Matrices M(SIZE);                                                      \
    const double *A = M.A, *B = M.B;                                       \
    double *C = M.C;                                                       \
    PRAGMA(omp target teams ompx_bare num_teams(SIZE / TILE * SIZE / TILE) \
               thread_limit(TILE *TILE) is_device_ptr(A, B, C)) {          \
      SHARED double OfA[TILE][TILE];                                       \
      SHARED double OfB[TILE][TILE];                                       \
      int I = threadId() / TILE, J = threadId() % TILE;                    \
      int Row = blockId() / (SIZE / TILE) * TILE + I;                      \
      int Column = blockId() % (SIZE / TILE) * TILE + J;                   \
      double S = 0;                                                        \
      for (int K0 = 0; K0 < SIZE; K0 += TILE) {                            \
        OfA[I][J] = A[Row * SIZE + K0 + J];                                \
        OfB[I][J] = B[(K0 + I) * SIZE + Column];                           \
        barrier();                                                         \
        LOOP(int K = 0; K < TILE; ++K) {                                   \
          S += OfA[I][K] * OfB[K][J];                                      \
        }                                                                  \
        barrier();                                                         \
      }                                                                    \
      C[Row * SIZE + Column] = S;                                          \
    }                                                                      \
    M.check();                                                             \
  }

#define TRANSPOSE(T, SIZE, PAD)                     \
  COUNTED(transpose_##SIZE##_##PAD) {               \
    Arrays<T> A(4 * 1024, 4 * 1024);                \
    T *In = A.In, *Out = A.Out;                     \
    KERNEL(4, 32) {                                 \
      SHARED T Tile[32][32 + PAD];                  \
      int I = threadId(), First = blockId() * 1024; \
      LOOP(int K = 0; K < 32; ++K)                  \
      Tile[K][I] = In[First + K * 32 + I];          \
      barrier();                                    \
      LOOP(int K = 0; K < 32; ++K)                  \
      Out[First + K * 32 + I] = Tile[I][K];         \
    }                                               \
    A.copied(4 * 1024);                             \
  }

#define NAIVE_TRANSPOSE(SIZE)                                                 \
  COUNTED(naive_transpose_##SIZE) {                                           \
    Arrays<float> A(SIZE *SIZE, SIZE *SIZE);                                  \
    float *In = A.In, *Out = A.Out;                                           \
    KERNEL(SIZE, SIZE) {                                                      \
      Out[threadId() * SIZE + blockId()] = In[blockId() * SIZE + threadId()]; \
    }                                                                         \
    A.copied(SIZE *SIZE);                                                     \
  }

MULTIPLY(32)
MULTIPLY(64)
MULTIPLY(128)
TILED_MULTIPLY(32, 8)
TILED_MULTIPLY(64, 16)
TRANSPOSE(float, 4, 0)
TRANSPOSE(float, 4, 1)
TRANSPOSE(short, 2, 0)
TRANSPOSE(short, 2, 2)
TRANSPOSE(double, 8, 0)
TRANSPOSE(double, 8, 1)
NAIVE_TRANSPOSE(64)
NAIVE_TRANSPOSE(96)

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
