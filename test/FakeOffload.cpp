//===- FakeOffload.cpp - A stand-in for libomptarget ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeOffload.h"
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

using namespace ferry::abi;
using namespace ferry::fake;

/// Where device memory begins in what it was allocated from: it is not aligned
/// to more than the least that devices give.
static constexpr size_t BlockOffset = 16;

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" void __ferry_data_begin(int64_t Device, int32_t Num, void **Ptrs,
                                   const int64_t *Sizes, const int64_t *Types,
                                   void **Mappers, int32_t Update);

namespace ferry::fake {

Offload &offload() {
  static Offload O;
  return O;
}

void reset() {
  for (Device &D : offload().Devices) {
    for (char *B : D.Blocks)
      free(B - BlockOffset);
    if (D.Freed)
      free(D.Freed - BlockOffset);
  }
  offload() = Offload{};
  offload().Devices.resize(2);
}

} // namespace ferry::fake

namespace {

Offload &O = offload();

char *allocate(Device &D, size_t Size) {
  if (O.FailAllocations)
    return nullptr;
  if (D.Freed && D.FreedSize == Size) {
    D.Blocks.insert(D.Freed);
    return std::exchange(D.Freed, nullptr);
  }
  size_t Bytes = (Size + BlockOffset + 31) & -32;
  char *Block = static_cast<char *>(aligned_alloc(32, Bytes)) + BlockOffset;
  memset(Block, 0xdd, Size);
  D.Blocks.insert(Block);
  return Block;
}

void release(Device &D, char *Block, size_t Size = 0) {
  if (!Block)
    return;
  if (!D.Blocks.erase(Block))
    O.Errors.push_back("freed what is not allocated");
  else if (O.FreedBlockComesNext && Size && !D.Freed)
    D.Freed = Block, D.FreedSize = Size;
  else
    free(Block - BlockOffset);
}

/// MappingInfoTy::lookupMapping.
struct Lookup {
  Mapping *M = nullptr;
  bool Contained = false;
  bool ExtendsBefore = false;
  bool ExtendsAfter = false;

  Lookup(Device &D, char *Host, int64_t Size) {
    auto Upper = D.Table.upper_bound(Host);
    Mapping *Right = Upper == D.Table.end() ? nullptr : &Upper->second;
    Mapping *Left =
        Upper == D.Table.begin() ? nullptr : &std::prev(Upper)->second;
    if (Size == 0) {
      if (Left) {
        M = Left;
        Contained = Host < M->End || Host < M->Base;
      }
      if (!Contained && Right) {
        M = Right;
        Contained = Host >= M->Base;
      }
      return;
    }
    if (Left) {
      M = Left;
      Contained = Host < M->End && Host + Size <= M->End;
      ExtendsAfter = Host < M->End && Host + Size > M->End;
    }
    if (!Contained && !ExtendsAfter && Right) {
      M = Right;
      ExtendsBefore = Host < M->Begin && Host + Size > M->Begin;
      ExtendsAfter = Host < M->End && Host + Size > M->End && ExtendsBefore;
    }
  }

