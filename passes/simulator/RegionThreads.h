//===- RegionThreads.h - Parallel regions of a part of a block --*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parallel region with num_threads may leave threads of the block over. In an
// SPMD kernel they wait at the region's end, in the same hardware barrier as
// the region's own barriers: of these the threads of the region meet the ones
// that are left over. ferry-sim tells that from a wrong program by the number
// of threads, which only the call of the runtime has:
//
//   call void @__kmpc_parallel_51(ptr %loc, i32 %id, i32 1, i32 64, ...)
//   define void @kernel() "ferry-region-threads"="64"
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIMULATOR_REGIONTHREADS_H
#define FERRY_SIMULATOR_REGIONTHREADS_H

#include "llvm/IR/PassManager.h"
#include <cstdint>

namespace ferry {

/// `ferry-region-threads`: gives the functions that have such regions, or call
/// those that have, the attribute. To be run before anything is inlined.
class RegionThreadsPass : public llvm::PassInfoMixin<RegionThreadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

/// Of several numbers, or one that is not constant.
constexpr uint32_t AnyRegionThreads = UINT32_MAX;

/// The threads of \p F's parallel regions as its attribute tells; 0 if no
/// region has num_threads.
uint32_t regionThreads(const llvm::Function &F);

} // namespace ferry

#endif // FERRY_SIMULATOR_REGIONTHREADS_H
