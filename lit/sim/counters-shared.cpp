// Requests to shared memory and bank conflicts: what each kernel must count is
// computed by check_counters.py from the kernel's name.
//
// RUN: for o in -O0 -O1 -O2 -O3; do echo "at $o"; \
// RUN:   %sim_cxx $o %s -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t || exit 1; \
// RUN:   %python %S/Inputs/check_counters.py %t.json --kernels 53 || exit 1; done

#include "Inputs/counted.h"

#define BANKS(T, SIZE, STRIDE)        \
  COUNTED(banks_##SIZE##_##STRIDE) {  \
    Arrays<T> A(1, 32);               \
    T *In = A.In, *Out = A.Out;       \
    KERNEL(1, 32) {                   \
      SHARED T Tile[31 * STRIDE + 1]; \
      int I = threadId();             \
      Tile[I * STRIDE] = T(5) + T(I); \
      barrier();                      \
      Out[I] = Tile[I * STRIDE];      \
    }                                 \
    A.is(31, T(5) + T(31));           \
  }

#define BANKS_READ(T, SIZE, DIVISOR)       \
  COUNTED(banks_read_##SIZE##_##DIVISOR) { \
    Arrays<T> A(1, 32);                    \
    T *In = A.In, *Out = A.Out;            \
    KERNEL(1, 32) {                        \
      SHARED T Tile[32];                   \
      int I = threadId();                  \
      Tile[I] = T(I);                      \
      barrier();                           \
      Out[I] = Tile[I / DIVISOR];          \
    }                                      \
    A.is(31, T(31 / DIVISOR));             \
  }

// Threads from COPIED on have no copies to wait for.
#define ASYNC_COPY(T, SIZE, COPIED)         \
  COUNTED(async_copy_##SIZE##_##COPIED) {   \
    Arrays<T> A(64, 128);                   \
    T *In = A.In, *Out = A.Out;             \
    KERNEL(1, 64) {                         \
      SHARED T Tile[64];                    \
      int I = threadId();                   \
      if (I < COPIED)                       \
        COPY_ASYNC(SIZE, &Tile[I], &In[I]); \
      __nvvm_cp_async_wait_all();           \
      Out[I] = In[63 - I];                  \
      barrier();                            \
      Out[64 + I] = Tile[I % COPIED];       \
    }                                       \
    A.copied(128);                          \
  }
// The last one is of fewer bytes.
#define ASYNC_PART(T, SIZE, BYTES)                                \
  COUNTED(async_part_##SIZE##_##BYTES) {                          \
    Arrays<T> A(64, 64);                                          \
    T *In = A.In, *Out = A.Out;                                   \
    KERNEL(1, 64) {                                               \
      SHARED T Tile[64];                                          \
      int I = threadId();                                         \
      COPY_ASYNC(SIZE, &Tile[I], &In[I], I == 63 ? BYTES : SIZE); \
      __nvvm_cp_async_wait_all();                                 \
      Out[I] = Tile[I];                                           \
    }                                                             \
    A.copied(63);                                                 \
  }

// Each thread's part of the sum is 1.
#define SUM_OF_BLOCK(KIND, THREADS, LOOP, CONDITION, FIRST, SECOND) \
  COUNTED(sum_of_block_##KIND##_##THREADS) {                        \
    Arrays<int> A(1, 3);                                            \
    int *In = A.In, *Out = A.Out;                                   \
    KERNEL(3, THREADS) {                                            \
      SHARED int Part[THREADS];                                     \
      int I = threadId();                                           \
      Part[I] = 1;                                                  \
      for (LOOP) {                                                  \
        barrier();                                                  \
        if (CONDITION)                                              \
          Part[FIRST] += Part[SECOND];                              \
      }                                                             \
      barrier();                                                    \
      if (I == 0)                                                   \
        Out[blockId()] = Part[0];                                   \
    }                                                               \
    A.is(2, THREADS);                                               \
  }
#define UPPER_HALF(N) \
  SUM_OF_BLOCK(0, N, int D = N / 2; D > 0; D /= 2, I < D, I, I + D)
#define NEIGHBOUR(N) \
  SUM_OF_BLOCK(1, N, int D = 1; D < N; D *= 2, I % (2 * D) == 0, I, I + D)
#define FIRST_THREADS(N)                                                 \
  SUM_OF_BLOCK(2, N, int D = 1; D < N; D *= 2, 2 * D * I < N, 2 * D * I, \
                                       2 * D * I + D)

BANKS(char, 1, 1)
BANKS(char, 1, 4)
BANKS(char, 1, 7)
BANKS(short, 2, 1)
BANKS(short, 2, 2)
BANKS(short, 2, 3)
BANKS(int, 4, 1)
BANKS(int, 4, 2)
BANKS(int, 4, 3)
BANKS(int, 4, 4)
BANKS(int, 4, 8)
BANKS(int, 4, 16)
BANKS(int, 4, 17)
BANKS(int, 4, 31)
BANKS(int, 4, 32)
BANKS(int, 4, 33)
BANKS(float, 4, 48)
BANKS(double, 8, 1)
BANKS(double, 8, 2)
BANKS(double, 8, 3)
BANKS(double, 8, 4)
BANKS(double, 8, 8)
BANKS(double, 8, 16)
BANKS(double, 8, 17)
BANKS(long, 8, 32)
BANKS(Bytes16, 16, 1)
BANKS(Bytes16, 16, 2)
BANKS(Bytes16, 16, 3)
BANKS(Bytes16, 16, 4)
BANKS(Bytes16, 16, 8)

BANKS_READ(char, 1, 2)
BANKS_READ(short, 2, 8)
BANKS_READ(int, 4, 2)
BANKS_READ(int, 4, 32)
BANKS_READ(double, 8, 2)
BANKS_READ(double, 8, 4)
BANKS_READ(double, 8, 32)
BANKS_READ(Bytes16, 16, 2)
BANKS_READ(Bytes16, 16, 4)
BANKS_READ(Bytes16, 16, 32)

ASYNC_COPY(int, 4, 64)
ASYNC_COPY(double, 8, 13)
ASYNC_COPY(Bytes16, 16, 48)
ASYNC_PART(Bytes16, 16, 7)

UPPER_HALF(32)
UPPER_HALF(128)
UPPER_HALF(1024)
NEIGHBOUR(32)
NEIGHBOUR(128)
NEIGHBOUR(1024)
FIRST_THREADS(32)
FIRST_THREADS(128)
FIRST_THREADS(1024)

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
