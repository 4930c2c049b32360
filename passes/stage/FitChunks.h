//===- FitChunks.h - Chunks as long as the blocks that run ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A combined construct deals the iterations of its loop out to the blocks in
// chunks, one iteration for each thread. Clang asks the device runtime for the
// number of threads; LLVM's OpenMPOpt takes the most that a block can have,
//
//   define ... @kernel(...) "omp_target_thread_limit"="128"
//     %threads = call i32 @__kmpc_get_hardware_num_threads_in_block()   ; 128
//
// But libomptarget launches loops of few iterations with blocks of 32 threads.
// A block then does a chunk of 128 in four rounds, and three of four blocks
// have nothing to do. This pass takes the attribute away before OpenMPOpt runs,
//
//   define ... @kernel(...)
//     %threads = call i32 @__kmpc_get_hardware_num_threads_in_block()   ; asked
//
// where an iteration has a loop. Asking takes some instructions once for each
// thread, which for short iterations might be more than what is gained. Where
// integers are divided, as for iterations of two dimensions, only on GPUs with
// asynchronous copies: without them, tiles that a launch of few warps takes
// wait for memory, and the kernel has shared memory for them whether it takes
// them or not. On a V100 products of 64 x 64 to 320 x 320 doubles would be 0.70
// to 0.81 times as fast as without staging.
//
// Which thread does which iteration OpenMP leaves open without a clause that
// says so; with dist_schedule Clang does not ask.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_FITCHUNKS_H
#define FERRY_STAGE_FITCHUNKS_H

#include "llvm/IR/PassManager.h"

namespace ferry {

/// `ferry-fit-chunks`, for device modules as Clang emits them.
class FitChunksPass : public llvm::PassInfoMixin<FitChunksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace ferry

#endif // FERRY_STAGE_FITCHUNKS_H
