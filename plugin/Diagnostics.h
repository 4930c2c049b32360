//===- Diagnostics.h - Warnings about target regions ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_PLUGIN_DIAGNOSTICS_H
#define FERRY_PLUGIN_DIAGNOSTICS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/DenseSet.h"
#include <string>
#include <vector>

namespace ferry {

/// Which warnings are on, by the plugin's arguments.
struct WarningOptions {
  /// A region's lambda uses a global that is not on the device.
  bool HostGlobal = true;
  /// A region captures a container by value that owns host memory.
  bool OwningCapture = false;

  /// Reads `-W<name>` or `-Wno-<name>`. \returns whether \p Argument is one.
  bool parse(llvm::StringRef Argument);
};

/// Warns about captures of target regions that cannot work on the device.
class RegionDiagnostics {
public:
  RegionDiagnostics(clang::ASTContext &Context, WarningOptions Options);

  void check(const clang::OMPExecutableDirective &Region);

private:
  clang::ASTContext &Context;
  WarningOptions Options;
  unsigned HostGlobalId;
  unsigned OwningCaptureId;
  unsigned CapturedInId;
  llvm::DenseSet<std::pair<const void *, const void *>> Reported;

  void checkHostGlobals(const clang::CXXRecordDecl &Lambda,
                        clang::SourceLocation Region);
  void checkOwning(clang::QualType T, llvm::StringRef Name,
                   clang::SourceLocation At, clang::SourceLocation Region);
};

} // namespace ferry

#endif // FERRY_PLUGIN_DIAGNOSTICS_H
