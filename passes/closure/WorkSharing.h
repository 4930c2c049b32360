//===- WorkSharing.h - A kernel as one thread executes it -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes to the clone of a kernel that make its loops plain ones for scalar
// evolution, and words of captured objects plain values.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_WORKSHARING_H
#define FERRY_CLOSURE_WORKSHARING_H

#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class Function;
class Instruction;
class LoadInst;
} // namespace llvm

namespace ferry {

/// A word of an object that parameter number Argument of a kernel leads to. All
/// offsets in Path but the last are those of pointers to the next object.
struct CapturedWord {
  unsigned Argument;
  std::vector<int64_t> Path;
};

/// Has calls of \p Mark, which do nothing, stay where they are while the clone
/// is simplified.
void keepInPlace(llvm::Function &Mark);

/// The word that \p L loads, if it can be told.
std::optional<CapturedWord> capturedWord(const llvm::LoadInst &L);

/// Stands, in the clone, where a work-sharing loop of the kernel's own
/// construct goes on to another iteration.
inline constexpr char NextIterationFunction[] = "ferry.next_iteration";

/// Has one thread execute the work-sharing loops of \p F alone, and marks the
/// ends of their iterations if the loops are \p Own, the kernel's construct's.
/// To be called before \p F is simplified.
void makeLoopsSerial(llvm::Function &F, bool Own);

/// Reads the integers in captured objects once, at the beginning of \p F, which
/// is inlined and simplified, and marks remainders (a freeze), which scalar
/// evolution would take apart.
///
/// \param KeepReads the reads that were there stay where they are, unused.
void simplifyForRanges(llvm::Function &F, bool KeepReads);

/// Whether \p I is a read at the beginning that simplifyForRanges has made: it
/// does not tell when the program reads.
bool isHoisted(const llvm::Instruction &I);

} // namespace ferry

#endif // FERRY_CLOSURE_WORKSHARING_H
