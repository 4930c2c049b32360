//===- LaunchRuntime.cpp - Launches without a compiler --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchRuntime.h"
#include "ferry/LaunchState.h"
#include <algorithm>
#include <cstring>

using namespace ferry;
using namespace ferry::abi;
using namespace ferry::test;
using fake::offload;

//===----------------------------------------------------------------------===//
// PlanBuilder
//===----------------------------------------------------------------------===//

uint32_t PlanBuilder::variable(uint64_t Size, bool Written, uint32_t Align) {
  PlanObject O{};
  O.Size = Size;
  O.Align = Align;
  O.Flags = PlanObject::Variable | (Written ? PlanObject::Written : 0u);
  Objects.push_back(O);
  SlotsOf.emplace_back();
  return static_cast<uint32_t>(Objects.size() - 1);
}

uint32_t PlanBuilder::behind(uint64_t Size, int64_t Begin) {
  PlanObject O{};
  O.Begin = Begin;
  O.Size = Size;
  O.Align = 1;
  Objects.push_back(O);
  SlotsOf.emplace_back();
  return static_cast<uint32_t>(Objects.size() - 1);
}

PlanSlot &PlanBuilder::pointer(uint32_t Object, uint64_t Offset,
                               int32_t Child) {
  PlanSlot S{};
  S.Offset = Offset;
  S.Child = Child;
  S.EndOf = -1;
  S.Flags = PlanSlot::Dereferenced;
  SlotsOf[Object].push_back(S);
  return SlotsOf[Object].back();
}

void PlanBuilder::word(uint32_t Object, uint64_t Offset, uint32_t Size) {
  Objects[Object].Flags |= PlanObject::Words;
  Words.push_back(PlanWord{Object, Size, Offset});
}

void PlanBuilder::root(uint32_t Entry, uint32_t Object, uint32_t Flags) {
  Roots.push_back(PlanRoot{Entry, 0, Object, Flags});
}

void PlanBuilder::keepEntries(const std::vector<int64_t> &Types) {
  std::map<int, uint32_t> KeptAs;
  for (size_t I = 0; I < Types.size(); ++I) {
    auto Type = static_cast<uint64_t>(Types[I]);
    int Parent = parentOf(Type);
    auto Root = std::find_if(Roots.begin(), Roots.end(), [&](PlanRoot &R) {
      return static_cast<int>(R.Entry) == Parent;
    });
    if ((Type & MapAlways) && !(Type & (MapPrivate | MapLiteral)))
      Plan.Flags |= LaunchPlan::Always;
    if (isLambdaMember(Type) && Root != Roots.end())
      continue;
    KeptAs[static_cast<int>(I)] = static_cast<uint32_t>(Entries.size());
    Entries.push_back(static_cast<uint32_t>(I));
    if (Parent >= 0)
      Type = withParent(Type, KeptAs.at(Parent));
    KeptTypes.push_back(static_cast<int64_t>(Type));
    if (Root != Roots.end())
      Root->Flags |= PlanRoot::OwnMembers;
  }
  for (PlanRoot &R : Roots)
    R.KeptAs = KeptAs.at(static_cast<int>(R.Entry));
}

void PlanBuilder::sizeImages() {
  Plan.ImageAlign = MinImageAlign;
  for (uint32_t I = 0; I < Objects.size(); ++I) {
    const PlanObject &O = Objects[I];
    bool Root = std::any_of(Roots.begin(), Roots.end(),
                            [&](PlanRoot &R) { return R.Object == I; });
    if (!(O.Flags & PlanObject::Variable) || (!Root && O.Size > ImageLimit))
      continue;
    Plan.ImageAlign = std::max(Plan.ImageAlign, O.Align);
    Plan.ImageBytes += O.Size + std::max(O.Align, MinImageAlign);
  }
}

bool PlanBuilder::isValue(const PlanRoot &R, uint64_t Type) const {
  const PlanObject &O = Objects[R.Object];
  return (Type & MapPrivate) && O.Size <= PackedLimit &&
         O.Align <= MinImageAlign &&
         std::all_of(SlotsOf[R.Object].begin(), SlotsOf[R.Object].end(),
                     [](const PlanSlot &S) {
                       return S.Child < 0 && S.EndOf < 0 && !S.Stride &&
                              !S.Shift && !(S.Flags & PlanSlot::PointersStored);
                     });
}

