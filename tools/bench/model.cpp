//===- model.cpp - Kernels that tools/bench/model and gpu run -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   model KERNEL [launches=L] [check=0] [NAME=VALUE...]
//
// launches one kernel L times (1 if not given), after a launch that is not
// timed if L is more than one; compares some of its results with what the host
// computes, unless check=0; and prints the seconds of one launch by the host's
// clock, which mean nothing on a simulated GPU.
//
// The kernels are those of publications, written anew from what is said of
// them: which thread accesses what, and the shape of grid and block. Threads
// have the order that CUDA gives those of a two-dimensional block.
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <omp.h>
#include <string>

// What the host's version of a kernel is made of is never run.
#ifdef __NVPTX__
#define SHARED                                                                 \
  [[clang::loader_uninitialized]] static __attribute__((address_space(3)))
static int threadId() { return __nvvm_read_ptx_sreg_tid_x(); }
static int blockId() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static void barrier() { __syncthreads(); }
static float inverseRoot(float X) { return __nvvm_rsqrt_approx_f(X); }
#else
#define SHARED static
static int threadId() { return 0; }
static int blockId() { return 0; }
static void barrier() {}
static float inverseRoot(float X) { return 1 / std::sqrt(X); }
#endif

// The block's place in a grid with ACROSS blocks in each row: a bare region's
// grid has one dimension. A division of 64 bits would take 60 instructions
// more.
static long blockColumn(unsigned Across) {
  return unsigned(blockId()) % Across;
}
static long blockRow(unsigned Across) { return unsigned(blockId()) / Across; }

#define PRAGMA(TEXT) _Pragma(#TEXT)
/// The next statement is run by all BLOCKS * THREADS threads. The arguments
/// behind are the pointers to device memory that it uses.
#define LAUNCH(BLOCKS, THREADS, ...)                                           \
  for (Timer Time; Time.next();)                                               \
  PRAGMA(omp target teams ompx_bare num_teams(BLOCKS) thread_limit(THREADS)    \
             is_device_ptr(__VA_ARGS__))
#define UNROLL(COUNT) PRAGMA(unroll COUNT)

// --- What all kernels share --------------------------------------------------

[[noreturn]] static void fail(const std::string &Why) {
  std::fprintf(stderr, "model: error: %s\n", Why.c_str());
  std::exit(1);
}

static int ArgumentCount;
static char **Arguments;

/// The value of the argument NAME=VALUE, a whole number of at least 0.
static long argument(const char *Name, long Otherwise) {
  const size_t Length = std::strlen(Name);
  for (int A = 2; A < ArgumentCount; ++A) {
    const char *Text = Arguments[A];
    if (std::strncmp(Text, Name, Length) || Text[Length] != '=')
      continue;
    char *End;
    const long Value = std::strtol(Text + Length + 1, &End, 10);
    if (End == Text + Length + 1 || *End || Value < 0)
      fail("'" + std::string(Text) + "' is no number of at least 0");
    return Value;
  }
  return Otherwise;
}

static double Seconds;

/// Counts the launches and takes their time.
class Timer {
public:
  bool next() {
    const double Now = omp_get_wtime();
    if (Done == WarmUps)
      Start = Now;
    if (Done == WarmUps + Launches)
      Seconds = (Now - Start) / Launches;
    return Done++ < WarmUps + Launches;
  }

private:
  const long Launches = argument("launches", 1);
  const long WarmUps = Launches > 1;
  long Done = 0;
  double Start = 0;
};

/// A small whole number for each index, so that sums are exact in any order.
static int value(long Index) { return unsigned(Index * 2654435761u) >> 30; }