  bool overlaps() const { return ExtendsBefore || ExtendsAfter; }
  char *device(char *Host) const { return M->Device + (Host - M->Begin); }
};

/// MappingInfoTy::getTargetPointer. \returns the mapping, or null.
Mapping *getTargetPointer(Device &D, char *Host, char *Base, int64_t Size,
                          uint64_t Type, bool Copy, bool UpdateRef) {
  Lookup L(D, Host, Size);
  bool New = false;
  if (L.Contained || (L.overlaps() && (Type & MapImplicit))) {
    if (UpdateRef)
      ++L.M->RefCount;
    else
      New = L.M->RefCount == 1;
  } else if (L.overlaps()) {
    O.Errors.push_back("explicit extension not allowed");
    return nullptr;
  } else if (Type & MapPresent) {
    O.Errors.push_back("device mapping required by 'present' does not exist");
    return nullptr;
  } else if (Size) {
    char *Block = allocate(D, static_cast<size_t>(Size));
    if (!Block) {
      O.Errors.push_back("out of device memory");
      return nullptr;
    }
    L.M = &D.Table
               .emplace(Host, Mapping{Host, Host + Size, Base, Block, 1, 0, {}})
               .first->second;
    New = true;
  } else {
    return nullptr;
  }
  if (Copy && (Type & MapTo) && (New || (Type & MapAlways)) && Size) {
    memcpy(L.device(Host), Host, static_cast<size_t>(Size));
    ++O.ToDevice;
  }
  return L.M;
}

void attach(Mapping &Container, char *Slot, char *HostValue,
            char *DeviceValue) {
  char *Device = Container.Device + (Slot - Container.Begin);
  auto [It, New] = Container.Shadows.try_emplace(Slot, HostValue, DeviceValue);
  if (!New && It->second.second == DeviceValue)
    return;
  It->second = {HostValue, DeviceValue};
  memcpy(Device, &DeviceValue, sizeof(DeviceValue));
  ++O.ToDevice;
}

std::vector<MapEntry> entriesOf(int32_t Num, void **BasePtrs, void **Ptrs,
                                int64_t *Sizes, int64_t *Types) {
  std::vector<MapEntry> Result;
  for (int32_t I = 0; I < Num; ++I)
    Result.push_back({BasePtrs[I], Ptrs[I], Sizes[I], Types[I]});
  return Result;
}

/// targetDataBegin.
void dataBegin(Device &D, const std::vector<MapEntry> &Entries, void **Mappers,
               bool FromMapper) {
  for (size_t I = 0; I < Entries.size(); ++I) {
    const MapEntry &E = Entries[I];
    auto Type = static_cast<uint64_t>(E.Type);
    if (Type & (MapLiteral | MapPrivate))
      continue;
    if (Mappers && Mappers[I]) {
      std::vector<MapEntry> Inner;
      reinterpret_cast<Mapper>(Mappers[I])(Inner, E.Base, E.Ptr, E.Size,
                                           E.Type);
      dataBegin(D, Inner, nullptr, true);
      continue;
    }
    auto *Ptr = static_cast<char *>(E.Ptr), *Base = static_cast<char *>(E.Base);
    bool First = FromMapper && I == 0;
    bool UpdateRef = !(Type & MapMemberOf) && !First;
    Mapping *Container = nullptr;
    char *Slot = Base;
    if (Type & MapPtrAndObj) {
      Container = getTargetPointer(D, Base, Base, sizeof(void *), Type, false,
                                   UpdateRef);
      if (!Container) {
        O.Errors.push_back("an attached pointer is not mapped");
        return;
      }
      Base = *reinterpret_cast<char **>(Base);
      UpdateRef = !First;
    }
    Mapping *M = getTargetPointer(D, Ptr, Base, E.Size, Type, true, UpdateRef);
    if (!M && E.Size)
      return;
    if (Type & MapPtrAndObj) {
      char *Target = M ? M->Device + (Ptr - M->Begin) : nullptr;
      attach(*Container, Slot, Base, Target - (Ptr - Base));
    }
  }
}

/// targetDataEnd and its post-processing.
void dataEnd(Device &D, const std::vector<MapEntry> &Entries, void **Mappers,
             bool FromMapper) {
  struct Done {
    char *Begin;
    uint64_t Type;
  };
  std::vector<Done> Post;
  for (size_t N = Entries.size(); N-- > 0;) {
    const MapEntry &E = Entries[N];
    auto Type = static_cast<uint64_t>(E.Type);
    if (Type & (MapLiteral | MapPrivate))
      continue;
    if (Mappers && Mappers[N]) {
      std::vector<MapEntry> Inner;
      reinterpret_cast<Mapper>(Mappers[N])(Inner, E.Base, E.Ptr, E.Size,
                                           E.Type);
      dataEnd(D, Inner, nullptr, true);
      continue;
    }
    auto *Ptr = static_cast<char *>(E.Ptr);
    bool UpdateRef = (!(Type & MapMemberOf) || (Type & MapPtrAndObj)) &&
                     !(FromMapper && N == 0);
    Lookup L(D, Ptr, E.Size);
    if (!L.Contained && !((Type & MapImplicit) && L.overlaps()))
      continue;
    bool Last = L.M->RefCount == 1;
    if (UpdateRef)
      --L.M->RefCount;
    if ((Type & MapFrom) && ((Type & MapAlways) || Last) && E.Size) {
      memcpy(Ptr, L.device(Ptr), static_cast<size_t>(E.Size));
      ++O.FromDevice;
    }
    ++L.M->EndUsers;
    Post.push_back({L.M->Begin, Type});
  }
  for (const Done &P : Post) {
    Mapping &M = D.Table.at(P.Begin);
    if (P.Type & MapFrom)
      for (auto &[Slot, Values] : M.Shadows)
        memcpy(Slot, &Values.first, sizeof(Values.first));
    bool Member = (P.Type & MapMemberOf) && !(P.Type & MapPtrAndObj);
    if (--M.EndUsers == 0 && !Member && M.RefCount == 0) {
      release(D, M.Device, static_cast<size_t>(M.End - M.Begin));
      D.Table.erase(P.Begin);
    }
  }
}

Device *device(int64_t Number) {
  if (Number == DefaultDevice)
    Number = O.DefaultDevice;
  if (Number < 0 || Number >= static_cast<int64_t>(O.Devices.size())) {
    O.Errors.push_back("no such device");
    return nullptr;
  }
  return &O.Devices[static_cast<size_t>(Number)];
}

} // namespace

