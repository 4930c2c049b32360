//===- Emit.h - From a device module to a shared object of the host -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_EMIT_H
#define FERRY_SIM_EMIT_H

#include "Translate.h"

#include "llvm/Support/CodeGen.h"

namespace ferry::sim {

/// A code generator. Errors if LLVM was built without it.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
makeTarget(llvm::StringRef Triple, llvm::StringRef CPU,
           llvm::StringRef Features, llvm::CodeGenOptLevel Level);

/// The one for this machine. Notes in \p T what it asks of the processor.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
makeHostTarget(Translation &T);

/// Writes \p M to \p Output. It is linked by \p Linker (ld.lld) with \p Driver,
/// the simulator's libcuda.so.1, where the functions that it calls are.
llvm::Error emitSharedObject(llvm::Module &M, llvm::TargetMachine &Host,
                             llvm::StringRef Linker, llvm::StringRef Driver,
                             llvm::StringRef Output);

} // namespace ferry::sim

#endif // FERRY_SIM_EMIT_H