/// N elements in the device's memory.
template <class T> class Array {
public:
  Array(const char *Name, long N, bool Filled = true)
      : Name(Name), N(N),
        Data(static_cast<T *>(omp_target_alloc(N * sizeof(T), Device))) {
    if (!Data)
      fail("the device has no room for " + std::to_string(N * sizeof(T)) +
           " bytes");
    std::unique_ptr<T[]> Host(new T[N]());
    for (long I = 0; Filled && I < N; ++I)
      Host[I] = T(value(I));
    write(Host.get());
  }
  Array(const Array &) = delete;
  ~Array() { omp_target_free(Data, Device); }
  operator T *() const { return Data; }
  long size() const { return N; }
  void write(const T *Host) {
    omp_target_memcpy(Data, Host, N * sizeof(T), 0, 0, Device, Initial);
  }
  void expect(long Index, double Expected, double Tolerance = 0) const {
    if (!argument("check", 1))
      return;
    T Got;
    omp_target_memcpy(&Got, Data, sizeof(T), 0, Index * sizeof(T), Initial,
                      Device);
    if (!(std::fabs(Got - Expected) <= Tolerance * std::fabs(Expected)))
      fail(std::string(Arguments[1]) + ": " + Name + "[" +
           std::to_string(Index) + "] is " + std::to_string(double(Got)) +
           ", expected " + std::to_string(Expected));
  }

private:
  const int Device = omp_get_default_device();
  const int Initial = omp_get_initial_device();
  const char *Name;
  long N;
  T *Data;
};

/// Calls Check with some indices below N, the first and the last among them.
template <class Function> static void sample(long N, Function Check) {
  for (long I = 0; I < 16; ++I)
    Check(I * (N - 1) / 15);
}

/// A multiple of what one block works on.
static long multiple(const char *Name, long Otherwise, long Of) {
  const long N = argument(Name, Otherwise);
  if (!N || N % Of)
    fail(std::string(Name) + "=" + std::to_string(N) + " is no multiple of " +
         std::to_string(Of));
  return N;
}

// --- Caches, latencies, streams ----------------------------------------------

static void empty() {
  Array<int> A("A", 1);
  int *Out = A;
  LAUNCH(1, 32, Out)
  if (blockId() > 0)
    *Out = 1;
}

/// A copy between the host's memory, which is not page-locked, and the
/// device's.
template <bool ToDevice> static void copyAcross() {
  const long Bytes = multiple("bytes", 1 << 16, 8);
  const int Device = omp_get_default_device(), Host = omp_get_initial_device();
  Array<char> A("A", Bytes, ToDevice == false);
  std::unique_ptr<char[]> B(new char[Bytes]);
  for (long I = 0; I < Bytes; ++I)
    B[I] = ToDevice ? char(value(I)) : 0;
  char *Data = A;
  for (Timer Time; Time.next();)
    omp_target_memcpy(ToDevice ? Data : B.get(), ToDevice ? B.get() : Data,
                      Bytes, 0, 0, ToDevice ? Device : Host,
                      ToDevice ? Host : Device);
  sample(Bytes, [&](long I) {
    if (B[I] != value(I))
      fail("a copy from the device has other bytes");
    A.expect(I, value(I));
  });
}

/// One block of 1024 threads; every second warp reads what the first one does.
template <class T> static void strides() {
  const long Stride = argument("stride", 1), Loads = 512;
  Array<T> A("A", 63 * Stride + 29), B("B", 1024, false);
  const T *In = A;
  T *Out = B;
  int Zero = int(argument("zero", 0));
  LAUNCH(1, 1024, In, Out) {
    const T *P = In + threadId() % 64 * Stride;
    T Sum = 0;
    UNROLL(1)
    for (long I = 0; I < Loads; I += 8) {
      P += Zero;
      Sum += P[0] * P[4] + P[8] * P[12] + P[16] * P[20] + P[24] * P[28];
    }
    if (Sum < 0)
      Out[threadId()] = Sum;
  }
}

/// One thread follows a chain of pointers through an array, a line at a time.
static void chase() {
  const long Bytes = multiple("bytes", 1 << 16, 1024);
  const long Spacing = multiple("spacing", 128, 8) / 8;
  const long Count = Bytes / 8 / Spacing, Loads = argument("loads", Count);
  if (Count & (Count - 1))
    fail("bytes by spacing is no power of two");
  struct Link {
    const Link *Next;
  };
  Array<long> A("A", Bytes / 8, false), B("B", 1, false);
  const Link *First = reinterpret_cast<const Link *>(static_cast<long *>(A));
  // All residues follow one another: a linear congruential generator.
  auto Next = [=](long I) { return (5 * I + 3) % Count; };
  std::unique_ptr<long[]> Host(new long[Bytes / 8]());
  for (long I = 0; I < Count; ++I)
    Host[I * Spacing] = reinterpret_cast<long>(First + Next(I) * Spacing);
  A.write(Host.get());
  long *Out = B;
  LAUNCH(1, 1, First, Out) {
    const Link *At = First;
    UNROLL(1)
    for (long I = 0; I < Loads; ++I)
      At = At->Next;
    *Out = At - First;
  }
  long At = 0;
  for (long I = 0; I < Loads; ++I)
    At = Next(At);
  B.expect(0, At * Spacing);
}

