//===- Retire.h - Functions whose address is not used again -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's NVPTX backend remembers by its address what `nvvm.annotations` say of
// a function: whether it is a kernel, and of how many threads. It asks once, of
// most functions when the pipeline begins (NVVMIntrRange.cpp), and forgets
// nothing until code has been generated (NVPTXUtilities.cpp, LLVM 19). A
// function that is created where an erased one was is then taken for that: a
// kernel is no kernel, and missing in the image, or has another one's limit of
// threads. So what Ferry takes out of a module keeps its memory until the
// context ends, and a copy of a kernel is asked for (isTakenFor()), since LLVM
// erases functions as well.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_RETIRE_H
#define FERRY_SUPPORT_RETIRE_H

#include <memory>

namespace llvm {
class Function;
class Module;
class TargetTransformInfo;
} // namespace llvm

namespace ferry {

/// Takes \p F, which nothing uses, out of its module for good.
void retire(llvm::Function &F);

/// The same for all of \p M.
void retire(std::unique_ptr<llvm::Module> M);

/// Whether the backend of \p Target takes \p Copy for a kernel if \p Kernel is
/// one, of which it is a copy with the same annotations. If not, it is where a
/// function was that LLVM has erased.
bool isTakenFor(const llvm::Function &Copy, const llvm::Function &Kernel,
                const llvm::TargetTransformInfo &Target);

} // namespace ferry

#endif // FERRY_SUPPORT_RETIRE_H
