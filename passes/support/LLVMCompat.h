//===- LLVMCompat.h - What differs between versions of LLVM -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that asks for the version. Ferry is built and tested with LLVM
// 19; what is here for 22 has been compiled with its headers, no more.
//
// What belongs to Clang is written as templates: the passes do without its
// headers.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_LLVMCOMPAT_H
#define FERRY_SUPPORT_LLVMCOMPAT_H

#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/IRBuilder.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace ferry {

/// Marks the beginning of the life of \p Variable, of \p Bytes bytes.
inline void createLifetimeStart(llvm::IRBuilderBase &B,
                                llvm::AllocaInst *Variable, uint64_t Bytes) {
#if LLVM_VERSION_MAJOR >= 22
  (void)Bytes;
  B.CreateLifetimeStart(Variable);
#else
  B.CreateLifetimeStart(Variable, B.getInt64(Bytes));
#endif
}

/// Marks the end of the life of \p Variable, of \p Bytes bytes.
inline void createLifetimeEnd(llvm::IRBuilderBase &B,
                              llvm::AllocaInst *Variable, uint64_t Bytes) {
#if LLVM_VERSION_MAJOR >= 22
  (void)Bytes;
  B.CreateLifetimeEnd(Variable);
#else
  B.CreateLifetimeEnd(Variable, B.getInt64(Bytes));
#endif
}

inline llvm::TypeBasedAAResult typeBasedAliasAnalysis() {
#if LLVM_VERSION_MAJOR >= 22
  return llvm::TypeBasedAAResult(/*UsingTypeSanitizer=*/false);
#else
  return llvm::TypeBasedAAResult();
#endif
}

/// The expressions that \p Clause of an OpenMP directive lists.
template <typename ClauseT> auto expressionsOf(const ClauseT &Clause) {
#if LLVM_VERSION_MAJOR >= 22
  return Clause.varlist();
#else
  return Clause.varlists();
#endif
}

/// The type that \p Record, of \p Context, declares.
template <typename ContextT, typename RecordT>
auto recordType(const ContextT &Context, const RecordT *Record) {
#if LLVM_VERSION_MAJOR >= 22
  return Context.getCanonicalTagType(Record);
#else
  return Context.getRecordType(Record);
#endif
}

} // namespace ferry

#endif // FERRY_SUPPORT_LLVMCOMPAT_H