/// An entry that does nothing keeps libomptarget from collecting the only
/// private argument.
void PlanBuilder::sendDirectly() {
  auto IsPrivate = [](int64_t Type) {
    return (Type & MapPrivate) && (Type & MapTo);
  };
  if (Roots.size() != 1 || Roots[0].KeptAs + 1 != KeptTypes.size() ||
      !IsPrivate(KeptTypes.back()) ||
      std::count_if(KeptTypes.begin(), KeptTypes.end(), IsPrivate) != 1)
    return;
  Entries.push_back(Roots[0].Entry);
  KeptTypes.push_back(
      static_cast<int64_t>(withParent(MapLiteral, Roots[0].KeptAs)));
}

const LaunchPlan *PlanBuilder::finish(const std::vector<int64_t> &Types,
                                      bool NoWait) {
  Plan = LaunchPlan{};
  Slots.clear();
  Entries.clear();
  KeptTypes.clear();
  for (size_t I = 0; I < Objects.size(); ++I) {
    Objects[I].FirstSlot = static_cast<uint32_t>(Slots.size());
    Objects[I].NumSlots = static_cast<uint32_t>(SlotsOf[I].size());
    Slots.insert(Slots.end(), SlotsOf[I].begin(), SlotsOf[I].end());
  }
  keepEntries(Types);
  if (!NoWait && !HostMemory && Words.empty())
    sendDirectly();
  sizeImages();
  if (AllowValues && !(Plan.Flags & LaunchPlan::Always) &&
      std::all_of(Roots.begin(), Roots.end(), [&](PlanRoot &R) {
        return isValue(R, static_cast<uint64_t>(Types[R.Entry]));
      }))
    Plan.Flags |= LaunchPlan::Values;
  if (HostMemory)
    Plan.Flags |= LaunchPlan::HostMemory;
  Plan.NumWords = static_cast<uint32_t>(Words.size());
  Plan.Words = Words.data();
  Plan.NumRoots = static_cast<uint32_t>(Roots.size());
  Plan.NumObjects = static_cast<uint32_t>(Objects.size());
  Plan.NumSlots = static_cast<uint32_t>(Slots.size());
  Plan.NumEntries = static_cast<uint32_t>(Entries.size());
  Plan.Roots = Roots.data();
  Plan.Objects = Objects.data();
  Plan.Slots = Slots.data();
  Plan.Entries = Entries.data();
  Plan.Types = KeptTypes.data();
  Plan.Ranges = Ranges;
  return &Plan;
}

//===----------------------------------------------------------------------===//
// LaunchRuntime
//===----------------------------------------------------------------------===//

void LaunchRuntime::TearDown() {
  for (const std::string &E : offload().Errors)
    ADD_FAILURE() << "libomptarget: " << E;
}

void LaunchRuntime::restart() {
  fake::reset();
  restartLaunch();
}

void LaunchRuntime::restartLaunch() {
  Plan = PlanBuilder();
  BasePtrs.clear(), Ptrs.clear(), Names.clear(), Mappers.clear();
  Sizes.clear(), Types.clear(), Sources.clear(), Kept.clear();
  WorkspaceSize.reset();
  DeviceNumber = DefaultDevice;
  NoWait = OthersMap = false;
}

uint32_t LaunchRuntime::entry(void *Host, uint64_t Size, uint64_t Type) {
  BasePtrs.push_back(Host);
  Ptrs.push_back(Host);
  Sizes.push_back(static_cast<int64_t>(Size));
  Types.push_back(static_cast<int64_t>(Type));
  Names.push_back(static_cast<char *>(Host) + 1); // anything of its own
  Mappers.push_back(nullptr);
  return static_cast<uint32_t>(Types.size() - 1);
}

uint32_t LaunchRuntime::capture(void *Host, uint64_t Size, uint32_t Object,
                                uint64_t Type) {
  uint32_t E = entry(Host, Size, Type);
  Plan.root(E, Object);
  mustStay(Host, Size);
  return E;
}

void LaunchRuntime::mapper(uint32_t Entry, fake::Mapper M) {
  Mappers[Entry] = reinterpret_cast<void *>(M);
}

