//===- OpenMP.h - What the checks ask libomptarget --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weak: the checks may be loaded into a process that has no OpenMP, which calls
// none of them.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_OPENMP_H
#define FERRY_CHECK_OPENMP_H

#include <cstddef>

#pragma clang attribute push(__attribute__((weak)), apply_to = function)
extern "C" {
int omp_get_default_device(void);
int omp_get_initial_device(void);
void *omp_get_mapped_ptr(const void *Ptr, int Device);
int omp_target_memcpy(void *Dst, const void *Src, size_t Length,
                      size_t DstOffset, size_t SrcOffset, int DstDevice,
                      int SrcDevice);
}
#pragma clang attribute pop

#endif // FERRY_CHECK_OPENMP_H
