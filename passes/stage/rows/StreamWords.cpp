//===- StreamWords.cpp - In which words a stream is copied ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of struct { double X; int Kind; } a loop reads 12 of 16 bytes. In words of 4
// these are three; with the padding behind them they are two of 8, or one of 16
// where a launch's rows are aligned to that:
//
//   load double, ptr %x             offset 0, align 8  }
//   load i32, ptr %kind             offset 8, align 8  }  window 12 -> 16
//
// That bytes are padding is known from the loads' access tags (LLVM Language
// Reference, "tbaa Metadata"): the type that a tag begins with has a list of
// the offsets of its fields.
//
//===----------------------------------------------------------------------===//

#include "StreamWords.h"
#include "RowPlan.h"
#include "stage/common/GpuModel.h"
#include "stage/common/KernelInstructions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ferry {

/// The least offset above \p Offset at which a field of \p Type begins, which
/// is itself at \p At; \p Next if there is none below it.
static uint64_t nextField(const MDNode &Type, uint64_t At, uint64_t Offset,
                          uint64_t Next) {
  for (unsigned I = 1; I + 1 < Type.getNumOperands(); I += 2) {
    auto *Field = dyn_cast<MDNode>(Type.getOperand(I));
    auto *Begin = mdconst::dyn_extract<ConstantInt>(Type.getOperand(I + 1));
    if (!Field || !Begin)
      return Offset; // of a form that is not known: any byte may be a field
    const uint64_t Here = At + Begin->getZExtValue();
    if (Here > Offset)
      Next = std::min(Next, Here);
    Next = std::min(Next, nextField(*Field, Here, Offset, Next));
  }
  return Next;
}

/// Whether the bytes between what \p L reads and \p End, an offset as that of
/// \p L is, are padding of the record of which \p L reads a field.
static bool isPadding(const StreamLoad &L, uint64_t End) {
  const MDNode *Tag = L.Load->getMetadata(LLVMContext::MD_tbaa);
  if (!Tag || Tag->getNumOperands() < 3 ||
      Tag->getOperand(0) == Tag->getOperand(1))
    return false;
  auto *Record = dyn_cast<MDNode>(Tag->getOperand(0));
  auto *Field = mdconst::dyn_extract<ConstantInt>(Tag->getOperand(2));
  if (!Record || !Field)
    return false;
  const uint64_t Offset = Field->getZExtValue();
  const uint64_t Gap = Offset + (End - L.Offset);
  return nextField(*Record, 0, Offset, Gap) == Gap;
}

/// Where what \p L reads ends, an offset as its own.
static uint64_t endOf(const StreamLoad &L) {
  return L.Offset + accessBytes(*L.Load);
}

/// Whether \p B reads beyond what \p A does.
static bool endsBefore(const StreamLoad &A, const StreamLoad &B) {
  return endOf(A) < endOf(B);
}

void chooseWord(Stream &S) {
  // All loads are done in each iteration.
  uint64_t Aligned = 1;
  for (const StreamLoad &L : S.Loads)
    Aligned = std::max(Aligned, MinAlign(L.Load->getAlign().value(), L.Offset));
  Aligned = MinAlign(Aligned, std::abs(S.ConstantStep.value_or(0)));
  Aligned = std::min<uint64_t>(Aligned, gpu::MaxAccessBytes);
  S.Word = static_cast<unsigned>(MinAlign(Aligned, S.Window));
  const uint64_t Whole = alignTo(S.Window, Aligned);
  const bool IsFewer = Whole / Aligned < S.Window / S.Word;
  if (!IsFewer || !isPadding(*llvm::max_element(S.Loads, endsBefore), Whole))
    return;
  S.Word = static_cast<unsigned>(Aligned);
  S.Window = Whole;
}

bool hasGaps(const Stream &S) {
  SmallVector<StreamLoad, 4> Loads(S.Loads);
  sort(Loads, [](const StreamLoad &A, const StreamLoad &B) {
    return A.Offset < B.Offset;
  });
  // The first one is where the window begins.
  const StreamLoad *Last = Loads.begin();
  for (const StreamLoad &L : Loads) {
    if (L.Offset > endOf(*Last) && !isPadding(*Last, L.Offset))
      return true;
    if (endsBefore(*Last, L))
      Last = &L;
  }
  return false; // what chooseWord() has added is padding
}

} // namespace ferry
