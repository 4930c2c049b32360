//===- Arena.h - Memory of one launch ---------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_ARENA_H
#define FERRY_RUNTIME_ARENA_H

#include "ferry/LaunchState.h"
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace ferry {
namespace {

/// The pointer that is stored at \p Address, which need not be aligned.
char *load(const char *Address) {
  char *Value;
  memcpy(static_cast<void *>(&Value), Address, sizeof(Value));
  return Value;
}

void store(char *Address, const void *Value) {
  memcpy(Address, static_cast<const void *>(&Value), sizeof(Value));
}

/// The first address from \p Address on that is aligned to \p Align bytes.
char *alignUp(char *Address, uint64_t Align) {
  return Address + (-reinterpret_cast<uintptr_t>(Address) & (Align - 1));
}

/// \p Size bytes, aligned to \p Align, that live until release().
void *allocate(Arena &A, uint64_t Size, uint64_t Align) {
  char *At = alignUp(A.Next, Align);
  if (At <= A.End && Size <= static_cast<uint64_t>(A.End - At)) {
    A.Next = At + Size;
    return At;
  }
  auto *C =
      static_cast<Arena::Chunk *>(malloc(sizeof(Arena::Chunk) + Align + Size));
  if (!C)
    abort();
  C->Next = A.Heap;
  A.Heap = C;
  return alignUp(reinterpret_cast<char *>(C + 1), Align);
}

template <typename T> T *allocateArray(Arena &A, uint64_t N) {
  return static_cast<T *>(allocate(A, N * sizeof(T), alignof(T)));
}

void release(Arena &A) {
  while (A.Heap) {
    Arena::Chunk *C = A.Heap;
    A.Heap = C->Next;
    free(C);
  }
}

/// Room for \p Capacity elements in all.
template <typename T> void reserve(Arena &A, List<T> &L, uint32_t Capacity) {
  if (Capacity <= L.Capacity)
    return;
  T *New = allocateArray<T>(A, Capacity);
  for (uint32_t I = 0; I < L.Size; ++I)
    New[I] = L.Data[I];
  L.Data = New;
  L.Capacity = Capacity;
}

template <typename T> void push(Arena &A, List<T> &L, const T &Value) {
  if (L.Size == L.Capacity) {
    const T Copy = Value; // may be an element of the list
    reserve(A, L, L.Capacity ? 2 * L.Capacity : 4);
    L.Data[L.Size++] = Copy;
    return;
  }
  L.Data[L.Size++] = Value;
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_ARENA_H
