//===- bodies.h - Forces between bodies -----------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCH_KERNELS_BODIES_H
#define FERRY_BENCH_KERNELS_BODIES_H

#include "launch.h"

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

#endif // FERRY_BENCH_KERNELS_BODIES_H
