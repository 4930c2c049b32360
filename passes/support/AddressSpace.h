//===- AddressSpace.h - Kinds of memory of GPUs -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_ADDRESSSPACE_H
#define FERRY_SUPPORT_ADDRESSSPACE_H

namespace ferry {

/// Address spaces, which have the same numbers on NVIDIA's and on AMD's GPUs.
enum AddressSpace : unsigned {
  GenericMemory = 0,
  GlobalMemory = 1,
  SharedMemory = 3,
  LocalMemory = 5
};

} // namespace ferry

#endif // FERRY_SUPPORT_ADDRESSSPACE_H
