//===- GpuTarget.h - What differs between NVIDIA and AMD --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_GPUTARGET_H
#define FERRY_STAGE_GPUTARGET_H

#include "GpuModel.h"
#include "support/AddressSpace.h"
#include <optional>

namespace llvm {
class Function;
class IRBuilderBase;
class Instruction;
class Value;
} // namespace llvm

namespace ferry {
namespace sim {
struct DeviceModel;
} // namespace sim

/// What the target of a kernel can do, beyond what all can that Ferry stages
/// for.
struct GpuTarget {
  unsigned WarpSize = gpu::WarpThreads;
  bool TellsMemory = true;  ///< a kernel can ask whether memory is global
  bool AsyncCopies = false; ///< the target has cp.async
  /// The GPU that prices are calculated for. It lives as long as the program,
  /// or as what was asked for.
  const sim::DeviceModel *Gpu = nullptr;
};

/// The target of \p Kernel, if the threads of its warps can wait for each other
/// in branches and exchange values. Prices are those of \p Asked, if there is
/// such a GPU and it runs the kernel's code, else of the first one that is
/// known of the architecture; on AMD GPUs those of an A100.
std::optional<GpuTarget> gpuTargetOf(const llvm::Function &Kernel,
                                     const sim::DeviceModel *Asked = nullptr);

/// Whether \p V is the number of the thread in its block, of the block in the
/// grid.
bool isThreadNumber(const llvm::Value *V);
bool isBlockNumber(const llvm::Value *V);

/// Whether \p F is of NVIDIA's library of mathematical functions, libdevice.
bool isOfMathLibrary(const llvm::Function &F);

/// Whether \p I waits for all threads of the block.
bool isBlockBarrier(const llvm::Instruction &I);

/// Asks whether the generic \p Pointer leads to global memory, where a kernel
/// can ask that.
llvm::Value *createIsGlobal(llvm::IRBuilderBase &B, llvm::Value *Pointer);

/// Copies \p Bytes (4, 8 or 16), aligned to their number, from global memory to
/// shared memory, asynchronously.
llvm::Instruction *createAsyncCopy(llvm::IRBuilderBase &B, unsigned Bytes,
                                   llvm::Value *From, llvm::Value *To);
/// Ends a group of asynchronous copies.
void createAsyncCommit(llvm::IRBuilderBase &B);
/// Waits for all but the last \p Left groups.
void createAsyncWait(llvm::IRBuilderBase &B, unsigned Left);

} // namespace ferry

#endif // FERRY_STAGE_GPUTARGET_H