void LaunchRuntime::mustStay(const void *Host, size_t Size) {
  const auto *Bytes = static_cast<const char *>(Host);
  Kept.emplace_back(Bytes, std::string(Size, '\0'));
}

void LaunchRuntime::mayChange(const void *Host) {
  Kept.erase(std::remove_if(Kept.begin(), Kept.end(),
                            [&](auto &K) { return K.first == Host; }),
             Kept.end());
}

std::string LaunchRuntime::arguments() const {
  std::string Bytes(reinterpret_cast<const char *>(&Args), sizeof(Args));
  auto Add = [&](const auto &V) {
    Bytes.append(reinterpret_cast<const char *>(V.data()),
                 V.size() * sizeof(V[0]));
  };
  Add(BasePtrs), Add(Ptrs), Add(Sizes), Add(Types), Add(Names), Add(Mappers);
  return Bytes;
}

/// All mappings and blocks of device memory, as text.
std::vector<std::string> LaunchRuntime::table() {
  std::vector<std::string> Lines;
  for (size_t D = 0; D < offload().Devices.size(); ++D) {
    std::string Number = "device " + std::to_string(D);
    for (auto &[Begin, M] : offload().Devices[D].Table)
      Lines.push_back(Number + ": " +
                      std::to_string(reinterpret_cast<uintptr_t>(Begin)) +
                      ", " + std::to_string(M.End - M.Begin) + " bytes, " +
                      std::to_string(M.RefCount) + " references");
    Lines.push_back(Number + ": " +
                    std::to_string(offload().Devices[D].Blocks.size()) +
                    " blocks");
  }
  return Lines;
}

void LaunchRuntime::begin() {
  Args = KernelArgs{};
  Args.Version = Version;
  Args.NumArgs = static_cast<uint32_t>(Types.size());
  Args.BasePtrs = BasePtrs.data();
  Args.Ptrs = Ptrs.data();
  Args.Sizes = Sizes.data();
  Args.Types = Types.data();
  Args.Names = Names.data();
  Args.Mappers = Mappers.data();
  Args.Flags = NoWait ? KernelFlagNoWait : 0;
  const LaunchPlan *P = Plan.finish(Types, NoWait);
  std::vector<char *> RootSources;
  for (uint32_t R = 0; R < P->NumRoots; ++R) {
    auto It = Sources.find(P->Roots[R].Entry);
    RootSources.push_back(
        It == Sources.end() ? nullptr : static_cast<char *>(It->second));
  }
  uint64_t Size = WorkspaceSize.value_or(workspaceBytes(
      Types.size() + P->NumWords, P->NumObjects, P->NumSlots, P->ImageBytes));
  Workspace = std::make_unique<char[]>(Size + 16);
  memset(Workspace.get(), 0xaa, Size + 16);

  for (auto &[Host, Bytes] : Kept)
    Bytes.assign(Host, Bytes.size());
  TableBefore = table();
  ArgumentsBefore = arguments();
  KernelArgs *New =
      __ferry_launch_begin(P, nullptr, DeviceNumber, &Args, RootSources.data(),
                           Workspace.get(), Size);
  Launched = *New;
  LaunchedTypes.assign(New->Types, New->Types + New->NumArgs);
  Rewritten = New != &Args;
  EXPECT_EQ(arguments(), ArgumentsBefore) << "begin changed the arguments";
  for (auto &[Host, Bytes] : Kept)
    EXPECT_EQ(std::string(Host, Bytes.size()), Bytes)
        << "begin changed a captured object";
}

void LaunchRuntime::end(int32_t Status) {
  __ferry_launch_end(Workspace.get(), Status);
  EXPECT_EQ(arguments(), ArgumentsBefore) << "the arguments have changed";
  for (auto &[Host, Bytes] : Kept)
    EXPECT_EQ(std::string(Host, Bytes.size()), Bytes)
        << "a captured object has changed";
  if (!OthersMap)
    EXPECT_EQ(table(), TableBefore) << "something is left on the device";
}

void LaunchRuntime::launch(const Kernel &K, int32_t Status) {
  begin();
  if (!Status)
    fake::runKernel(DeviceNumber, &Launched, K);
  end(Status);
}
