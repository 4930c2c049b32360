//===- Preload.cpp - Programs that have no checks -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the checks are loaded into a program that was built without them
// (LD_PRELOAD, as ferry-sim does), the program does not tell what it maps.
// These functions stand before libomptarget's own and take the names from
// there, which Clang puts into programs that are compiled with -g.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Thread.h"
#include <dlfcn.h>

using namespace ferry;
using namespace ferry::check;

/// The function \p Name that would have been called.
template <typename FunctionTy> static FunctionTy *next(const char *Name) {
  return reinterpret_cast<FunctionTy *>(dlsym(RTLD_NEXT, Name));
}

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming):
// names of libomptarget's.
extern "C" {

int __tgt_target_kernel(const abi::Ident *Where, int64_t Device, int32_t Teams,
                        int32_t Threads, void *Region, abi::KernelArgs *Args) {
  static auto *const Launch =
      next<decltype(__tgt_target_kernel)>(abi::LaunchFunction);
  const bool Tell = isActive() && Args->Version == abi::KernelArgsVersion;
  if (Tell)
    beginLaunch({nullptr, Where, Device, Args, nullptr});
  const int Result = Launch(Where, Device, Teams, Threads, Region, Args);
  if (Tell)
    endLaunch();
  return Result;
}

#define FERRY_DATA_FUNCTION(Function, Name)                                    \
  void Function(const abi::Ident *Where, int64_t Device, int32_t Number,       \
                void **BasePtrs, void **Ptrs, int64_t *Sizes, int64_t *Types,  \
                void **Names, void **Mappers) {                                \
    static auto *const Next = next<decltype(Function)>(Name);                  \
    if (isActive())                                                            \
      beginData(Where, Number, Ptrs, Names, /*IsNowait=*/false);               \
    Next(Where, Device, Number, BasePtrs, Ptrs, Sizes, Types, Names, Mappers); \
  }
FERRY_DATA_FUNCTION(__tgt_target_data_begin_mapper, abi::DataBeginFunction)
FERRY_DATA_FUNCTION(__tgt_target_data_update_mapper, abi::DataUpdateFunction)
FERRY_DATA_FUNCTION(__tgt_target_data_end_mapper, abi::DataEndFunction)
#undef FERRY_DATA_FUNCTION

#define FERRY_NOWAIT_FUNCTION(Function, Name)                                  \
  void Function(const abi::Ident *Where, int64_t Device, int32_t Number,       \
                void **BasePtrs, void **Ptrs, int64_t *Sizes, int64_t *Types,  \
                void **Names, void **Mappers, int32_t NumDependences,          \
                void *Dependences, int32_t NumNoAlias, void *NoAlias) {        \
    static auto *const Next = next<decltype(Function)>(Name);                  \
    if (isActive())                                                            \
      beginData(Where, Number, Ptrs, Names, /*IsNowait=*/true);                \
    Next(Where, Device, Number, BasePtrs, Ptrs, Sizes, Types, Names, Mappers,  \
         NumDependences, Dependences, NumNoAlias, NoAlias);                    \
  }
FERRY_NOWAIT_FUNCTION(__tgt_target_data_begin_nowait_mapper,
                      abi::DataBeginNowaitFunction)
FERRY_NOWAIT_FUNCTION(__tgt_target_data_update_nowait_mapper,
                      abi::DataUpdateNowaitFunction)
FERRY_NOWAIT_FUNCTION(__tgt_target_data_end_nowait_mapper,
                      abi::DataEndNowaitFunction)
#undef FERRY_NOWAIT_FUNCTION

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
