//===- Annotations.cpp - What the front end annotates ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

static constexpr StringLiteral AnnotationsName = "llvm.global.annotations";

/// The annotation string in one element of `llvm.global.annotations`.
static StringRef annotationText(const Value *Element) {
  const auto *S = dyn_cast<ConstantStruct>(Element);
  if (!S || S->getNumOperands() < 2)
    return "";
  const auto *G =
      dyn_cast<GlobalVariable>(S->getOperand(1)->stripPointerCasts());
  if (!G || !G->hasInitializer())
    return "";
  const auto *D = dyn_cast<ConstantDataArray>(G->getInitializer());
  return D && D->isCString() ? D->getAsCString() : "";
}

static const ConstantArray *annotations(const Module &M) {
  const GlobalVariable *G = M.getGlobalVariable(AnnotationsName);
  return G && G->hasInitializer() ? dyn_cast<ConstantArray>(G->getInitializer())
                                  : nullptr;
}

void forEachAnnotation(
    const Module &M, function_ref<void(const GlobalValue *, StringRef)> Visit) {
  if (const ConstantArray *A = annotations(M))
    for (const Value *Element : A->operands())
      if (StringRef Text = annotationText(Element); !Text.empty())
        Visit(dyn_cast<GlobalValue>(cast<ConstantStruct>(Element)
                                        ->getOperand(0)
                                        ->stripPointerCasts()),
              Text);
}

bool removeAnnotations(Module &M, function_ref<bool(StringRef)> Remove) {
  const ConstantArray *A = annotations(M);
  if (!A)
    return false;
  SmallVector<Constant *> Kept;
  SmallSetVector<GlobalVariable *, 16> Strings;
  for (Value *Element : A->operands())
    if (Remove(annotationText(Element)))
      Strings.insert(cast<GlobalVariable>(
          cast<ConstantStruct>(Element)->getOperand(1)->stripPointerCasts()));
    else
      Kept.push_back(cast<Constant>(Element));
  if (Strings.empty())
    return false;
  GlobalVariable *Old = M.getGlobalVariable(AnnotationsName);
  if (!Kept.empty()) {
    auto *Ty = ArrayType::get(Kept.front()->getType(), Kept.size());
    auto *New = new GlobalVariable(M, Ty, /*isConstant=*/false,
                                   GlobalValue::AppendingLinkage,
                                   ConstantArray::get(Ty, Kept));
    New->takeName(Old);
    New->setSection(Old->getSection());
  }
  Old->eraseFromParent();
  for (GlobalVariable *S : Strings) {
    S->removeDeadConstantUsers();
    if (S->use_empty())
      S->eraseFromParent();
  }
  return true;
}

} // namespace ferry