//===----------------------------------------------------------------------===//
// For tests
//===----------------------------------------------------------------------===//

void *ferry::fake::enter(void *Host, size_t Size, int Device, bool Always) {
  auto Bytes = static_cast<int64_t>(Size);
  int64_t Type = MapTo | (Always ? int64_t(MapAlways) : 0);
  __ferry_data_begin(Device, 1, &Host, &Bytes, &Type, nullptr, 0);
  fake::Device &D = O.Devices[static_cast<size_t>(Device)];
  dataBegin(D, {{Host, Host, Bytes, Type}}, nullptr, false);
  return Lookup(D, static_cast<char *>(Host), Bytes)
      .device(static_cast<char *>(Host));
}

// targetDataContiguous.
void ferry::fake::updateTo(void *Host, size_t Size, int Device) {
  auto Bytes = static_cast<int64_t>(Size);
  int64_t Type = MapTo;
  __ferry_data_begin(Device, 1, &Host, &Bytes, &Type, nullptr, 1);
  auto *Begin = static_cast<char *>(Host);
  Lookup L(O.Devices[static_cast<size_t>(Device)], Begin, Bytes);
  memcpy(L.device(Begin), Host, Size);
  for (auto &[Slot, Values] : L.M->Shadows)
    memcpy(L.device(Slot), &Values.second, sizeof(Values.second));
}

void ferry::fake::updateFrom(void *Host, size_t Size, int Device) {
  auto *Begin = static_cast<char *>(Host);
  Lookup L(O.Devices[static_cast<size_t>(Device)], Begin,
           static_cast<int64_t>(Size));
  memcpy(Host, L.device(Begin), Size);
  for (auto &[Slot, Values] : L.M->Shadows)
    memcpy(Slot, &Values.first, sizeof(Values.first));
}

void ferry::fake::leave(void *Host, size_t Size, bool CopyBack, int Device) {
  dataEnd(O.Devices[static_cast<size_t>(Device)],
          {{Host, Host, static_cast<int64_t>(Size),
            CopyBack ? int64_t(MapFrom) : 0}},
          nullptr, false);
}

