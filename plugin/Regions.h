//===- Regions.h - Describe target regions to the passes --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_PLUGIN_REGIONS_H
#define FERRY_PLUGIN_REGIONS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <memory>
#include <optional>

namespace ferry {

/// Puts the description (closure/RegionInfo.h) of every target region onto the
/// function that contains it, or, for a device, onto its kernel.
class RegionDescriber {
public:
  /// \p ForRemarks: also with what only remarks need.
  RegionDescriber(clang::ASTContext &Context, bool ForRemarks);

  /// `requires unified_shared_memory` was seen.
  void setUnifiedSharedMemory() { UnifiedSharedMemory = true; }

  /// Describes \p Region, which \p Function contains: the outermost one that is
  /// not a lambda's call operator.
  void describe(const clang::OMPExecutableDirective &Region,
                clang::FunctionDecl &Function);

  /// Notes on the kernel of \p Region, if it is one, what the passes have to
  /// know of its clauses: the assumptions of closure/RegionInfo.h.
  void noteClauses(const clang::OMPExecutableDirective &Region) const;

private:
  clang::ASTContext &Context;
  std::unique_ptr<clang::MangleContext> Mangler;
  bool ForRemarks;
  bool UnifiedSharedMemory = false;
  std::optional<bool> SeveralTargets; ///< unless nobody has asked yet
  llvm::DenseSet<const clang::Stmt *> Described;
  std::map<std::pair<const clang::FunctionDecl *, unsigned>, unsigned> Count;

  bool hasSeveralTargets();
  std::string nameInKernels(const clang::FunctionDecl &F) const;
};

} // namespace ferry

#endif // FERRY_PLUGIN_REGIONS_H
