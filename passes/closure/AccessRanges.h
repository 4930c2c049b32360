//===- AccessRanges.h - Which bytes does a kernel access? -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes that a kernel accesses through a pointer that it loaded from a
// captured object, from the first to the last, as expressions that the launch
// can compute. It works on the clone that AccessPaths.cpp makes, in which one
// thread executes every iteration of the work-sharing loops.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_ACCESSRANGES_H
#define FERRY_CLOSURE_ACCESSRANGES_H

#include "RangeExpression.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace llvm {
class BasicBlock;
class DominatorTree;

class ICmpInst;
class Instruction;
class Loop;
class LoopInfo;
class SCEV;
class SCEVAddRecExpr;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace ferry {

/// Takes the launch environment, which is not in a kernel's host version, out
/// of the count of arguments in \p Range.
void countAsOnHost(AccessRange &Range);

/// Computes the ranges of one kernel.
class AccessRanges {
public:
  AccessRanges(llvm::ScalarEvolution &SE, llvm::LoopInfo &Loops,
               llvm::DominatorTree &Dominators)
      : SE(SE), Loops(Loops), Dominators(Dominators) {}

  /// The first and the last byte of one access, or of several.
  struct Bounds {
    RangeTable::Term First, Last;
  };

  /// The bytes from \p Pointer on, \p Size in number unless \p Access is a
  /// memory intrinsic with another length, relative to \p Base.
  std::optional<Bounds> access(llvm::Instruction &Access, llvm::Value *Pointer,
                               llvm::Value *Base, uint64_t Size);

  /// \p Offset to \p Offset + \p Size - 1, for an access at a known place.
  std::optional<Bounds> accessAt(llvm::Instruction &Access, int64_t Offset,
                                 uint64_t Size);

  /// \p B, moved by \p Offset bytes.
  Bounds shifted(Bounds B, int64_t Offset);

  /// Both of them.
  Bounds united(Bounds A, Bounds B);

  /// \p B as plain data, unless it is too large.
  std::optional<AccessRange> range(Bounds B) const;

  /// \p S, an i64, if it is the same throughout the kernel and the launch can
  /// compute it: as a range that ends where it begins.
  std::optional<AccessRange> value(const llvm::SCEV *S);

  /// In the same way, what the launch knows of its blocks: BlockClauses or
  /// BlockThreads.
  std::optional<AccessRange> ofLaunch(RangeTerm::KindTy Kind);

  /// Bytes that are accessed if Guard is not negative.
  struct CertainBounds {
    Bounds Accessed;
    RangeTable::Term Guard;
    /// Where the pointer lies in its table, if that was asked for.
    std::optional<RangeTable::Term> Word;
  };

  /// Where in a table a pointer was loaded: at Address, relative to Table.
  struct TableWord {
    llvm::Value *Address, *Table;
  };

  /// What \p Access surely accesses of the \p Size bytes from \p Pointer on,
  /// relative to \p Base: in the first round of all loops around it and in the
  /// last one, as far as either is known (CertainAccesses.cpp).
  ///
  /// With \p Word, that of the pointer \p Base: in the first and the last round
  /// of the loops that choose the word, and of these each in the first and the
  /// last round of the others.
  llvm::SmallVector<CertainBounds, 4>
  certain(llvm::Instruction &Access, llvm::Value *Pointer, llvm::Value *Base,
          uint64_t Size, std::optional<TableWord> Word = std::nullopt);

  /// \p C as plain data, which is empty where its guard does not hold.
  std::optional<AccessRange> range(CertainBounds C);

private:
  using Term = RangeTable::Term;

  /// A range of more terms is not worth computing at each launch.
  static constexpr size_t MaxTerms = 160;
  /// A bound for generated code: terms of all ranges of a kernel, and steps.
  static constexpr size_t MaxTableTerms = 16384;
  static constexpr unsigned MaxSteps = 40000;
  static constexpr unsigned MaxDepth = 32;

  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &Loops;
  llvm::DominatorTree &Dominators;
  RangeTable Table;
  unsigned Steps = 0;
  unsigned Depth = 0;

  bool exhausted();
  unsigned widthOf(const llvm::SCEV *S) const;

