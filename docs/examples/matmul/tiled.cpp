// Matrix multiplication with shared memory used by hand: each team computes a
// tile of C, and its threads copy tiles of A and B to the team's memory first.
// matmul.cpp has the plain loops, for which Ferry does as much.
//
//   ferry-clang++ -O3 -fopenmp --ferry-sim tiled.cpp
//   ferry-sim -- ./a.out 128
#include "product.h"
#include <omp.h>

const int Tile = 16;
const int Threads = Tile * Tile;

// The host device has no memory of teams, see ../tutorial/allocators.cpp.
#if defined(__NVPTX__) || defined(__AMDGPU__)
#define TEAM_MEMORY omp_pteam_mem_alloc
#else
#define TEAM_MEMORY omp_default_mem_alloc
#endif

static void multiply(Matrix A, Matrix B, Matrix C) {
  int N = C.N;
  const Real *X = A.Data, *Y = B.Data;
  Real *Z = C.Data;
#pragma omp target teams distribute collapse(2) thread_limit(Threads)
  for (int Row = 0; Row < N; Row += Tile)
    for (int Column = 0; Column < N; Column += Tile) {
      Real TileX[Tile][Tile], TileY[Tile][Tile], Sum[Tile][Tile];
#pragma omp allocate(TileX, TileY, Sum) allocator(TEAM_MEMORY)
    // Behind each of these loops the threads wait for one another.
#pragma omp parallel
      {
#pragma omp for collapse(2)
        for (int I = 0; I < Tile; ++I)
          for (int J = 0; J < Tile; ++J)
            Sum[I][J] = 0;
        for (int Begin = 0; Begin < N; Begin += Tile) {
#pragma omp for collapse(2)
          for (int I = 0; I < Tile; ++I)
            for (int J = 0; J < Tile; ++J) {
              bool InX = Row + I < N && Begin + J < N;
              bool InY = Begin + I < N && Column + J < N;
              TileX[I][J] = InX ? X[(Row + I) * N + Begin + J] : 0;
              TileY[I][J] = InY ? Y[(Begin + I) * N + Column + J] : 0;
            }
#pragma omp for collapse(2)
          for (int I = 0; I < Tile; ++I)
            for (int J = 0; J < Tile; ++J)
              for (int K = 0; K < Tile; ++K)
                Sum[I][J] += TileX[I][K] * TileY[K][J];
        }
#pragma omp for collapse(2)
        for (int I = 0; I < Tile; ++I)
          for (int J = 0; J < Tile; ++J)
            if (Row + I < N && Column + J < N)
              Z[(Row + I) * N + Column + J] = Sum[I][J];
      }
    }
}

int main(int Argc, char **Argv) {
  Product P(Argc, Argv);
  P.run("matmul-tiled", multiply);
  return P.finish();
}
