//===- StencilAnalysis.h - What iterations read around them -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STENCILANALYSIS_H
#define FERRY_STAGE_STENCILANALYSIS_H

#include "StencilPlan.h"
#include "stage/common/Guards.h"

namespace ferry {

/// Finds the stencil in the loop of a thread, with fields of one plane each or
/// \p AcrossPlanes.
class StencilFinder : SpaceFinder {
public:
  StencilFinder(llvm::Function &F, llvm::DominatorTree &DT,
                llvm::PostDominatorTree &PDT, llvm::ScalarEvolution &SE,
                bool AcrossPlanes = false)
      : SpaceFinder(N, F, DT, PDT, SE), AcrossPlanes(AcrossPlanes),
        Polynomials(
            F.getDataLayout(), [this](llvm::Value *V) { return known(*V); },
            [this](llvm::Value *V) {
              return isInvariant(V) && isGridUniform(V);
            }) {}

  using SpaceFinder::refusals;
  bool find(llvm::Loop &ThreadLoop, KernelStencil &Found);

private:
  /// How far from its own element an iteration reads.
  static constexpr int MaxDistance = 8;

  KernelStencil N;
  const bool AcrossPlanes;
  IndexPolynomials Polynomials;
  llvm::SmallVector<Polynomial, 2> Addresses; ///< of the fields' first loads
  llvm::LoadInst *ReadAgain = nullptr; ///< of an array that another one reads

  /// Whether \p I is p, i, j, the index, or that in a plane.
  bool isPosition(llvm::Instruction *I) const {
    return N.isInPlane(I) || N.PlaneIndices.contains(I);
  }
  MaybePolynomial known(llvm::Value &V);
  llvm::SmallSetVector<llvm::Instruction *, 16> partsOf(llvm::Value *Condition);
  bool isGuard(llvm::Value *Condition);
  StencilGuards withDimensions(const GuardList &Guards);
  bool isWrittenBefore(llvm::BasicBlock *Block);
  /// Which loads of an iteration are looked at: those that tiles can read
  /// before it begins; also those behind what it writes; or also those behind
  /// branches that cannot be asked before.
  enum class Reach { Before, BehindWrites, BehindBranches };
  void findFields(Reach Of);
  bool refuseLate();
  bool readsOtherPlanes();
  void findAccesses();
  void addLoad(llvm::LoadInst &Load);
  static std::optional<StencilOffset> inPlane(const StencilField &Field,
                                              const MaybePolynomial &Bytes);
  static std::optional<StencilOffset> nearby(const StencilField &Field,
                                             const Polynomial &PlaneStride,
                                             const Polynomial &Bytes);
  bool joins(StencilField &Field, const Polynomial &First, llvm::LoadInst &Load,
             const Polynomial &Address);
  bool isOfOtherPlane(const StencilField &Field, const Polynomial &Address,
                      const Polynomial &Other);
  bool isUseful(const StencilField &Field) const;
};

/// The same with fields across planes.
class VolumeFinder : public StencilFinder {
public:
  VolumeFinder(llvm::Function &F, llvm::DominatorTree &DT,
               llvm::PostDominatorTree &PDT, llvm::ScalarEvolution &SE)
      : StencilFinder(F, DT, PDT, SE, /*AcrossPlanes=*/true) {}
};

} // namespace ferry

#endif // FERRY_STAGE_STENCILANALYSIS_H
