// Matrix multiplication by hand, as far as OpenMP goes: each team computes a
// tile of C, each of its threads 4 x 8 elements of it, which it keeps in
// registers. For every step it reads 4 and 8 elements from the team's memory
// and multiplies 32 times; tiled.cpp reads two for one multiplication.
// matmul.cpp has the plain loops, for which Ferry does as much.
//
//   ferry-clang++ -O3 -fopenmp --ferry-sim registers.cpp
//   ferry-sim -- ./a.out 256
#include "product.h"
#include <omp.h>

// Threads of a team, and how they lie in its tile. The host device has no
// memory of teams, and may have fewer threads than asked for.
#if defined(__NVPTX__) || defined(__AMDGPU__)
#define TEAM_MEMORY omp_pteam_mem_alloc
const int Down = 16, Across = 8;
#else
#define TEAM_MEMORY omp_default_mem_alloc
const int Down = 1, Across = 1;
#endif
const int Threads = Down * Across;
const int Rows = 4, Columns = 8; // of a thread
const int TileRows = Down * Rows, TileColumns = Across * Columns;
const int Steps = 16; // that lie in the team's memory

static void multiply(Matrix A, Matrix B, Matrix C) {
  int N = C.N;
  const double *X = A.Data, *Y = B.Data;
  double *Z = C.Data;
  // As many teams as a GPU has tiles; with larger tiles some have none.
  const int Most = (N + 63) / 64 * ((N + 63) / 64);
#pragma omp target teams num_teams(Most) thread_limit(128)
  {
    // A row more keeps threads that read a column in different banks.
    double TileX[Steps][TileRows + 2], TileY[Steps][TileColumns];
#pragma omp allocate(TileX, TileY) allocator(TEAM_MEMORY)
#pragma omp parallel num_threads(Threads)
    {
      const int Thread = omp_get_thread_num();
      const int Row = Thread / Across * Rows, Column = Thread % Across * 2;
      const int TilesAcross = (N + TileColumns - 1) / TileColumns;
      const int Tiles = (N + TileRows - 1) / TileRows * TilesAcross;
      for (int Tile = omp_get_team_num(); Tile < Tiles;
           Tile += omp_get_num_teams()) {
        const int I0 = Tile / TilesAcross * TileRows;
        const int J0 = Tile % TilesAcross * TileColumns;
        double Sum[Rows][Columns] = {};
        for (int Begin = 0; Begin < N; Begin += Steps) {
          for (int E = Thread; E < TileRows * Steps; E += Threads) {
            const int I = I0 + E / Steps, K = Begin + E % Steps;
            TileX[E % Steps][E / Steps] = I < N && K < N ? X[I * N + K] : 0;
          }
          for (int E = Thread; E < TileColumns * Steps; E += Threads) {
            const int K = Begin + E / TileColumns, J = J0 + E % TileColumns;
            TileY[E / TileColumns][E % TileColumns] =
                K < N && J < N ? Y[K * N + J] : 0;
          }
#pragma omp barrier
#pragma unroll 4
          for (int K = 0; K < Steps; ++K) {
            double Left[Rows], Right[Columns];
            for (int I = 0; I < Rows; ++I)
              Left[I] = TileX[K][Row + I];
            // Two neighbours, and every so many columns two more.
            for (int J = 0; J < Columns; ++J)
              Right[J] = TileY[K][J / 2 * 2 * Across + Column + J % 2];
            for (int I = 0; I < Rows; ++I)
              for (int J = 0; J < Columns; ++J)
                Sum[I][J] += Left[I] * Right[J];
          }
#pragma omp barrier
        }
        for (int I = 0; I < Rows; ++I)
          for (int J = 0; J < Columns; ++J) {
            const int ToI = I0 + Row + I;
            const int ToJ = J0 + J / 2 * 2 * Across + Column + J % 2;
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
