//===- Memory.cpp - What is on the devices --------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include <cstring>
#include <dlfcn.h>
#include <mutex>

namespace ferry::check {

Memory &memory() {
  // Never destroyed: devices are shut down when destructors have run.
  static Memory &M = *new Memory;
  return M;
}

const Memory::Device *Memory::device(int Number) const {
  auto It = Devices.find(Number);
  return It == Devices.end() ? nullptr : &It->second;
}

const Section *Memory::sectionAt(const Device &D, const char *Host) {
  auto It = D.Sections.upper_bound(const_cast<char *>(Host));
  if (It == D.Sections.begin())
    return nullptr;
  const Section &S = std::prev(It)->second;
  return S.holds(Host, Host) ? &S : nullptr;
}

const Section *Memory::sectionOf(const Device &D, const char *OnDevice) {
  auto Copy = D.Allocations.find(const_cast<char *>(OnDevice));
  if (Copy == D.Allocations.end() || !Copy->second.Host)
    return nullptr;
  auto It = D.Sections.find(Copy->second.Host);
  // The host may have another copy by now.
  return It != D.Sections.end() && It->second.Device == OnDevice ? &It->second
                                                                 : nullptr;
}

void Memory::allocated(int Number, char *Host, char *Device, uint64_t Size,
                       uint64_t Launches) {
  std::unique_lock Guard(Lock);
  ++Version;
  auto &D = Devices[Number];
  D.Allocations[Device] = {Size, Host};
  if (!Host)
    return;
  auto Name = Names.find(Host);
  D.Sections[Host] = {Host, Size, Device,
                      Name == Names.end() ? DataName() : Name->second,
                      Launches};
}

void Memory::freed(int Number, char *Device, uint64_t Launches) {
  constexpr size_t MaxFormer = 256;
  std::unique_lock Guard(Lock);
  ++Version;
  auto &D = Devices[Number];
  if (const Section *S = sectionOf(D, Device)) {
    FormerSection F{*S, Launches};
    D.Sections.erase(S->Begin);
    if (D.Former.size() < MaxFormer)
      D.Former.push_back(F);
    else
      D.Former[D.NextFormer++ % MaxFormer] = F;
  }
  D.Allocations.erase(Device);
}

void Memory::named(char *Host, DataName Name) {
  std::unique_lock Guard(Lock);
  Names[Host] = std::move(Name);
}

DataName Memory::nameOf(char *Host) const {
  std::shared_lock Guard(Lock);
  auto It = Names.find(Host);
  return It == Names.end() ? DataName() : It->second;
}

std::optional<Section> Memory::sectionOf(int Number,
                                         const char *OnDevice) const {
  std::shared_lock Guard(Lock);
  const Device *D = device(Number);
  const Section *S = D ? sectionOf(*D, OnDevice) : nullptr;
  return S ? std::optional(*S) : std::nullopt;
}

std::optional<Section> Memory::find(int Number, const char *Host) const {
  std::shared_lock Guard(Lock);
  const Device *D = device(Number);
  const Section *S = D ? sectionAt(*D, Host) : nullptr;
  return S ? std::optional(*S) : std::nullopt;
}

bool Memory::isMapped(int Number, const char *First, const char *Last) const {
  std::shared_lock Guard(Lock);
  const Device *D = device(Number);
  const Section *S = D ? sectionAt(*D, First) : nullptr;
  return S && S->holds(First, Last);
}

std::optional<Section> Memory::nearest(int Number, const char *First,
                                       const char *Last) const {
  std::shared_lock Guard(Lock);
  const Device *D = device(Number);
  if (!D || D->Sections.empty())
    return std::nullopt;
  auto Distance = [&](const Section &S) -> uint64_t {
    if (S.Begin > Last)
      return static_cast<uint64_t>(S.Begin - Last);
    const char *End = S.Begin + S.Size;
    return End <= First ? static_cast<uint64_t>(First - End) + 1 : 0;
  };
  auto Behind = D->Sections.upper_bound(const_cast<char *>(First));
  if (Behind == D->Sections.begin())
    return Behind->second;
  const Section &Before = std::prev(Behind)->second;
  if (Behind == D->Sections.end() ||
      Distance(Before) <= Distance(Behind->second))
    return Before;
  return Behind->second;
}

std::optional<Section> Memory::nearestCopy(int Number,
                                           const char *Address) const {
  std::shared_lock Guard(Lock);
  const Device *D = device(Number);
  const Section *Nearest = nullptr;
  uint64_t Least = UINT64_MAX;
  if (!D)
    return std::nullopt;
  for (const auto &[Begin, S] : D->Sections) {
    const char *End = S.Device + S.Size;
    const uint64_t Distance =
        S.Device > Address ? static_cast<uint64_t>(S.Device - Address)
        : End <= Address   ? static_cast<uint64_t>(Address - End) + 1
                           : 0;
    if (Distance < Least) {
      Least = Distance;
      Nearest = &S;
    }
  }
  return Nearest ? std::optional(*Nearest) : std::nullopt;
}

std::optional<FormerSection> Memory::former(int Number, const char *First,
                                            const char *Last) const {
  std::shared_lock Guard(Lock);
  std::optional<FormerSection> Result;
  if (const Device *D = device(Number))
    for (const FormerSection &F : D->Former)
      if (F.holds(First, Last) &&
          (!Result || F.LastLaunch >= Result->LastLaunch))
        Result = F;
  return Result;
}

/// Whether NVIDIA's driver knows \p Address: memory of a GPU, managed or
/// page-locked.
static bool isKnownToDriver(const char *Address) {
  // cuPointerGetAttribute(result, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address)
  using GetAttribute = int (*)(void *, int, unsigned long long);
  constexpr int MemoryType = 2;
  static const auto Get = [] {
    void *Driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    return Driver ? reinterpret_cast<GetAttribute>(
                        dlsym(Driver, "cuPointerGetAttribute"))
                  : nullptr;
  }();
  unsigned Type = 0;
  return Get && Get(&Type, MemoryType,
                    reinterpret_cast<unsigned long long>(Address)) == 0;
}

bool Memory::isAllocated(const char *Address) const {
  std::shared_lock Guard(Lock);
  for (const auto &[Number, D] : Devices) {
    auto It = D.Allocations.upper_bound(const_cast<char *>(Address));
    if (It == D.Allocations.begin())
      continue;
    --It;
    // The byte behind it is an end, as of a range.
    if (Address <= It->first + It->second.Size)
      return true;
  }
  return false;
}

bool Memory::isDevices(const char *Address) const {
  if (isAllocated(Address))
    return true;
  // Variables of a device in the host's process lie in its image, a library
  // that libomptarget has loaded from a temporary file.
  Dl_info Info;
  if (dladdr(Address, &Info) && Info.dli_fname &&
      strstr(Info.dli_fname, "/tmpfile_"))
    return true;
  return isKnownToDriver(Address);
}

} // namespace ferry::check
