//===- PointeeNames.h - What lies behind a pointer is called ----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names for remarks: of a pointer that is known by where it lies behind another
// one, as the source would write it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_POINTEENAMES_H
#define FERRY_CLOSURE_POINTEENAMES_H

#include "RegionInfo.h"

namespace ferry {

/// A pointer as the source writes it.
struct NamedPointer {
  std::string Name;
  const PointeeType *Pointee = nullptr; ///< null: not described
  bool IsReference = false; ///< what it leads to is written like itself
};

/// The type that the front end described as number \p Number of \p Region; null
/// if there is none.
const PointeeType *pointeeType(const RegionInfo *Region,
                               std::optional<unsigned> Number);

/// The pointer that lies \p Offset bytes behind \p Pointer, or, if \p Stride is
/// not 0, any of those that lie a multiple of \p Stride bytes from there:
/// "body.domain->m_vnew", "rows[i]". Where the types do not tell,
/// "body.domain+3256".
NamedPointer pointerBehind(const NamedPointer &Pointer, int64_t Offset,
                           uint64_t Stride, const RegionInfo *Region);

} // namespace ferry

#endif // FERRY_CLOSURE_POINTEENAMES_H
