//===- LLVMCompat.h - What differs between versions of LLVM -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that asks for the version: Ferry is built and tested with LLVM
// 19 and 22. What differs in the interface to libomptarget is in OffloadABI.h.
//
// What belongs to Clang is written as templates: the passes do without its
// headers.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_LLVMCOMPAT_H
#define FERRY_SUPPORT_LLVMCOMPAT_H

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
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

/// Makes code of scalar evolution's expressions, in new values whose names
/// begin with \p Name.
struct ExpressionExpander : llvm::SCEVExpander {
#if LLVM_VERSION_MAJOR >= 22
  ExpressionExpander(llvm::ScalarEvolution &SE, const llvm::DataLayout &,
                     const char *Name)
      : SCEVExpander(SE, Name) {}
#else
  ExpressionExpander(llvm::ScalarEvolution &SE, const llvm::DataLayout &DL,
                     const char *Name)
      : SCEVExpander(SE, DL, Name) {}
#endif
};

/// Which comparison a pattern (m_ICmp) has found.
#if LLVM_VERSION_MAJOR >= 22
using ComparePredicate = llvm::CmpPredicate;
#else
using ComparePredicate = llvm::ICmpInst::Predicate;
#endif

/// The variable indices of an address, and how many bytes one step of each is.
#if LLVM_VERSION_MAJOR >= 22
using ScaledIndices = llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4>;
#else
using ScaledIndices = llvm::MapVector<llvm::Value *, llvm::APInt>;
#endif

/// What LLVM's uniformity analysis asks of a target. \p AnswersT derives from
/// this and has isSourceOfDivergence(const llvm::Value *).
template <typename AnswersT>
struct UniformityAnswers : llvm::TargetTransformInfoImplCRTPBase<AnswersT> {
  using llvm::TargetTransformInfoImplCRTPBase<
      AnswersT>::TargetTransformInfoImplCRTPBase;
#if LLVM_VERSION_MAJOR >= 22
  UniformityAnswers(const llvm::DataLayout &DL)
      : llvm::TargetTransformInfoImplCRTPBase<AnswersT>(DL) {}
  bool hasBranchDivergence(const llvm::Function * = nullptr) const override {
    return true;
  }
  llvm::InstructionUniformity
  getInstructionUniformity(const llvm::Value *V) const override {
    return static_cast<const AnswersT *>(this)->isSourceOfDivergence(V)
               ? llvm::InstructionUniformity::NeverUniform
               : llvm::InstructionUniformity::Default;
  }
#else
  bool hasBranchDivergence(const llvm::Function * = nullptr) const {
    return true;
  }
#endif
};

/// Whether the NVPTX backend remembers what metadata says of a function by its
/// address (Retire.h). Later it is in the function itself.
inline constexpr bool RemembersFunctions = LLVM_VERSION_MAJOR < 22;

/// Whether \p V differs between threads, as \p Target has it.
inline bool isDivergent(const llvm::TargetTransformInfo &Target,
                        const llvm::Value &V) {
#if LLVM_VERSION_MAJOR >= 22
  return Target.getInstructionUniformity(&V) ==
         llvm::InstructionUniformity::NeverUniform;
#else
  return Target.isSourceOfDivergence(&V);
#endif
}

/// A target that gives \p Answers, and else knows nothing.
template <typename AnswersT>
llvm::TargetTransformInfo targetInfo(AnswersT Answers) {
#if LLVM_VERSION_MAJOR >= 22
  return llvm::TargetTransformInfo(
      std::make_unique<const AnswersT>(std::move(Answers)));
#else
  return llvm::TargetTransformInfo(std::move(Answers));
#endif
}

/// Whether \p Call is a barrier for all threads of a block on an NVIDIA GPU.
inline bool isNVPTXBlockBarrier(const llvm::IntrinsicInst &Call) {
#if LLVM_VERSION_MAJOR >= 22
  // 22 reads llvm.nvvm.barrier0 as this one's barrier 0.
  auto *Number = Call.getIntrinsicID() ==
                         llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all
                     ? llvm::dyn_cast<llvm::ConstantInt>(Call.getArgOperand(0))
                     : nullptr;
  return Number && Number->isZero();
#else
  return Call.getIntrinsicID() == llvm::Intrinsic::nvvm_barrier0;
#endif
}

/// Whether the NVIDIA intrinsic \p Name, without "llvm.nvvm.", is a barrier for
/// all threads of a block that gives each of them the same value.
inline bool isNVPTXBlockReduction(llvm::StringRef Name) {
#if LLVM_VERSION_MAJOR >= 22
  return Name.starts_with("barrier.cta.red.") && Name.ends_with(".all");
#else
  return Name.starts_with("barrier0.");
#endif
}

/// Whether OpenMPIRBuilder::readThreadBoundsForKernel can be asked about the
/// kernels of \p M. That of 19 would add an empty list to modules for NVIDIA
/// GPUs without annotations.
inline bool canReadThreadBounds(const llvm::Module &M) {
#if LLVM_VERSION_MAJOR >= 22
  (void)M;
  return true;
#else
  return !llvm::Triple(M.getTargetTriple()).isNVPTX() ||
         M.getNamedMetadata("nvvm.annotations");
#endif
}

/// The text of the target of \p M.
inline std::string targetTripleOf(const llvm::Module &M) {
  return llvm::Triple(M.getTargetTriple()).str();
}

/// \p T as LLVM's interfaces for targets take it.
#if LLVM_VERSION_MAJOR >= 22
inline const llvm::Triple &targetName(const llvm::Triple &T) { return T; }
#else
inline const std::string &targetName(const llvm::Triple &T) { return T.str(); }
#endif

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
