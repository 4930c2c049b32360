//===- Interfaces.h - What the launch runtime calls -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_INTERFACES_H
#define FERRY_RUNTIME_INTERFACES_H

#include <cstddef>
#include <cstdint>
#include <sched.h>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the
// interfaces' own names.
extern "C" {
// OpenMP 5.2, chapter 18.
int omp_get_default_device(void);
int omp_get_num_devices(void);
void *omp_get_mapped_ptr(const void *Ptr, int Device);
void *omp_target_alloc(size_t Size, int Device);
void omp_target_free(void *Ptr, int Device);
int omp_target_memcpy(void *Dst, const void *Src, size_t Length,
                      size_t DstOffset, size_t SrcOffset, int DstDevice,
                      int SrcDevice);
// libomptarget, offload/include/omptarget.h.
void __tgt_target_data_begin_mapper(void *Ident, int64_t Device, int32_t Num,
                                    void **BasePtrs, void **Ptrs,
                                    int64_t *Sizes, int64_t *Types,
                                    void **Names, void **Mappers);
void __tgt_target_data_end_mapper(void *Ident, int64_t Device, int32_t Num,
                                  void **BasePtrs, void **Ptrs, int64_t *Sizes,
                                  int64_t *Types, void **Names, void **Mappers);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

#endif // FERRY_RUNTIME_INTERFACES_H
