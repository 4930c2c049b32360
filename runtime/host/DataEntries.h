//===- DataEntries.h - Calls to the data-mapping interface ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_DATAENTRIES_H
#define FERRY_RUNTIME_DATAENTRIES_H

#include "Arena.h"
#include "Interfaces.h"

namespace ferry {
namespace {

/// Room for \p Capacity entries.
void allocateEntries(Arena &A, Entries &E, uint32_t Capacity) {
  E.BasePtrs = allocateArray<void *>(A, Capacity);
  E.Ptrs = allocateArray<void *>(A, Capacity);
  E.Sizes = allocateArray<int64_t>(A, Capacity);
  E.Types = allocateArray<int64_t>(A, Capacity);
}

void addEntry(Entries &E, void *Base, void *Ptr, int64_t Size, uint64_t Type) {
  E.BasePtrs[E.Num] = Base;
  E.Ptrs[E.Num] = Ptr;
  E.Sizes[E.Num] = Size;
  E.Types[E.Num++] = static_cast<int64_t>(Type);
}

void beginData(const LaunchState &L, const Entries &E) {
  __tgt_target_data_begin_mapper(L.Ident, L.Device, static_cast<int32_t>(E.Num),
                                 E.BasePtrs, E.Ptrs, E.Sizes, E.Types, E.Names,
                                 E.Mappers);
}

/// \param Failed whether the kernel did not run: it has nothing to give back.
void endData(const LaunchState &L, const Entries &E, bool Failed) {
  if (!E.Num)
    return;
  if (Failed)
    for (uint32_t I = 0; I < E.Num; ++I)
      E.Types[I] &= ~int64_t(abi::MapFrom);
  __tgt_target_data_end_mapper(L.Ident, L.Device, static_cast<int32_t>(E.Num),
                               E.BasePtrs, E.Ptrs, E.Sizes, E.Types, E.Names,
                               E.Mappers);
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_DATAENTRIES_H
