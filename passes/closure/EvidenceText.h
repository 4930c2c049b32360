//===- EvidenceText.h - Access paths and words as JSON ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How what the device's compilation found out travels to the host's. Both are
// of one version of Ferry, so that nothing has to be understood but what these
// functions write; what they did not write is refused.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_EVIDENCETEXT_H
#define FERRY_CLOSURE_EVIDENCETEXT_H

#include "KernelParameters.h"
#include "KernelVersions.h"
#include "PathNode.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace ferry {

/// Writes \p Paths as a value.
void writePaths(llvm::json::OStream &J, llvm::ArrayRef<PathNode> Paths);

/// The paths that \p Roots describes, or nothing if it is malformed. Numbers of
/// comparisons are moved up by \p FirstComparison.
std::optional<KernelPaths> readPaths(const llvm::json::Array &Roots,
                                     unsigned FirstComparison);

/// Writes \p Words as a value.
void writeWords(llvm::json::OStream &J, const KernelWords &Words);

/// The words that \p List describes, or nothing if it is malformed.
std::optional<KernelWords> readWords(const llvm::json::Array &List);

/// Writes \p Choice as a value.
void writeChoice(llvm::json::OStream &J, const VersionChoice &Choice);

/// The choice that \p List describes, or nothing if it is malformed.
std::optional<VersionChoice> readChoice(const llvm::json::Array &List);

} // namespace ferry

#endif // FERRY_CLOSURE_EVIDENCETEXT_H
