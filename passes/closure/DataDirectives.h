//===- DataDirectives.h - Directives that map and update data ---*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_DATADIRECTIVES_H
#define FERRY_CLOSURE_DATADIRECTIVES_H

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace ferry {

/// Tells the launch runtime of every `target enter data`, `target data` and
/// `target update` in \p M, before it takes effect.
///
/// \returns whether \p M has one that was not watched before.
bool watchDataDirectives(llvm::Module &M);

/// The same for the maps of \p Launch, which stays as it is otherwise.
///
/// \returns whether it was not watched before.
bool watchLaunch(llvm::CallBase &Launch);

} // namespace ferry

#endif // FERRY_CLOSURE_DATADIRECTIVES_H
