//===- FunctionTypes.cpp - Other parameters for a function ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

Function *moveToParameters(Function &F, ArrayRef<Type *> Types) {
  auto *Ty = FunctionType::get(F.getReturnType(), Types, F.isVarArg());
  Function *New = Function::Create(Ty, F.getLinkage(), F.getAddressSpace());
  F.getParent()->getFunctionList().insert(F.getIterator(), New);
  New->copyAttributesFrom(&F);
  New->copyMetadata(&F, 0);
  F.setSubprogram(nullptr); // it belongs to one function
  New->splice(New->begin(), &F);
  New->takeName(&F);
  for (auto [Old, Mine] : zip(F.args(), New->args())) {
    Mine.takeName(&Old);
    if (Old.getType() == Mine.getType())
      Old.replaceAllUsesWith(&Mine);
  }
  return New;
}

} // namespace ferry
