//===- KernelClone.h - Kernels as the analysis reads them -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clone that PathWalk.cpp walks: all that the kernels may execute, with
// the calls of OpenMP's runtimes that lead to outlined functions made direct.
//
// A load whose value nobody needs is executed all the same where the program is
// not optimised, or not inlined as the clone is; so a call keeps each of them
// alive while the clone is simplified.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_KERNELCLONE_H
#define FERRY_CLOSURE_KERNELCLONE_H

#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace ferry {

/// A copy of what \p Kernels of \p M, a host's or a device's module, may
/// execute. Every function but the kernels is to be inlined.
///
/// \param KeepLines instructions keep their lines.
std::unique_ptr<llvm::Module>
cloneKernels(const llvm::Module &M,
             llvm::ArrayRef<const llvm::Function *> Kernels, bool KeepLines);

/// No longer keeps the loads in \p F whose values are addresses of its own
/// variables. \returns whether there were any.
bool forgetOwnAddresses(llvm::Function &F);

/// Makes the loads in \p F from copies of captured objects loads of the
/// objects, where nobody writes the copies. A load may be later than the copy
/// then.
void readOriginals(llvm::Function &F);

/// No longer keeps any load in \p F, nor marks iterations.
void forgetMarks(llvm::Function &F);

} // namespace ferry

#endif // FERRY_CLOSURE_KERNELCLONE_H
