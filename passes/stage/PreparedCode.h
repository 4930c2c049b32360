//===- PreparedCode.h - A file's device code for staging at the link ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device code of a file, simplified and nothing more, travels to the link in
// its module's metadata:
//
//   define weak_odr protected void @K(...) !ferry.prepared !1
//   !ferry.prepared = !{!2}
//   !1 = !{!"9A3C..."}
//   !2 = !{!"9A3C...", !"BC\C0\DE...", !"counter", ptr @counter, ...}
//
// That is the key of the file's code, the code as bitcode, and what the names
// in it are in the module: a reference follows wherever linking and optimising
// take what it refers to. A function has the key of the file that its
// definition is from, so the link can tell whether that is the one in the code.
//
// Nothing looks at metadata that it does not know. A program that is linked
// without Ferry is as if the file had been compiled without staging.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_PREPAREDCODE_H
#define FERRY_STAGE_PREPAREDCODE_H

#include "ModuleCopy.h"
#include "stage/common/StageOptions.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <vector>

namespace ferry {

/// Adds code to \p M, for kernels that \p Options say may be staged: its own,
/// or that of \p Other, a copy of it that has been simplified otherwise.
void addPreparedCode(llvm::Module &M, const ModuleCopy *Other,
                     const StageOptions &Options);

/// The code of one file of a program.
struct PreparedCode {
  std::unique_ptr<llvm::Module> Code;
  /// What is in the code, and what that is in the program.
  std::vector<std::pair<llvm::GlobalValue *, llvm::GlobalValue *>> Places;
  /// Functions of the code, and of the program, where that is the same one.
  std::vector<std::pair<llvm::Function *, llvm::Function *>> Functions;
};

/// Takes out of \p M, which is a program, what its files have added to it.
std::vector<PreparedCode> takePreparedCode(llvm::Module &M);

/// Takes it out, and forgets it.
void removePreparedCode(llvm::Module &M);

} // namespace ferry

#endif // FERRY_STAGE_PREPAREDCODE_H