  /// Where values that differ between rounds of loops are looked at: when At is
  /// executed in the first round of all loops around it, or in the last one.
  /// Those that choose the word of a table are in a round of their own.
  struct RoundOf {
    llvm::BasicBlock *At;
    bool IsFirst;
    bool ChoosersAreFirst = true;
    llvm::SmallPtrSet<const llvm::Loop *, 2> Choosers;

    bool isFirstOf(const llvm::Loop &L) const {
      return Choosers.contains(&L) ? ChoosersAreFirst : IsFirst;
    }
  };
  std::optional<RoundOf> Round;

  std::optional<Term> lastRound(const llvm::Loop &L);
  std::optional<Term> pointInRound(const llvm::SCEVAddRecExpr &R);
  std::optional<Term> guardOf(llvm::CmpInst::Predicate P, llvm::Value *Left,
                              llvm::Value *Right);
  std::optional<Term> guardOf(llvm::Value *V, bool Holds);
  bool leadsTo(llvm::BasicBlock *From, llvm::BasicBlock *To,
               llvm::BasicBlock *At) const;
  std::optional<Term> guard();

  // --- values that are the same throughout the kernel, or in a round ------
  std::optional<Term> point(const llvm::SCEV *S);
  std::optional<Term> pointOf(llvm::Value *V);
  std::optional<Term> pointOfInstruction(llvm::Instruction &I);

  // --- conditions ---------------------------------------------------------
  /// Left is at most Right, or at least Right. Both have the same type.
  struct Condition {
    const llvm::SCEV *Left;
    const llvm::SCEV *Right;
    bool AtMost;
    bool Strict; ///< and not equal to it
  };
  using Conditions = llvm::SmallVector<Condition, 4>;
  llvm::DenseMap<const llvm::BasicBlock *, Conditions> KnownConditions;

  const Conditions &conditions(llvm::BasicBlock *At);
  void addCondition(llvm::ICmpInst &Compare, bool Holds, Conditions &Result);
  Bounds narrowed(Bounds B, const Condition &C, Term Offset, bool Negated);
  Bounds narrowedValue(Bounds B, const llvm::SCEV *S, llvm::BasicBlock *At);

  // --- values that differ between iterations ----------------------------
  std::optional<Bounds> bounds(const llvm::SCEV *S, llvm::BasicBlock *At);
  std::optional<Bounds> boundsOfAdd(const llvm::SCEV *S, llvm::BasicBlock *At);
  std::optional<Bounds> boundsOfMul(const llvm::SCEV *S, llvm::BasicBlock *At);
  std::optional<Bounds> boundsOfChoice(const llvm::SCEV *S,
                                       llvm::BasicBlock *At);
  std::optional<Bounds> boundsOfDivision(const llvm::SCEV *S,
                                         llvm::BasicBlock *At);
  std::optional<Bounds> boundsOfZeroExtension(const llvm::SCEV *S,
                                              llvm::BasicBlock *At);
  std::optional<Bounds> boundsOfRecurrence(const llvm::SCEVAddRecExpr &R,
                                           llvm::BasicBlock *At);
  struct Demand {
    const llvm::SCEV *Of;
    unsigned Bits;
    bool Signed;
  };
  using Demands = llvm::SmallVector<Demand>;
  const llvm::SCEV *widened(const llvm::SCEV *S, Demands &Checked);
  std::optional<Bounds> demanding(Bounds B, const Demands &Checked,
                                  llvm::BasicBlock *At);
  std::optional<Bounds> boundsOfValue(llvm::Value *V, llvm::BasicBlock *At);
  std::optional<Bounds> boundsOfRemainder(llvm::Instruction &I,
                                          llvm::BasicBlock *At);
  std::optional<Bounds> boundsAtScope(llvm::Value *V, llvm::BasicBlock *At);
  Bounds scaled(Bounds B, Term Factor);
  Bounds fitting(Bounds B, unsigned Bits, bool Signed);

  /// How often a loop can have come round when \p At is reached: Count, or one
  /// less.
  struct Rounds {
    const llvm::SCEV *Count;
    bool OneLess;
  };
  std::optional<Rounds> rounds(const llvm::Loop &L, llvm::BasicBlock *At);
  Bounds narrowedRounds(Bounds B, const llvm::Loop &L, llvm::BasicBlock *At);
  const llvm::SCEV *lastValue(const llvm::SCEVAddRecExpr &R, Rounds Count,
                              Demands &Checked);
};

} // namespace ferry

#endif // FERRY_CLOSURE_ACCESSRANGES_H
