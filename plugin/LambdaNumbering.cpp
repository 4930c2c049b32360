//===- LambdaNumbering.cpp - The same lambda names everywhere -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LambdaNumbering.h"
#include "simulator/LambdaPlaces.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace ferry {

/// Above any number that Clang gives by itself.
static constexpr unsigned FirstNumber = 1000000;

void LambdaNumbering::number(CXXRecordDecl *Lambda) {
  if (Lambda->isDependentContext() || Lambda->getLambdaManglingNumber() > 0)
    return;
  // The offset of the expansion in its file. Several lambdas of one macro share
  // it and are told apart by the order in which they stand there.
  const SourceManager &SM = Context.getSourceManager();
  unsigned N =
      FirstNumber + SM.getDecomposedExpansionLoc(Lambda->getLocation()).second;
  auto &Numbers = Used[Lambda->getDeclContext()->getPrimaryContext()];
  while (!Numbers.insert(N).second)
    ++N;
  CXXRecordDecl::LambdaNumbering Numbering;
  Numbering.ContextDecl = Lambda->getLambdaContextDecl();
  Numbering.IndexInContext = Lambda->getLambdaIndexInContext();
  Numbering.DeviceManglingNumber = N;
  Numbering.ManglingNumber = N;
  Numbering.HasKnownInternalLinkage = true;
  Lambda->setLambdaNumbering(Numbering);
}

/// The lambda in whose body \p Lambda is, or null.
static const CXXRecordDecl *enclosingLambda(const CXXRecordDecl &Lambda) {
  for (const DeclContext *C = Lambda.getDeclContext(); C; C = C->getParent())
    if (const auto *R = dyn_cast<CXXRecordDecl>(C); R && R->isLambda())
      return R;
  return nullptr;
}

void LambdaNumbering::describe(CXXMethodDecl &CallOperator) {
  if (!KeepPlaces || CallOperator.isDependentContext() ||
      !Described.insert(&CallOperator).second)
    return;
  const SourceManager &SM = Context.getSourceManager();
  for (const CXXRecordDecl *L = CallOperator.getParent(); L;
       L = enclosingLambda(*L)) {
    PresumedLoc Loc = SM.getPresumedLoc(SM.getExpansionLoc(L->getLocation()));
    const unsigned Number = L->getLambdaManglingNumber();
    if (Number >= FirstNumber && Loc.isValid())
      CallOperator.addAttr(AnnotateAttr::CreateImplicit(
          Context, toAnnotation({Number, Loc.getLine(), Loc.getFilename()}),
          nullptr, 0));
  }
}

} // namespace ferry
