//===- StreamWords.h - In which words a stream is copied --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STREAMWORDS_H
#define FERRY_STAGE_STREAMWORDS_H

namespace ferry {

struct Stream;

/// Chooses how many bytes of \p S are copied at a time, the most for which
/// everything comes out even, and lets its window have the padding of a record
/// at its end if that makes words larger.
void chooseWord(Stream &S);

/// Whether \p S has bytes between those that are read that may be other fields
/// of records. They are copied as well, and may change while an asynchronous
/// copy is under way; padding does not.
bool hasGaps(const Stream &S);

} // namespace ferry

#endif // FERRY_STAGE_STREAMWORDS_H