void ferry::fake::runKernel(int64_t DeviceNum, KernelArgs *Args,
                            const std::function<void(void **)> &Kernel) {
  Device *D = device(DeviceNum);
  if (!D)
    return;
  std::vector<MapEntry> Entries =
      entriesOf(static_cast<int32_t>(Args->NumArgs), Args->BasePtrs, Args->Ptrs,
                Args->Sizes, Args->Types);
  dataBegin(*D, Entries, Args->Mappers, false);
  std::vector<void *> Arguments;
  std::vector<char *> Privates;
  // processDataBefore
  for (const MapEntry &E : Entries) {
    auto Type = static_cast<uint64_t>(E.Type);
    if (!(Type & MapTargetParam)) {
      if (isLambdaMember(Type))
        O.Errors.push_back("Clang's entry for a lambda member is left");
      continue;
    }
    auto *Ptr = static_cast<char *>(E.Ptr);
    if (Type & MapLiteral) {
      Arguments.push_back(E.Base);
    } else if (Type & MapPrivate) {
      char *Copy = allocate(*D, static_cast<size_t>(E.Size));
      Privates.push_back(Copy);
      if (Type & MapTo) {
        memcpy(Copy, Ptr, static_cast<size_t>(E.Size));
        ++O.ToDevice;
      }
      Arguments.push_back(Copy);
    } else {
      Lookup L(*D, Ptr, E.Size);
      bool Found = L.Contained || L.overlaps();
      Arguments.push_back(Found ? L.device(Ptr) -
                                      (Ptr - static_cast<char *>(E.Base))
                                : nullptr);
    }
  }
  Kernel(Arguments.data());
  for (char *Copy : Privates)
    release(*D, Copy);
  dataEnd(*D, Entries, Args->Mappers, false);
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming):
// libomptarget's names.
extern "C" {

int omp_get_default_device(void) { return O.DefaultDevice; }
int omp_get_num_devices(void) { return static_cast<int>(O.Devices.size()); }
int omp_get_initial_device(void) { return omp_get_num_devices(); }

void *omp_get_mapped_ptr(const void *Ptr, int Number) {
  if (!Ptr) {
    O.Errors.push_back("looked up a null pointer");
    return nullptr;
  }
  // OpenMP 5.2, section 18.8.11: the host is its own device.
  if (Number == omp_get_initial_device())
    return const_cast<void *>(Ptr);
  if (Number < 0 || Number >= omp_get_num_devices())
    return nullptr;
  auto *Host = const_cast<char *>(static_cast<const char *>(Ptr));
  Lookup L(O.Devices[static_cast<size_t>(Number)], Host, 1);
  void *Device = L.Contained ? L.device(Host) : nullptr;
  if (O.OnLookUp)
    O.OnLookUp();
  return Device;
}

void *omp_target_alloc(size_t Size, int Number) {
  Device *D = device(Number);
  return D ? allocate(*D, Size) : nullptr;
}

void omp_target_free(void *Ptr, int Number) {
  if (Device *D = device(Number))
    release(*D, static_cast<char *>(Ptr));
}

int omp_target_memcpy(void *Dst, const void *Src, size_t Length,
                      size_t DstOffset, size_t SrcOffset, int DstDevice,
                      int SrcDevice) {
  int Host = omp_get_initial_device();
  if (DstDevice < 0 || DstDevice > Host || SrcDevice < 0 || SrcDevice > Host ||
      !Dst || !Src) {
    O.Errors.push_back("omp_target_memcpy between what does not exist");
    return 1;
  }
  memcpy(static_cast<char *>(Dst) + DstOffset,
         static_cast<const char *>(Src) + SrcOffset, Length);
  O.ToDevice += DstDevice != Host;
  O.FromDevice += SrcDevice != Host;
  return 0;
}

void __tgt_target_data_begin_mapper(void *, int64_t Number, int32_t Num,
                                    void **BasePtrs, void **Ptrs,
                                    int64_t *Sizes, int64_t *Types, void **,
                                    void **Mappers) {
  ++O.DataBegins;
  if (Device *D = device(Number))
    dataBegin(*D, entriesOf(Num, BasePtrs, Ptrs, Sizes, Types), Mappers, false);
}

void __tgt_target_data_end_mapper(void *, int64_t Number, int32_t Num,
                                  void **BasePtrs, void **Ptrs, int64_t *Sizes,
                                  int64_t *Types, void **, void **Mappers) {
  if (Device *D = device(Number))
    dataEnd(*D, entriesOf(Num, BasePtrs, Ptrs, Sizes, Types), Mappers, false);
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
