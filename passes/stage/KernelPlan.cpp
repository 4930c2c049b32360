//===- KernelPlan.cpp - What is staged in a kernel ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "StageNotes.h"
#include "closure/AccessRanges.h"
#include "stage/common/KernelInstructions.h"
#include "stage/common/LaunchValues.h"
#include "stage/common/StageRemarks.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

/// Asks one pattern; whether it has a plan.
template <typename Plan>
static bool ask(const PlanContext &C, const PlanContext &Simplified,
                KernelPlan &Result) {
  const PlanContext &Asked = Plan::NeedsSimpleLoops ? Simplified : C;
  std::vector<StageNote> Notes;
  std::optional<Plan> Found = findPlan<Plan>(Asked, Notes);
  if (std::is_same_v<Plan, RowPlan>)
    describeIterations(Notes, Asked);
  if (Found) {
    // What other patterns could not do does not matter now.
    Result.Pattern = std::move(*Found);
    Result.Notes.clear();
  }
  addNotes(Result.Notes, std::move(Notes));
  return Result.Pattern.has_value();
}

template <typename... Plans>
static void askAll(const PlanContext &C, const PlanContext &Simplified,
                   KernelPlan &Result, const std::variant<Plans...> *) {
  (ask<Plans>(C, Simplified, Result) || ...);
}

bool KernelPlan::needsSimpleLoops() const {
  return Pattern &&
         std::visit([](const auto &P) { return P.NeedsSimpleLoops; }, *Pattern);
}

/// Whether \p F, which is called, has a loop and reads memory that could be
/// staged.
static bool readsInLoops(const Function &F) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> BackEdges;
  if (F.isDeclaration())
    return false;
  FindFunctionBackedges(F, BackEdges);
  return !BackEdges.empty() &&
         any_of(instructions(F), [](const Instruction &I) {
           auto *Load = dyn_cast<LoadInst>(&I);
           return Load && mayBeGlobalMemory(Load->getPointerOperand());
         });
}

/// That \p Kernel runs such a function, itself or as a parallel region that the
/// device runtime begins, if it does.
static std::optional<StageNote> noteCalledLoops(const Function &Kernel) {
  auto IsRegion = [](const Value *V) {
    auto *F = dyn_cast<Function>(V);
    return F && readsInLoops(*F);
  };
  for (const Instruction &I : instructions(Kernel)) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee)
      continue;
    if (!Callee->getName().starts_with("__kmpc_")) {
      if (readsInLoops(*Callee))
        return noteInstruction(I, StageRefusal::CalledLoops);
    } else if (any_of(Call->args(), IsRegion)) {
      return StageNote{&I, StageRefusal::CalledLoops, "a parallel region"};
    }
  }
  return std::nullopt;
}

KernelPlan decide(const PlanContext &C, const PlanContext &Simplified) {
  // The first that pays is taken: nests and stencils save what rows save and
  // more, where they apply.
  KernelPlan Result;
  askAll(C, Simplified, Result, static_cast<const PatternPlan *>(nullptr));
  if (!Result.Pattern)
    if (std::optional<StageNote> Note = noteCalledLoops(C.Kernel))
      Result.Notes.push_back(std::move(*Note));
  return Result;
}

/// \p S with words as the launch gives them to the kernel.
static const SCEV *withParameters(const SCEV *S, ScalarEvolution &SE) {
  ValueToSCEVMapTy Parameters;
  SCEVExprContains(S, [&](const SCEV *Part) {
    if (auto *U = dyn_cast<SCEVUnknown>(Part))
      if (const Argument *A = parameterOf(U->getValue()))
        Parameters[U->getValue()] = SE.getSCEV(const_cast<Argument *>(A));
    return false;
  });
  return SCEVParameterRewriter::rewrite(S, SE, Parameters);
}

VersionChoice choiceOf(const KernelPlan &Plan, const PlanContext &Original,
                       const PlanContext &Simplified) {
  if (!Plan.Pattern)
    return {};
  const PlanContext &C = Plan.needsSimpleLoops() ? Simplified : Original;
  LaunchChoice Conditions = std::visit(
      [&](const auto &P) { return worthwhile(P, C); }, *Plan.Pattern);
  const bool AsksThreads = C.asksBlockThreads();
  if (AsksThreads && Conditions.empty())
    Conditions.emplace_back();
  AccessRanges AtLaunch(C.SE, C.LI, C.DT);
  auto ValueOf = [&](const SCEV *S) {
    return S ? AtLaunch.value(withParameters(S, C.SE))
             : AtLaunch.ofLaunch(RangeTerm::BlockClauses);
  };
  VersionChoice Choice;
  for (const LaunchConditions &All : Conditions) {
    LaunchDemands &Demands = Choice.emplace_back();
    for (const LaunchCondition &Condition : All)
      if (auto Value = ValueOf(Condition.Value)) {
        countAsOnHost(*Value);
        Demands.push_back({std::move(*Value), Condition.Least, Condition.Most});
      }
    if (AsksThreads)
      Demands.push_back({*AtLaunch.ofLaunch(RangeTerm::BlockThreads),
                         C.Limits.minThreads(), C.Limits.MaxThreads});
    if (Demands.empty())
      return {};
  }
  return Choice;
}

void print(raw_ostream &OS, ArrayRef<StageNote> Notes) {
  for (const StageNote &N : Notes) {
    OS << "  left (" << refusalName(N.Why) << "):" << *N.Where;
    if (!N.Detail.empty())
      OS << "  ; " << N.Detail;
    OS << "\n";
  }
}

void print(raw_ostream &OS, const KernelPlan &Plan) {
  if (Plan.Pattern)
    std::visit([&](const auto &P) { print(OS, P); }, *Plan.Pattern);
  print(OS, Plan.Notes);
}

void remark(OptimizationRemarkEmitter &ORE, const KernelPlan &Plan) {
  if (Plan.Pattern)
    std::visit([&](const auto &P) { remark(ORE, P); }, *Plan.Pattern);
  remarkLeft(ORE, Plan.Notes);
}

void emit(const KernelPlan &Plan, const PlanContext &C) {
  if (Plan.Pattern)
    std::visit([&](const auto &P) { emit(P, C); }, *Plan.Pattern);
}

} // namespace ferry
