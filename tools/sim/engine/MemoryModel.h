//===- MemoryModel.h - What a warp's access costs -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place for how memory is organised.
//
// Global memory moves in sectors of 32 bytes. A request of a warp moves every
// sector that one of its lanes touches, each once (CUDA C++ Best Practices
// Guide, "Coalesced Access to Global Memory", compute capability 6.0 and up;
// Nsight Compute documentation, "Sectors/Req").
//
// In the first level four lines are looked up in a clock (NVIDIA's forum), and
// hits conflict in banks as in shared memory: a load of floats at a stride of
// 32 takes 32 clocks, at a stride of 33, without conflicts but with 33
// lines, 8.8 (gpu-strides of te42kyfo/gpu-benches, A100).
//
// Shared memory has 32 banks of 4 bytes, successive words in successive banks.
// A wavefront serves one word of each bank to any number of lanes (CUDA C++
// Programming Guide, "Shared Memory" under compute capability 5.x, which later
// ones refer to). Accesses of 8 bytes are served by halves of the warp, those
// of 16 bytes by quarters; parts that do not collide in a bank, because their
// lanes read the same words, share a wavefront.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_MEMORYMODEL_H
#define FERRY_SIM_MEMORYMODEL_H

#include <cstdint>

namespace ferry::sim {

constexpr unsigned SectorShift = 5;
constexpr unsigned SectorBytes = 1u << SectorShift;
constexpr unsigned Banks = 32;
constexpr unsigned BankBytes = 4;

/// A warp's access to one memory: the addresses of the lanes in Mask.
struct WarpAccess {
  uint64_t Address[32]; ///< by lane; only those in Mask count
  uint32_t Mask;        ///< not 0
  uint32_t Size;        ///< bytes that each lane accesses: 1, 2, 4, 8, 16
};

/// The shape of an access, which decides how much work counting it is.
enum class AccessShape {
  Same,        ///< all lanes at one address
  Consecutive, ///< every lane at its predecessor's address + Size, all active
  Other
};
AccessShape shapeOf(const WarpAccess &A);

/// The distinct sectors of an access. \p Sectors has room for MaxSectors and
/// receives their numbers (address / 32) in no particular order. Returns how
/// many there are.
constexpr unsigned MaxSectors = 32 * 2; ///< two of each lane
unsigned sectorsOf(const WarpAccess &A, uint64_t *Sectors);

struct SharedCost {
  uint32_t Wavefronts;
  uint32_t Conflicts; ///< wavefronts more than if no bank had two words
};
/// \p A.Address are addresses or offsets, as long as bank 0 is at a multiple of
/// 128. \p Shape is A's, or Other.
inline SharedCost sharedCost(const WarpAccess &A, AccessShape Shape);

/// Passes that an atomic access takes: the lanes of the bank that has most,
/// whether at one address or not.
uint32_t atomicPasses(const WarpAccess &A);

/// sharedCost() of an access of any shape.
SharedCost sharedCostOfOther(const WarpAccess &A);

/// Halves or quarters of a warp in which accesses of \p Size bytes are served.
constexpr uint32_t partsOf(uint32_t Size) {
  return Size <= 4 ? 1 : Size <= 8 ? 2 : 4;
}

inline SharedCost sharedCost(const WarpAccess &A, AccessShape Shape) {
  const uint64_t First = A.Address[__builtin_ctz(A.Mask)];
  if (Shape == AccessShape::Other || (First & (A.Size - 1)))
    return sharedCostOfOther(A);
  return {Shape == AccessShape::Same ? 1 : partsOf(A.Size), 0};
}

} // namespace ferry::sim

#endif // FERRY_SIM_MEMORYMODEL_H
