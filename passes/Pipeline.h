//===- Pipeline.h - Where Ferry's passes run --------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_PIPELINE_H
#define FERRY_PIPELINE_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace ferry {

/// Registers Ferry's passes and analyses by name, and the passes that run by
/// themselves at the pipeline's extension points.
void registerPasses(llvm::PassBuilder &PB);

} // namespace ferry

#endif // FERRY_PIPELINE_H
