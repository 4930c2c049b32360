//===- Translate.h - Device code to host code that runs in the simulator --===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of ferry-sim-translate, in order. Each works on the whole module.
//
//   %v = load double, ptr %p, !dbg !7
// becomes
//   store i64 (%p | 12 << 48), ptr %log         ; instruction 12 of the table
//   %log.next = getelementptr i64, ptr %log, i64 32
//   %v = load double, ptr %p
//
// and a basic block that has words for the log begins with a check that there
// is room for them. See engine/SimABI.h.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_TRANSLATE_H
#define FERRY_SIM_TRANSLATE_H

#include "SimABI.h"
#include "costs/Costs.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>
#include <vector>

namespace ferry::sim {

/// An instruction of the table, before it is written out.
struct TableEntry {
  InstructionKind Kind;
  bool Runtime;
  unsigned Size, Align, Flags;
  unsigned Line, Column;
  std::string File, Function;
};

/// A variable's place in shared memory, in bytes.
struct SharedVariable {
  uint64_t Offset, Size;
  llvm::Align Alignment;
};

/// What the steps learn about a module, and the next ones need.
struct Translation {
  unsigned Architecture = 0; ///< 90 for sm_90
  bool Init = true; ///< constructors become a kernel that the engine runs
  llvm::SmallVector<llvm::Function *, 8> Kernels;
  llvm::DenseMap<llvm::Function *, unsigned> MaxThreads;
  /// Variables of the OpenMP device runtime in shared memory.
  llvm::SmallPtrSet<const llvm::GlobalVariable *, 16> RuntimeState;
  /// Branches whose direction can differ between the lanes of a warp.
  llvm::SmallPtrSet<const llvm::Instruction *, 32> DivergentBranches;
  std::vector<TableEntry> Instructions; ///< entry 0 is unused
  std::vector<unsigned> CodeBytes;      ///< of basic blocks
  /// Functions that stand for what the simulator does not know.
  llvm::SmallPtrSet<const llvm::Function *, 8> Unknown;
  /// The same with what each stands for, for the user.
  std::vector<std::pair<const llvm::Function *, std::string>> UnknownNames;
  uint64_t SharedBytes = 0;
  /// The shared variables that a function uses.
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<SharedVariable, 4>>
      SharedUses;
  /// Where RuntimeState lies: offsets and sizes.
  llvm::SmallVector<std::pair<uint64_t, uint64_t>, 16> RuntimeRanges;
  llvm::DenseMap<const llvm::Function *, FunctionCost> Costs;
  /// Of the host's processor, as __builtin_cpu_supports names them.
  llvm::SmallVector<std::string, 4> Features;
};

/// Runs the backend's passes on each bitcode file, links them, and the device
/// runtime if they need it, and removes what no kernel and no host access
/// needs.
llvm::Expected<std::unique_ptr<llvm::Module>>
linkDevice(llvm::LLVMContext &Context, llvm::ArrayRef<std::string> Files,
           llvm::StringRef RuntimeDir, llvm::TargetMachine &NVPTX,
           Translation &T);

/// Runs the passes that NVPTX's code generator runs on IR before it selects
/// instructions: they merge loads and move addresses, which is what hardware
/// sees.
llvm::Error runBackendPasses(llvm::Module &M, llvm::TargetMachine &NVPTX);

/// Marks the divergent branches and inserts a call of ferry_sim_join where the
/// lanes that one of them has sent apart meet again: at its immediate
/// post-dominator, which is where hardware reconverges a structured program.
void insertJoins(llvm::Module &M, Translation &T);

/// Replaces what only a GPU has: special registers, barriers, asynchronous
/// copies, inline assembly, device libraries.
void lowerDevice(llvm::Module &M, Translation &T);

/// What lowerDevice has not known, each with those that call it: sentences for
/// the user, in the order of the alphabet.
std::vector<std::string> unknownCalls(const Translation &T);

/// Inserts the log and counts instructions. An error if there are too many.
llvm::Error instrument(llvm::Module &M, Translation &T);

/// Gives shared variables their place in the block's shared memory. An error if
/// they are too many.
llvm::Error placeShared(llvm::Module &M, Translation &T);

/// Adds ModuleInfo and everything it refers to.
void writeTable(llvm::Module &M, Translation &T);

/// The context of the lane that runs \p F, a value in its entry block.
llvm::Value *laneContext(llvm::Function &F);

/// True if a call of \p F by translated code neither writes to the log nor
/// lets other lanes run.
bool isPlainHostFunction(const llvm::Function &F);

} // namespace ferry::sim

#endif // FERRY_SIM_TRANSLATE_H
