//===- staged.h - programs that are the same when staged ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PROGRAMs as in lit/sim/Inputs/check.h, which also print a number that is made
// of all bits of what their kernels wrote: it must be the same with and without
// staging. compare_reports.py compares the sectors.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_LIT_STAGE_STAGED_H
#define FERRY_LIT_STAGE_STAGED_H

#include "../../sim/Inputs/check.h"

#include <cstddef>
#include <cstdint>

namespace staged {

/// Device memory of its own size, so that no access beyond it goes unnoticed,
/// which begins Shift elements behind an address that is a multiple of 256.
template <class T>
class Array {
  T *Block;
  T *Host;
  size_t Shift, Count;
  int Device = omp_get_default_device();

public:
  Array(const Array &) = delete;
  explicit Array(size_t Count, size_t Shift = 0)
      : Shift(Shift), Count(Count) {
    Block = static_cast<T *>(
        omp_target_alloc((Count + Shift) * sizeof(T) + 1, Device));
    Host = static_cast<T *>(calloc(Count + 1, sizeof(T)));
    // Small whole numbers, of which sums are exact, with some that are not.
    uint32_t X = static_cast<uint32_t>(Count) + 1;
    for (size_t I = 0; I < Count; ++I) {
      X = X * 1664525u + 1013904223u;
      Host[I] = T(static_cast<int>(X >> 25) - 60);
    }
    write();
  }
  ~Array() {
    omp_target_free(Block, Device);
    free(Host);
  }
  T *device() { return Block + Shift; }
  T *host() { return Host; }
  void write() {
    omp_target_memcpy(Block + Shift, Host, Count * sizeof(T), 0, 0, Device,
                      omp_get_initial_device());
  }
  /// Overwrites the host's copy, and mixes its bits into the program's number.
  void read();
};

inline uint64_t Bits; // of all that has been read

template <class T>
void Array<T>::read() {
  omp_target_memcpy(Host, Block + Shift, Count * sizeof(T), 0, 0,
                    omp_get_initial_device(), Device);
  auto *Bytes = reinterpret_cast<unsigned char *>(Host);
  for (size_t I = 0; I < Count * sizeof(T); ++I)
    Bits = (Bits ^ Bytes[I]) * 0x100000001b3u;
}

inline int run(int Argc, char **Argv) {
  int Result = check::run(Argc, Argv);
  printf("bits %016llx\n", static_cast<unsigned long long>(Bits));
  return Result;
}

} // namespace staged

#endif // FERRY_LIT_STAGE_STAGED_H
