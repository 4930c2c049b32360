//===- LambdaPlaces.cpp - Where the lambdas of a program are --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LambdaPlaces.h"
#include "support/Annotations.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

/// Behind it: <number>:<line>:<file>.
static constexpr StringLiteral Prefix = "ferry.lambda:";
static constexpr StringLiteral MetadataName = "ferry.lambdas";

std::string toAnnotation(const LambdaPlace &Place) {
  return (Prefix + Twine(Place.Number) + ":" + Twine(Place.Line) + ":" +
          Place.File)
      .str();
}

static bool fromAnnotation(StringRef Text, LambdaPlace &Place) {
  if (!Text.consume_front(Prefix) || Text.consumeInteger(10, Place.Number) ||
      !Text.consume_front(":") || Text.consumeInteger(10, Place.Line) ||
      !Text.consume_front(":"))
    return false;
  Place.File = Text.str();
  return true;
}

PreservedAnalyses LambdaPlacesPass::run(Module &M, ModuleAnalysisManager &) {
  LLVMContext &C = M.getContext();
  auto Number = [&](uint32_t N) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), N));
  };
  forEachAnnotation(M, [&](const GlobalValue *, StringRef Text) {
    LambdaPlace Place;
    if (fromAnnotation(Text, Place))
      M.getOrInsertNamedMetadata(MetadataName)
          ->addOperand(MDNode::get(C, {Number(Place.Number), Number(Place.Line),
                                       MDString::get(C, Place.File)}));
  });
  return removeAnnotations(
             M, [](StringRef Text) { return Text.starts_with(Prefix); })
             ? PreservedAnalyses::none()
             : PreservedAnalyses::all();
}

std::vector<LambdaPlace> lambdaPlaces(const Module &M) {
  std::vector<LambdaPlace> Places;
  const NamedMDNode *Nodes = M.getNamedMetadata(MetadataName);
  if (!Nodes)
    return Places;
  for (const MDNode *N : Nodes->operands()) {
    if (N->getNumOperands() != 3)
      continue;
    auto *Number = mdconst::dyn_extract<ConstantInt>(N->getOperand(0));
    auto *Line = mdconst::dyn_extract<ConstantInt>(N->getOperand(1));
    auto *File = dyn_cast<MDString>(N->getOperand(2));
    if (Number && Line && File)
      Places.push_back({static_cast<uint32_t>(Number->getZExtValue()),
                        static_cast<uint32_t>(Line->getZExtValue()),
                        File->getString().str()});
  }
  return Places;
}

} // namespace ferry
