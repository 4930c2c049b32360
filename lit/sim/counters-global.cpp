// Requests to global memory and their sectors: what each kernel must count is
// computed by check_counters.py from the kernel's name.
//
// RUN: for o in -O0 -O1 -O2 -O3; do echo "at $o"; \
// RUN:   %sim_cxx $o %s -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t || exit 1; \
// RUN:   %python %S/Inputs/check_counters.py %t.json --kernels 80 || exit 1; done

#include "Inputs/counted.h"

#define COPY(T, SIZE, STRIDE, OFFSET)               \
  COUNTED(copy_##SIZE##_##STRIDE##_##OFFSET) {      \
    Arrays<T> A(1024 * STRIDE + OFFSET + 1, 1024);  \
    T *In = A.In, *Out = A.Out;                     \
    KERNEL(8, 128) {                                \
      int I = blockId() * blockSize() + threadId(); \
      Out[I] = In[I * STRIDE + OFFSET];             \
    }                                               \
    A.copied(1024);                                 \
  }

#define SCATTER(T, SIZE, STRIDE)                    \
  COUNTED(scatter_##SIZE##_##STRIDE) {              \
    Arrays<T> A(256, 256 * STRIDE);                 \
    T *In = A.In, *Out = A.Out;                     \
    KERNEL(4, 64) {                                 \
      int I = blockId() * blockSize() + threadId(); \
      Out[I * STRIDE] = In[I];                      \
    }                                               \
    A.copied(256, STRIDE);                          \
  }

#define PERMUTE(FACTOR)                             \
  COUNTED(permute_##FACTOR) {                       \
    Arrays<double> A(512, 512);                     \
    double *In = A.In, *Out = A.Out;                \
    KERNEL(4, 128) {                                \
      int I = blockId() * blockSize() + threadId(); \
      Out[I] = In[I ^ FACTOR];                      \
    }                                               \
    A.copied(512);                                  \
  }

#define TAIL(THREADS)                               \
  COUNTED(tail_##THREADS) {                         \
    Arrays<int> A(3 * THREADS, 3 * THREADS);        \
    int *In = A.In, *Out = A.Out;                   \
    KERNEL(3, THREADS) {                            \
      int I = blockId() * blockSize() + threadId(); \
      Out[I] = In[I];                               \
    }                                               \
    A.copied(3 * THREADS);                          \
  }

#define SOME_LANES(LANES)                           \
  COUNTED(some_lanes_##LANES) {                     \
    Arrays<double> A(128, 128);                     \
    double *In = A.In, *Out = A.Out;                \
    KERNEL(2, 64) {                                 \
      int I = blockId() * blockSize() + threadId(); \
      if (I % 32 < LANES)                           \
        Out[I] = In[I];                             \
    }                                               \
    A.copied(LANES < 32 ? LANES : 128);             \
  }

#define BROADCAST(T, SIZE)                          \
  COUNTED(broadcast_##SIZE) {                       \
    Arrays<T> A(5, 480);                            \
    T *In = A.In, *Out = A.Out;                     \
    KERNEL(5, 96) {                                 \
      int I = blockId() * blockSize() + threadId(); \
      volatile T *First = In;                       \
      T Own = First[blockId()];                     \
      T Zero = First[0];                            \
      Out[I] = Own + Zero - Zero;                   \
    }                                               \
    A.copied(480);                                  \
  }

#define AGAIN(ROUNDS)                                       \
  COUNTED(again_##ROUNDS) {                                 \
    Arrays<int> A(128, 128);                                \
    int *In = A.In, *Out = A.Out;                           \
    KERNEL(2, 64) {                                         \
      int I = blockId() * blockSize() + threadId();         \
      for (int R = 0; R < ROUNDS; ++R)                      \
        *(volatile int *)&Out[I] = *(volatile int *)&In[I]; \
    }                                                       \
    A.copied(128);                                          \
  }

#define ROWS(COLUMNS)                               \
  COUNTED(rows_##COLUMNS) {                         \
    Arrays<long> A(128 * COLUMNS, 128);             \
    long *In = A.In, *Out = A.Out;                  \
    KERNEL(2, 64) {                                 \
      int I = blockId() * blockSize() + threadId(); \
      long S = -1;                                  \
      for (int K = 0; K < COLUMNS; ++K)             \
        S &= In[I * COLUMNS + K];                   \
      Out[I] = S;                                   \
    }                                               \
    A.copied(128);                                  \
  }

#define STRIDES(T, SIZE) \
  COPY(T, SIZE, 0, 0)    \
  COPY(T, SIZE, 1, 0)    \
  COPY(T, SIZE, 1, 1)    \
  COPY(T, SIZE, 2, 0)    \
  COPY(T, SIZE, 3, 0)    \
  COPY(T, SIZE, 4, 0)    \
  COPY(T, SIZE, 4, 3)    \
  COPY(T, SIZE, 8, 0)    \
  COPY(T, SIZE, 17, 0)

STRIDES(char, 1)
STRIDES(short, 2)
STRIDES(int, 4)
STRIDES(double, 8)
STRIDES(Bytes16, 16)

SCATTER(char, 1, 1)
SCATTER(char, 1, 3)
SCATTER(short, 2, 17)
SCATTER(int, 4, 2)
SCATTER(int, 4, 8)
SCATTER(double, 8, 3)
SCATTER(Bytes16, 16, 1)
SCATTER(Bytes16, 16, 2)

PERMUTE(1)
PERMUTE(31)
PERMUTE(64)

TAIL(1)
TAIL(33)
TAIL(100)
TAIL(1000)

SOME_LANES(1)
SOME_LANES(5)
SOME_LANES(32)

BROADCAST(char, 1)
BROADCAST(int, 4)
BROADCAST(double, 8)

AGAIN(1)
AGAIN(6)

ROWS(1)
ROWS(2)
ROWS(4)
ROWS(33)

// A load and a store of a type that may lie anywhere at a multiple of ALIGN.
#define PIECES(T, SIZE, ALIGN)                                        \
  struct __attribute__((packed, aligned(ALIGN))) Packed##SIZE##ALIGN { \
    T V;                                                              \
  };                                                                  \
  COUNTED(pieces_##SIZE##_##ALIGN) {                                  \
    Arrays<Packed##SIZE##ALIGN> A(64, 64);                            \
    Packed##SIZE##ALIGN *In = A.In, *Out = A.Out;                     \
    KERNEL(2, 32) {                                                   \
      SHARED Packed##SIZE##ALIGN Tile[32];                            \
      int I = threadId(), N = blockId() * 32 + I;                     \
      Tile[I].V = In[N].V;                                            \
      barrier();                                                      \
      Out[N].V = Tile[I].V;                                           \
    }                                                                 \
    A.copied(64);                                                     \
  }

typedef float Bytes12 __attribute__((ext_vector_type(3)));

PIECES(short, 2, 1)
PIECES(int, 4, 1)
PIECES(float, 4, 2)
PIECES(double, 8, 1)
PIECES(double, 8, 4)
PIECES(Bytes16, 16, 4)
PIECES(Bytes16, 16, 8)
PIECES(__int128, 16, 16)

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
