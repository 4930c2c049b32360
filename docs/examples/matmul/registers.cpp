// Matrix multiplication by hand, as far as OpenMP goes: each team computes a
// tile of C, each of its threads 4 x 8 elements of it (8 x 8 floats), which it
// keeps in registers. For every step it reads 4 and 8 elements from the team's
// memory, 16 bytes at a time, and multiplies 32 times; tiled.cpp reads two for
// one multiplication. matmul.cpp has the plain loops, for which Ferry does as
// much.
//
//   ferry-clang++ -O3 -fopenmp --ferry-sim registers.cpp
//   ferry-sim -- ./a.out 256
//
// -DREAL=float has floats.
#include "product.h"
#include <omp.h>

const bool Floats = sizeof(Real) == 4;

// Threads of a team, and how they lie in its tile. The host device has no
// memory of teams, and may have fewer threads than asked for.
#if defined(__NVPTX__) || defined(__AMDGPU__)
#define TEAM_MEMORY omp_pteam_mem_alloc
const int Down = 16, Across = Floats ? 16 : 8;
#else
#define TEAM_MEMORY omp_default_mem_alloc
const int Down = 1, Across = 1;
#endif
const int Threads = Down * Across;
const int Rows = Floats ? 8 : 4, Columns = 8; // of a thread
const int TileRows = Down * Rows, TileColumns = Across * Columns;
const int Steps = Floats ? 8 : 16; // that lie in the team's memory

// 16 bytes. A thread has so many rows next to each other, and so many columns;
// its next ones are behind those of the others.
typedef Real Vector __attribute__((vector_size(16), may_alias));
const int Wide = sizeof(Vector) / sizeof(Real);

static void multiply(Matrix A, Matrix B, Matrix C) {
  int N = C.N;
  const Real *X = A.Data, *Y = B.Data;
  Real *Z = C.Data;
  // As many teams as there are tiles on a GPU.
  const int Edge = Floats ? 128 : 64, Limit = Floats ? 256 : 128;
  const int Most = (N + Edge - 1) / Edge * ((N + Edge - 1) / Edge);
#pragma omp target teams num_teams(Most) thread_limit(Limit)
  {
    // A few rows more keep threads that write a column in different banks.
    Real TileX[Steps][TileRows + Wide], TileY[Steps][TileColumns];
#pragma omp allocate(TileX, TileY) allocator(TEAM_MEMORY) align(16)
#pragma omp parallel num_threads(Threads)
    {
      const int Thread = omp_get_thread_num();
      const int Row = Thread / Across * Wide, Column = Thread % Across * Wide;
      const int TilesAcross = (N + TileColumns - 1) / TileColumns;
      const int Tiles = (N + TileRows - 1) / TileRows * TilesAcross;
      for (int Tile = omp_get_team_num(); Tile < Tiles;
           Tile += omp_get_num_teams()) {
        const int I0 = Tile / TilesAcross * TileRows;
        const int J0 = Tile % TilesAcross * TileColumns;
        Real Sum[Rows][Columns] = {};
        for (int Begin = 0; Begin < N; Begin += Steps) {
          // Behind the ends the last elements are read once more, so that there
          // is no branch, and all reads are under way together.
          Real NextX[TileRows * Steps / Threads];
          Real NextY[TileColumns * Steps / Threads];
#pragma unroll
          for (int P = 0; P < TileRows * Steps / Threads; ++P) {
            const int E = Thread + P * Threads, K = Begin + E % Steps;
            const int I = std::min(I0 + E / Steps, N - 1);
            const Real Element = X[I * N + std::min(K, N - 1)];
            NextX[P] = K < N ? Element : 0;
          }
#pragma unroll
          for (int P = 0; P < TileColumns * Steps / Threads; ++P) {
            const int E = Thread + P * Threads, K = Begin + E / TileColumns;
            const int J = std::min(J0 + E % TileColumns, N - 1);
            NextY[P] = Y[std::min(K, N - 1) * N + J];
          }
#pragma unroll
          for (int P = 0; P < TileRows * Steps / Threads; ++P) {
            const int E = Thread + P * Threads;
            TileX[E % Steps][E / Steps] = NextX[P];
          }
#pragma unroll
          for (int P = 0; P < TileColumns * Steps / Threads; ++P) {
            const int E = Thread + P * Threads;
            TileY[E / TileColumns][E % TileColumns] = NextY[P];
          }
#pragma omp barrier
#pragma unroll 2
          for (int K = 0; K < Steps; ++K) {
            Vector Left[Rows / Wide], Right[Columns / Wide];
            for (int I = 0; I < Rows / Wide; ++I)
              Left[I] = *(const Vector *)&TileX[K][I * Wide * Down + Row];
            for (int J = 0; J < Columns / Wide; ++J)
              Right[J] = *(const Vector *)&TileY[K][J * Wide * Across + Column];
            for (int I = 0; I < Rows; ++I)
              for (int J = 0; J < Columns; ++J)
                Sum[I][J] +=
                    Left[I / Wide][I % Wide] * Right[J / Wide][J % Wide];
          }
#pragma omp barrier
        }
        for (int I = 0; I < Rows; ++I)
          for (int J = 0; J < Columns; ++J) {
            const int ToI = I0 + I / Wide * Wide * Down + Row + I % Wide;
            const int ToJ = J0 + J / Wide * Wide * Across + Column + J % Wide;
            if (ToI < N && ToJ < N)
              Z[ToI * N + ToJ] = Sum[I][J];
          }
      }
    }
  }
}

int main(int Argc, char **Argv) {
  Product P(Argc, Argv);
  P.run("matmul-registers", multiply);
  return P.finish();
}
