//===- LaunchRemarks.h - What users are told of a launch --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The remarks of ferry-map. Of the three compilations of a file, the host's
// back end, which rewrites the launches, reads bitcode and has no sources to
// point at; so the device's compilation says what will be done, at the kernel,
// and the host's says nothing where the device's has spoken (MapPass.cpp). With
// -o, Clang gives all three one file of records, and what the last one writes
// stays; so both record.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_LAUNCHREMARKS_H
#define FERRY_CLOSURE_LAUNCHREMARKS_H

#include "LaunchPlanner.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DiagnosticInfo.h"

namespace ferry {

/// Whether \p M is compiled with remarks of ferry-map, or records of them.
bool remarksWanted(const llvm::Module &M);

/// Whom to tell: the user and the file of records, or the file alone.
enum class RemarkTarget { User, Record };

/// Tells users of one launch, or of its kernel.
class LaunchRemarks {
public:
  /// \param F the function that has the region, or its kernel.
  /// \param Region the front end's description, or null.
  /// \param Location of the launch, if it has one.
  LaunchRemarks(const llvm::Function &F, const RegionInfo *Region,
                const llvm::DebugLoc &Location = {},
                RemarkTarget Target = RemarkTarget::User);

  /// The launch is left, and why.
  void refused(Refusal R);
  /// What \p Plan does.
  void planned(const PlannedLaunch &Plan);
  /// The pointers that one of \p Device and \p Host, the plans by what the two
  /// versions of the kernel do, has alone.
  void differences(const PlannedLaunch &Device, const PlannedLaunch &Host);

private:
  const llvm::Function &F;
  llvm::OptimizationRemarkEmitter Emitter;
  llvm::DiagnosticLocation Where;
  std::string Name; ///< of the region, or empty
  RemarkTarget Target;

  template <typename Remark, typename Fn>
  void emit(llvm::StringRef Kind, Fn Write);
  void hint(Refusal R);
  void note(const PointerNote &N);
};

} // namespace ferry

#endif // FERRY_CLOSURE_LAUNCHREMARKS_H