/// A[i] = 2 B[i] (+ C[i]), doubles.
template <bool Triad> static void stream() {
  const long N = multiple("n", 1 << 22, 1024);
  Array<double> A("A", N, false), B("B", N), C("C", Triad ? N : 1);
  double *X = A;
  const double *Y = B, *Z = C;
  LAUNCH(N / 1024, 1024, X, Y, Z) {
    const long I = long(blockId()) * 1024 + threadId();
    X[I] = 2 * Y[I] + (Triad ? Z[I] : 0);
  }
  sample(N, [&](long I) { A.expect(I, (Triad ? 3 : 2) * value(I)); });
}

/// Blocks of 256 threads in a grid of BLOCKS add up N floats.
static void reduce() {
  const long N = argument("n", 1 << 23), Blocks = argument("blocks", 640);
  Array<float> A("A", N), B("B", Blocks, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(Blocks, 256, In, Out) {
    SHARED float Sums[256];
    const int T = threadId();
    float Sum = 0;
    for (long I = blockId() * 256 + T; I < N; I += Blocks * 256)
      Sum += In[I];
    Sums[T] = Sum;
    for (int Half = 128; Half > 0; Half /= 2) {
      barrier();
      if (T < Half)
        Sums[T] += Sums[T + Half];
    }
    if (T == 0)
      Out[blockId()] = Sums[0];
  }
  sample(Blocks, [&](long Block) {
    double Sum = 0;
    for (long I = Block * 256; I < N; I += Blocks * 256)
      for (long J = I; J < I + 256 && J < N; ++J)
        Sum += value(J);
    B.expect(Block, Sum);
  });
}

// --- Walks over a matrix -----------------------------------------------------

enum class Walk { Rows, Columns, RowsOfBlocks };

/// Sums of the rows or columns of a matrix of N x N floats, of which only the
/// first WIDTH elements of each row or column are added up.
template <Walk W> static void sums() {
  const long N = multiple("n", 2048, 256), Width = multiple("width", N, 256);
  Array<float> A("A", N * N), B("B", N, false);
  const float *In = A;
  float *Out = B;
  if (W == Walk::RowsOfBlocks) {
    LAUNCH(N, 256, In, Out) {
      SHARED float Sums[256];
      const int T = threadId();
      float Sum = 0;
      for (long J = T; J < Width; J += 256)
        Sum += In[blockId() * N + J];
      Sums[T] = Sum;
      for (int Half = 128; Half > 0; Half /= 2) {
        barrier();
        if (T < Half)
          Sums[T] += Sums[T + Half];
      }
      if (T == 0)
        Out[blockId()] = Sums[0];
    }
  } else {
    LAUNCH(N / 256, 256, In, Out) {
      const long I = blockId() * 256 + threadId();
      float Sum = 0;
      for (long J = 0; J < Width; ++J)
        Sum += W == Walk::Rows ? In[I * N + J] : In[J * N + I];
      Out[I] = Sum;
    }
  }
  sample(N, [&](long I) {
    double Sum = 0;
    for (long J = 0; J < Width; ++J)
      Sum += value(W == Walk::Columns ? J * N + I : I * N + J);
    B.expect(I, Sum);
  });
}

/// C = A + B, blocks of 32 x 32; neighbouring threads in a row or in a column.
template <bool Coalesced> static void matrixAdd() {
  const long N = multiple("n", 1024, 32);
  Array<int> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const int *X = A, *Y = B;
  int *Z = C;
  LAUNCH(N / 32 * (N / 32), 1024, X, Y, Z) {
    const long I = blockColumn(N / 32) * 32 + threadId() % 32;
    const long J = blockRow(N / 32) * 32 + threadId() / 32;
    const long At = Coalesced ? J * N + I : I * N + J;
    Z[At] = X[At] + Y[At];
  }
  sample(N * N, [&](long I) { C.expect(I, 2 * value(I)); });
}

/// Four neighbours of each inner point of a grid of N x N floats, or the point.
template <bool Stencil> static void laplace() {
  const long N = multiple("n", 1024, 32);
  Array<float> A("A", N * N), B("B", N * N, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(N / 32 * (N / 8), 256, In, Out) {
    const int I = blockId() % int(N / 32) * 32 + threadId() % 32;
    const int J = blockId() / int(N / 32) * 8 + threadId() / 32;
    const int Row = int(N), At = J * Row + I;
    if (I > 0 && J > 0 && I < Row - 1 && J < Row - 1)
      Out[At] =
          Stencil
              ? 0.25f * (In[At + 1] + In[At - 1] + In[At - Row] + In[At + Row])
              : In[At];
  }
  sample(N - 2, [&](long I) {
    const long At = (I + 1) * N + N - 2 - I;
    B.expect(At, Stencil ? 0.25 * (value(At + 1) + value(At - 1) +
                                   value(At - N) + value(At + N))
                         : value(At));
  });
}

// --- Transposes --------------------------------------------------------------

enum class Tile { None, Unpadded, Padded };

/// Checks that B is the transpose of A, or A itself.
static void expectTransposed(const Array<float> &B, long N, bool Copied) {
  sample(N * N,
         [&](long I) { B.expect(I, value(Copied ? I : I % N * N + I / N)); });
}

/// One element for each thread of blocks of SIZE x SIZE, neighbours in a row
/// of what is written or of what is read.
template <int Size, bool RowsWritten> static void transposeElements() {
  const long N = multiple("n", 1024, Size);
  Array<float> A("A", N * N), B("B", N * N, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(N / Size * (N / Size), Size * Size, In, Out) {
    const long I = blockColumn(N / Size) * Size + threadId() % Size;
    const long J = blockRow(N / Size) * Size + threadId() / Size;
    if (RowsWritten)
      Out[J * N + I] = In[I * N + J];
    else
      Out[I * N + J] = In[J * N + I];
  }
  expectTransposed(B, N, false);
}

/// Blocks of 32 x 8 threads, each thread with four elements of a tile of
/// 32 x 32; the tile in shared memory, or in none.
template <Tile Kind, bool Copied> static void transposeTiles() {
  const long N = multiple("n", 1024, 32);
  Array<float> A("A", N * N), B("B", N * N, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(N / 32 * (N / 32), 256, In, Out) {
    SHARED float Tile[32][Kind == Tile::Padded ? 33 : 32];
    const int X = threadId() % 32, Y = threadId() / 32;
    const long Left = blockColumn(N / 32) * 32, Top = blockRow(N / 32) * 32;
    if (Kind == Tile::None) {
      for (int J = Y; J < 32; J += 8)
        Out[Copied ? (Top + J) * N + Left + X : (Left + X) * N + Top + J] =
            In[(Top + J) * N + Left + X];
    } else {
      for (int J = Y; J < 32; J += 8)
        Tile[J][X] = In[(Top + J) * N + Left + X];
      barrier();
      for (int J = Y; J < 32; J += 8)
        Out[(Left + J) * N + Top + X] = Tile[X][J];
    }
  }
  expectTransposed(B, N, Copied);
}

/// Blocks of 8 x 32 threads, each thread with four elements of a row.
static void transposeVectors() {
  const long N = multiple("n", 1024, 32);
  typedef float Four __attribute__((ext_vector_type(4)));
  Array<float> A("A", N * N), B("B", N * N, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(N / 32 * (N / 32), 256, In, Out) {
    SHARED float Tile[32][33];
    const int X = threadId() % 8 * 4, Y = threadId() / 8;
    const long Left = blockColumn(N / 32) * 32, Top = blockRow(N / 32) * 32;
    const Four Read = *(const Four *)&In[(Top + Y) * N + Left + X];
    Tile[Y][X] = Read.x, Tile[Y][X + 1] = Read.y;
    Tile[Y][X + 2] = Read.z, Tile[Y][X + 3] = Read.w;
    barrier();
    *(Four *)&Out[(Left + Y) * N + Top + X] =
        Four{Tile[X][Y], Tile[X + 1][Y], Tile[X + 2][Y], Tile[X + 3][Y]};
  }
  expectTransposed(B, N, false);
}

// --- Products of matrices ----------------------------------------------------

/// Checks C = A B; the product has the first DEPTH columns of A only.
static void expectProduct(const Array<float> &C, long N, long Depth) {
  sample(N * N, [&](long At) {
    double Sum = 0;
    for (long K = 0; K < Depth; ++K)
      Sum += value(At / N * N + K) * value(K * N + At % N);
    C.expect(At, Sum);
  });
}

/// A thread for each element, blocks of 32 x 32. Neighbouring threads are in a
/// row of C, or in a column; neighbouring blocks too.
template <bool Coalesced> static void multiply() {
  const long N = multiple("n", 512, 32), Depth = multiple("depth", N, 32);
  const bool BlocksDown = argument("blocks_down", 1);
  Array<float> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const float *X = A, *Y = B;
  float *Z = C;
  LAUNCH(N / 32 * (N / 32), 1024, X, Y, Z) {
    const int Size = int(N), Tiles = Size / 32;
    const int Quick = blockId() % Tiles * 32, Slow = blockId() / Tiles * 32;
    const int U = threadId() / 32, V = threadId() % 32;
    const int Row = (BlocksDown ? Quick : Slow) + (Coalesced ? U : V);
    const int Column = (BlocksDown ? Slow : Quick) + (Coalesced ? V : U);
    float Sum = 0;
    for (int K = 0; K < int(Depth); ++K)
      Sum += X[Row * Size + K] * Y[K * Size + Column];
    Z[Row * Size + Column] = Sum;
  }
  expectProduct(C, N, Depth);
}

/// The same with tiles of 32 x 32 of A and B in shared memory.
static void multiplyTiled() {
  const long N = multiple("n", 512, 32), Depth = multiple("depth", N, 32);
  const bool BlocksDown = argument("blocks_down", 1);
  Array<float> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const float *X = A, *Y = B;
  float *Z = C;
  LAUNCH(N / 32 * (N / 32), 1024, X, Y, Z) {
    SHARED float OfA[32][32];
    SHARED float OfB[32][32];
    const int Size = int(N), Tiles = Size / 32;
    const int Quick = blockId() % Tiles * 32, Slow = blockId() / Tiles * 32;
    const int U = threadId() / 32, V = threadId() % 32;
    const int Row = (BlocksDown ? Quick : Slow) + U;
    const int Column = (BlocksDown ? Slow : Quick) + V;
    float Sum = 0;
    for (int K0 = 0; K0 < int(Depth); K0 += 32) {
      OfA[U][V] = X[Row * Size + K0 + V];
      OfB[U][V] = Y[(K0 + U) * Size + Column];
      barrier();
      for (int K = 0; K < 32; ++K)
        Sum += OfA[U][K] * OfB[K][V];
      barrier();
    }
    Z[Row * Size + Column] = Sum;
  }
  expectProduct(C, N, Depth);
}

/// 64 x 64 elements for a block of 512 threads, eight below one another for
/// each thread; tiles are 8 deep.
static void multiplyColumns() {
  const long N = multiple("n", 512, 64), Depth = multiple("depth", N, 8);
  Array<float> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const float *X = A, *Y = B;
  float *Z = C;
  LAUNCH(N / 64 * (N / 64), 512, X, Y, Z) {
    SHARED float OfA[64][8];
    SHARED float OfB[8][64];
    const int Size = int(N), T = threadId(), V = T % 64, U = T / 64;
    const int Top = blockId() / (Size / 64) * 64;
    const int Left = blockId() % (Size / 64) * 64;
    float Sums[8] = {};
    for (int K0 = 0; K0 < int(Depth); K0 += 8) {
      OfA[T / 8][T % 8] = X[(Top + T / 8) * Size + K0 + T % 8];
      OfB[U][V] = Y[(K0 + U) * Size + Left + V];
      barrier();
      for (int K = 0; K < 8; ++K) {
        const float OneOfB = OfB[K][V];
        UNROLL(8)
        for (int I = 0; I < 8; ++I)
          Sums[I] += OfA[U * 8 + I][K] * OneOfB;
      }
      barrier();
    }
    UNROLL(8)
    for (int I = 0; I < 8; ++I)
      Z[(Top + U * 8 + I) * Size + Left + V] = Sums[I];
  }
  expectProduct(C, N, Depth);
}

/// 128 x 128 elements for a block of 256 threads, 8 x 8 for each thread; tiles
/// are 8 deep.
static void multiplySquares() {
  const long N = multiple("n", 512, 128), Depth = multiple("depth", N, 8);
  Array<float> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const float *X = A, *Y = B;
  float *Z = C;
  LAUNCH(N / 128 * (N / 128), 256, X, Y, Z) {
    SHARED float OfA[128][8];
    SHARED float OfB[8][128];
    const int Size = int(N), T = threadId(), V = T % 16 * 8, U = T / 16 * 8;
    const int Top = blockId() / (Size / 128) * 128;
    const int Left = blockId() % (Size / 128) * 128;
    float Sums[8][8] = {};
    for (int K0 = 0; K0 < int(Depth); K0 += 8) {
      UNROLL(4)
      for (int I = 0; I < 128; I += 32)
        OfA[I + T / 8][T % 8] = X[(Top + I + T / 8) * Size + K0 + T % 8];
      UNROLL(4)
      for (int I = 0; I < 8; I += 2)
        OfB[I + T / 128][T % 128] =
            Y[(K0 + I + T / 128) * Size + Left + T % 128];
      barrier();
      UNROLL(8)
      for (int K = 0; K < 8; ++K) {
        float Down[8], Across[8];
        UNROLL(8)
        for (int I = 0; I < 8; ++I)
          Down[I] = OfA[U + I][K], Across[I] = OfB[K][V + I];
        UNROLL(8)
        for (int I = 0; I < 8; ++I)
          UNROLL(8)
        for (int J = 0; J < 8; ++J)
          Sums[I][J] += Down[I] * Across[J];
      }
      barrier();
    }
    UNROLL(8)
    for (int I = 0; I < 8; ++I)
      UNROLL(8)
    for (int J = 0; J < 8; ++J)
      Z[(Top + U + I) * Size + Left + V + J] = Sums[I][J];
  }
  expectProduct(C, N, Depth);
}

enum class Staged { Nothing, A, Both, BothPadded };

/// C = A B with A of N x 32 and B of 32 x N, or C = A transposed(A); blocks of
/// 32 x 32, all that a block needs is one tile of each.
template <Staged S, bool OfTransposed> static void outerProduct() {
  const long N = multiple("n", 1024, 32);
  Array<float> A("A", N * 32), B("B", N * 32), C("C", N * N, false);
  const float *X = A, *Y = B;
  float *Z = C;
  LAUNCH(N / 32 * (N / 32), 1024, X, Y, Z) {
    SHARED float OfA[32][32];
    SHARED float OfB[32][S == Staged::BothPadded ? 33 : 32];
    const int Size = int(N), U = threadId() / 32, V = threadId() % 32;
    const int Left = blockId() % (Size / 32) * 32;
    const int Row = blockId() / (Size / 32) * 32 + U, Column = Left + V;
    if (S != Staged::Nothing)
      OfA[U][V] = X[Row * 32 + V];
    if (S >= Staged::Both && OfTransposed)
      OfB[V][U] = X[(Left + U) * 32 + V];
    else if (S >= Staged::Both)
      OfB[U][V] = Y[U * Size + Column];
    if (S != Staged::Nothing)
      barrier();
    float Sum = 0;
    for (int K = 0; K < 32; ++K) {
      const float Right = S >= Staged::Both ? OfB[K][V]
                          : OfTransposed    ? X[Column * 32 + K]
                                            : Y[K * Size + Column];
      Sum += (S == Staged::Nothing ? X[Row * 32 + K] : OfA[U][K]) * Right;
    }
    Z[Row * Size + Column] = Sum;
  }
  sample(N * N, [&](long At) {
    double Sum = 0;
    for (long K = 0; K < 32; ++K)
      Sum += value(At / N * 32 + K) *
             value(OfTransposed ? At % N * 32 + K : K * N + At % N);
    C.expect(At, Sum);
  });
}

// --- Bodies ------------------------------------------------------------------

/// Accelerations of N bodies by the first SOURCES of them, through tiles of 128
/// in shared memory.
static void bodies() {
  const long N = multiple("n", 4096, 128),
             Sources = multiple("sources", N, 128);
  typedef float Four __attribute__((ext_vector_type(4)));
  Array<float> A("A", 4 * N), B("B", 4 * N, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(N / 128, 128, In, Out) {
    SHARED Four Tile[128];
    const Four *Bodies = (const Four *)In;
    const int T = threadId(), Me = blockId() * 128 + T;
    const Four Mine = Bodies[Me];
    float X = 0, Y = 0, Z = 0;
    for (int First = 0; First < int(Sources); First += 128) {
      Tile[T] = Bodies[First + T];
      barrier();
      UNROLL(16)
      for (int K = 0; K < 128; ++K) {
        const Four Other = Tile[K];
        const float DX = Other.x - Mine.x, DY = Other.y - Mine.y;
        const float DZ = Other.z - Mine.z;
        const float Square = DX * DX + DY * DY + DZ * DZ + 0.01f;
        const float Scale = Other.w * inverseRoot(Square * Square * Square);
        X += DX * Scale, Y += DY * Scale, Z += DZ * Scale;
      }
      barrier();
    }
    ((Four *)Out)[Me] = Four{X, Y, Z, 0};
  }
  sample(N, [&](long I) {
    double Sum = 0;
    for (long J = 0; J < Sources; ++J) {
      double Square = 0.01;
      for (long D = 0; D < 3; ++D)
        Square += std::pow(value(4 * J + D) - value(4 * I + D), 2);
      Sum += (value(4 * J) - value(4 * I)) * value(4 * J + 3) /
             std::pow(Square, 1.5);
    }
    // Single precision, and an approximate root.
    B.expect(4 * I, Sum, 1e-3);
  });
}

// --- The program -------------------------------------------------------------

static const struct {
  const char *Name;
  void (*Run)();
} Kernels[] = {
    {"empty", empty},
    {"copy_to", copyAcross<true>},
    {"copy_from", copyAcross<false>},
    {"strides_float", strides<float>},
    {"strides_double", strides<double>},
    {"chase", chase},
    {"scale", stream<false>},
    {"triad", stream<true>},
    {"reduce", reduce},
    {"row_sums", sums<Walk::Rows>},
    {"column_sums", sums<Walk::Columns>},
    {"row_sums_of_blocks", sums<Walk::RowsOfBlocks>},
    {"matrix_add", matrixAdd<true>},
    {"matrix_add_columns", matrixAdd<false>},
    {"laplace", laplace<true>},
    {"laplace_copy", laplace<false>},
    {"copy", transposeTiles<Tile::None, true>},
    {"transpose", transposeTiles<Tile::None, false>},
    {"transpose_tiled", transposeTiles<Tile::Unpadded, false>},
    {"transpose_padded", transposeTiles<Tile::Padded, false>},
    {"transpose_vectors", transposeVectors},
    {"transpose_16", transposeElements<16, false>},
    {"transpose_16_rows_written", transposeElements<16, true>},
    {"transpose_32_rows_written", transposeElements<32, true>},
    {"multiply_columns_first", multiply<false>},
    {"multiply", multiply<true>},
    {"multiply_tiled", multiplyTiled},
    {"multiply_8x1", multiplyColumns},
    {"multiply_8x8", multiplySquares},
    {"outer_product", outerProduct<Staged::Nothing, false>},
    {"outer_product_a", outerProduct<Staged::A, false>},
    {"outer_product_both", outerProduct<Staged::Both, false>},
    {"outer_product_self", outerProduct<Staged::Nothing, true>},
    {"outer_product_self_both", outerProduct<Staged::Both, true>},
    {"outer_product_self_padded", outerProduct<Staged::BothPadded, true>},
    {"bodies", bodies},
};

int main(int Count, char **Values) {
  ArgumentCount = Count, Arguments = Values;
  for (const auto &Kernel : Kernels)
    if (Count > 1 && !std::strcmp(Kernel.Name, Values[1])) {
      Kernel.Run();
      std::printf("%.9f\n", Seconds);
      return 0;
    }
  std::string Known;
  for (const auto &Kernel : Kernels)
    Known += std::string(Known.empty() ? "" : ", ") + Kernel.Name;
  fail("name a kernel: " + Known);
}
