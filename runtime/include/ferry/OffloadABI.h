//===- OffloadABI.h - What Ferry knows of libomptarget's ABI ----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one file that knows the interface between compiled code and libomptarget:
// the map-type bits and the argument block of a kernel launch. It is used by
// the passes (which read the arrays in the IR) and by the launch runtime (which
// rewrites them), so it needs nothing but <cstdint>.
//
// Source: LLVM 19 and 22, llvm/Frontend/OpenMP/OMPConstants.h
// (OpenMPOffloadMappingFlags) and offload/include/Shared/APITypes.h
// (KernelArgsTy). What differs is in a table, below; code is recognised by its
// form, so that no one asks which version made it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_OFFLOADABI_H
#define FERRY_OFFLOADABI_H

#include <cstdint>

namespace ferry::abi {

/// Bits of one element of `.offload_maptypes`.
enum MapType : uint64_t {
  MapTo = 0x1,
  MapFrom = 0x2,
  MapAlways = 0x4,
  MapDelete = 0x8,
  MapPtrAndObj = 0x10,
  MapTargetParam = 0x20,
  MapReturnParam = 0x40,
  MapPrivate = 0x80,
  MapLiteral = 0x100,
  MapImplicit = 0x200,
  MapClose = 0x400,
  MapPresent = 0x1000,
  MapOmpxHold = 0x2000,
  /// From LLVM 22 on. The entry maps nothing: once the others are mapped, the
  /// pointer at its base address is made to lead to its address. In 19, entries
  /// of pointer and pointee (MapPtrAndObj) do that, and map the pointer as
  /// well.
  MapAttach = 0x4000,
  MapNonContiguous = 0x100000000000ull,
  MapMemberOf = 0xffff000000000000ull,
};

/// Position of the MEMBER_OF field: the 1-based index of the parent entry.
constexpr unsigned MemberOfShift = 48;

/// Index of the entry that \p Type is a member of, or -1.
constexpr int parentOf(uint64_t Type) {
  return static_cast<int>(Type >> MemberOfShift) - 1;
}

/// \p Type made a member of entry \p Parent (0-based).
constexpr uint64_t withParent(uint64_t Type, uint64_t Parent) {
  return (Type & ~uint64_t(MapMemberOf)) | ((Parent + 1) << MemberOfShift);
}

/// A captured pointer of a lambda, as Clang maps it: translated in the device
/// copy of the closure, by itself, after all maps of the construct.
constexpr bool isLambdaMember(uint64_t Type) {
  return (Type & (MapLiteral | MapPtrAndObj)) == (MapLiteral | MapPtrAndObj);
}

/// Whether an entry of \p Type maps memory of the program's.
constexpr bool mapsMemory(uint64_t Type) {
  return !(Type & (MapPrivate | MapLiteral | MapAttach));
}

/// What differs between versions of LLVM.
struct Version {
  unsigned LLVM; ///< the first that has it
  /// The device runtime's function that starts a parallel region. What Ferry
  /// reads of its operands stands at the same places.
  const char *Parallel;
  unsigned ParallelOperands;
  /// An offload entry: how many fields it has, which ones are the kernel's
  /// region identifier and its name.
  unsigned EntryFields;
  unsigned EntryAddress, EntryName;
};

constexpr Version Versions[] = {
    {19, "__kmpc_parallel_51", 9, 5, 0, 1},
    {22, "__kmpc_parallel_60", 10, 9, 4, 5},
};

/// An offload entry as it stands in a program, in section EntrySection19 (LLVM
/// 19 and 20) or EntrySection21 (from 21 on).
struct Entry19 {
  uint64_t Address, Name, Size;
  int32_t Flags, Data;
};
struct Entry21 {
  uint64_t Reserved;
  uint16_t Version, Kind;
  uint32_t Flags;
  uint64_t Address, Name, Size, Data, Auxiliary;
};
static_assert(sizeof(Entry19) == 32 && sizeof(Entry21) == 56);
constexpr const char *EntrySection19 = "omp_offloading_entries";
constexpr const char *EntrySection21 = "llvm_offload_entries";
/// Flags of an entry that says what the program requires; Data has the bits.
constexpr uint32_t EntryRequirements = 0x10;
constexpr uint64_t RequiresUnifiedSharedMemory = 0x8;

/// The argument block of `__tgt_target_kernel`, version 3 (LLVM 19 to 22).
struct KernelArgs {
  uint32_t Version;
  uint32_t NumArgs;
  void **BasePtrs;
  void **Ptrs;
  int64_t *Sizes;
  int64_t *Types;
  void **Names;   ///< may be null
  void **Mappers; ///< may be null
  uint64_t Tripcount;
  uint64_t Flags;
  uint32_t NumTeams[3];
  uint32_t ThreadLimit[3];
  uint32_t DynCGroupMem;
};

constexpr uint32_t KernelArgsVersion = 3;
constexpr uint64_t KernelFlagNoWait = 0x1;

/// Byte offsets of the fields that the passes read in the IR.
constexpr uint64_t KernelArgsNumArgsOffset = 4;
constexpr uint64_t KernelArgsBasePtrsOffset = 8;
constexpr uint64_t KernelArgsPtrsOffset = 16;
constexpr uint64_t KernelArgsSizesOffset = 24;
constexpr uint64_t KernelArgsTypesOffset = 32;
constexpr uint64_t KernelArgsMappersOffset = 48;
constexpr uint64_t KernelArgsFlagsOffset = 64;
static_assert(__builtin_offsetof(KernelArgs, Flags) == KernelArgsFlagsOffset);
static_assert(__builtin_offsetof(KernelArgs, NumArgs) ==
              KernelArgsNumArgsOffset);
static_assert(__builtin_offsetof(KernelArgs, BasePtrs) ==
              KernelArgsBasePtrsOffset);
static_assert(__builtin_offsetof(KernelArgs, Ptrs) == KernelArgsPtrsOffset);
static_assert(__builtin_offsetof(KernelArgs, Sizes) == KernelArgsSizesOffset);
static_assert(__builtin_offsetof(KernelArgs, Types) == KernelArgsTypesOffset);
static_assert(__builtin_offsetof(KernelArgs, Mappers) ==
              KernelArgsMappersOffset);

/// A place in the source, as libomp and libomptarget are told of it (kmp.h).
struct Ident {
  int32_t Fields[4];
  const char *Source; ///< ";file;function;line;column;;"
};

/// The device number that means "the default device".
constexpr int64_t DefaultDevice = -1;

/// Operands of `__tgt_target_kernel(ident, device, teams, threads, region,
/// args)`.
enum LaunchOperand : unsigned {
  LaunchIdent = 0,
  LaunchDevice = 1,
  LaunchTeams = 2,       ///< 0: no clause asks for a number of them
  LaunchThreadLimit = 3, ///< 0: no clause asks for one
  LaunchRegionId = 4,
  LaunchArgs = 5,
  LaunchNumOperands = 6,
};

/// Threads of a block on NVIDIA's GPUs where no clause asks for a number.
constexpr unsigned DefaultBlockThreads = 128;

/// Operands of the functions that map and update data, with dependences behind
/// them in those of `nowait` constructs: `(ident, device, num, base pointers,
/// pointers, sizes, types, names, mappers)`.
enum DataOperand : unsigned {
  DataIdent = 0,
  DataDevice = 1,
  DataNum = 2,
  DataPtrs = 4,
  DataSizes = 5,
  DataTypes = 6,
  DataNames = 7,
  DataMappers = 8,
  DataNumOperands = 9,
};

constexpr const char DataBeginFunction[] = "__tgt_target_data_begin_mapper";
constexpr const char DataBeginNowaitFunction[] =
    "__tgt_target_data_begin_nowait_mapper";
constexpr const char DataEndFunction[] = "__tgt_target_data_end_mapper";
constexpr const char DataEndNowaitFunction[] =
    "__tgt_target_data_end_nowait_mapper";
constexpr const char DataUpdateFunction[] = "__tgt_target_data_update_mapper";
constexpr const char DataUpdateNowaitFunction[] =
    "__tgt_target_data_update_nowait_mapper";
constexpr const char LaunchFunction[] = "__tgt_target_kernel";
constexpr const char RegionIdPrefix[] = ".";
constexpr const char RegionIdSuffix[] = ".region_id";
constexpr const char OffloadEntryPrefix[] = ".offloading.entry.";
constexpr const char KernelPrefix[] = "__omp_offloading_";

} // namespace ferry::abi

#endif // FERRY_OFFLOADABI_H
