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

#include "kernels/bodies.h"
#include "kernels/convolutions.h"
#include "kernels/histograms.h"
#include "kernels/products.h"
#include "kernels/reductions.h"
#include "kernels/streams.h"
#include "kernels/transposes.h"
#include "kernels/walks.h"

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
    {"copy_32", transposeTiles<Tile::None, true, 32>},
    {"transpose", transposeTiles<Tile::None, false>},
    {"transpose_tiled", transposeTiles<Tile::Unpadded, false>},
    {"transpose_padded", transposeTiles<Tile::Padded, false>},
    {"transpose_vectors", transposeVectors},
    {"transpose_pairs", transposePairs},
    {"transpose_tiled_32", transposeTiles<Tile::Unpadded, false, 32>},
    {"transpose_padded_32", transposeTiles<Tile::Padded, false, 32>},
    {"transpose_padded_16", transposeTiles<Tile::Padded, false, 16>},
    {"transpose_32", transposeElements<32, false>},
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
    {"multiply_16", multiply16<float>},
    {"multiply_tiles_8", multiplyTiles<float, 8>},
    {"multiply_tiles_16", multiplyTiles<float, 16>},
    {"multiply_tiles_32", multiplyTiles<float, 32>},
    {"multiply_16_int", multiply16<unsigned>},
    {"multiply_tiles_8_int", multiplyTiles<unsigned, 8>},
    {"multiply_tiles_16_int", multiplyTiles<unsigned, 16>},
    {"multiply_tiles_32_int", multiplyTiles<unsigned, 32>},
    {"vector_product", multiplyVector<false, 512>},
    {"vector_product_tiled", multiplyVector<true, 512>},
    {"vector_product_tiled_32", multiplyVector<true, 32>},
    {"bodies", bodies},
    {"convolve_32", convolveTiles<32>},
    {"convolve_64", convolveTiles<64>},
    {"convolve_512", convolveTiles<512>},
    {"convolve_1024", convolveTiles<1024>},
    {"convolve_squares", convolveSquares},
    {"convolve_tiles_8", convolveSquareTiles<8>},
    {"convolve_tiles_16", convolveSquareTiles<16>},
    {"convolve_tiles_32", convolveSquareTiles<32>},
    {"bytes", countBytes<Counted::Global>},
    {"bytes_shared", countBytes<Counted::Shared>},
    {"bytes_shared_vectors", countBytes<Counted::SharedVectors>},
    {"zeros", countZeros<false>},
    {"zeros_shared", countZeros<true>},
    {"sum_interleaved", sumOfDoubles<Tree::Interleaved, 1>},
    {"sum_contiguous", sumOfDoubles<Tree::Contiguous, 1>},
    {"sum_sequential", sumOfDoubles<Tree::Sequential, 1>},
    {"sum_two_loads", sumOfDoubles<Tree::Sequential, 2>},
    {"sum_unrolled", sumOfDoubles<Tree::Unrolled, 2>},
    {"sum_shuffles", sumOfDoubles<Tree::Shuffles, 2>},
    {"sum_atomic", sumByAtomics<false>},
    {"sum_cascaded", sumByAtomics<true>},
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
