// Divergent branches, barriers, atomics and launches: what each kernel must
// count is computed by check_counters.py from the kernel's name.
//
// RUN: for o in -O0 -O1 -O2 -O3; do echo "at $o"; \
// RUN:   %sim_cxx $o %s -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t || exit 1; \
// RUN:   %python %S/Inputs/check_counters.py %t.json --kernels 25 || exit 1; done

#include "Inputs/counted.h"

#define NESTED_LOOPS(OUTER, MOST)                   \
  COUNTED(nested_loops_##OUTER##_##MOST) {          \
    Arrays<long> A(OUTER *MOST * 128, 128);         \
    long *In = A.In, *Out = A.Out;                  \
    KERNEL(2, 64) {                                 \
      int I = blockId() * blockSize() + threadId(); \
      long S = -1;                                  \
      LOOP(int J = 0; J < OUTER; ++J) {             \
        LOOP(int K = 0; K < 1 + I % MOST; ++K)      \
        S &= In[(J * MOST + K) * 128 + I];          \
      }                                             \
      Out[I] = S;                                   \
    }                                               \
    A.copied(128);                                  \
  }

#define UNIFORM_LOOPS(TRIPS)                                        \
  COUNTED(uniform_loops_##TRIPS) {                                  \
    Arrays<int> A((TRIPS + 1) * 128, 128);                          \
    int *In = A.In, *Out = A.Out;                                   \
    KERNEL(2, 64) {                                                 \
      int I = blockId() * blockSize() + threadId(), S = 0x07070707; \
      if (threadId() / 32 == 1)                                     \
        LOOP(int K = 0; K < TRIPS; ++K)                             \
      S &= In[K * 128 + I];                                         \
      Out[I] = S;                                                   \
    }                                                               \
    A.copied(128);                                                  \
  }

// Barriers with nothing between would be optimised away.
#define BARRIERS(NUMBER, THREADS)                                     \
  COUNTED(barriers_##NUMBER##_##THREADS) {                            \
    Arrays<int> A(1, 6 * THREADS);                                    \
    int *In = A.In, *Out = A.Out;                                     \
    KERNEL(6, THREADS) {                                              \
      volatile int *Own = &Out[blockId() * blockSize() + threadId()]; \
      for (int K = 1; K <= NUMBER; ++K) {                             \
        *Own = K;                                                     \
        barrier();                                                    \
      }                                                               \
    }                                                                 \
    A.is(6 * THREADS - 1, NUMBER);                                    \
  }

#define ATOMICS(T, SIZE, STRIDE)                    \
  COUNTED(atomics_##SIZE##_##STRIDE) {              \
    Arrays<T> A(1, 191 * STRIDE + 1);               \
    T *In = A.In, *Out = A.Out;                     \
    KERNEL(3, 64) {                                 \
      int I = blockId() * blockSize() + threadId(); \
      PRAGMA(omp atomic)                            \
      Out[I * STRIDE] += 1;                         \
    }                                               \
    A.is(191 * STRIDE, STRIDE ? 1 : 192);           \
  }

#define LAUNCHES(NUMBER)                              \
  COUNTED(launches_##NUMBER) {                        \
    Arrays<int> A(64, 64);                            \
    int *In = A.In, *Out = A.Out;                     \
    for (int R = 0; R < NUMBER; ++R) {                \
      KERNEL(2, 32) {                                 \
        int I = blockId() * blockSize() + threadId(); \
        Out[I] = In[I];                               \
      }                                               \
    }                                                 \
    A.copied(64);                                     \
  }

NESTED_LOOPS(1, 1)
NESTED_LOOPS(1, 2)
NESTED_LOOPS(4, 2)
NESTED_LOOPS(3, 5)
NESTED_LOOPS(7, 32)
NESTED_LOOPS(2, 33)
UNIFORM_LOOPS(1)
UNIFORM_LOOPS(10)
BARRIERS(1, 1)
BARRIERS(1, 32)
BARRIERS(3, 33)
BARRIERS(10, 100)
BARRIERS(5, 1024)
BARRIERS(200, 64)
ATOMICS(int, 4, 0)
ATOMICS(int, 4, 1)
ATOMICS(int, 4, 8)
ATOMICS(long, 8, 1)
ATOMICS(long, 8, 4)
ATOMICS(float, 4, 3)
ATOMICS(double, 8, 0)
ATOMICS(double, 8, 2)
LAUNCHES(1)
LAUNCHES(10)
LAUNCHES(250)

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
