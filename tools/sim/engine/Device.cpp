//===- Device.cpp - Modules and launches ----------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../gpu/DeviceTable.h"
#include "Faults.h"
#include "Lanes.h"

#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <optional>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace ferry::sim {

/// Addresses that a device has; the memory of the host is the limit.
constexpr uint64_t MemoryBytes = uint64_t(64) << 30;

const char *findingName(FindingKind Kind) {
  switch (Kind) {
  case FindingKind::OutOfBounds:
    return "out-of-bounds";
  case FindingKind::HostPointer:
    return "host-pointer";
  case FindingKind::UninitializedShared:
    return "uninitialized-shared";
  case FindingKind::SharedRace:
    return "shared-race";
  case FindingKind::PartialBarrier:
    return "partial-barrier";
  case FindingKind::RegionBarrier:
    return "region-barrier";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::EndlessSpin:
    return "endless-spin";
  case FindingKind::Misaligned:
    return "misaligned";
  case FindingKind::AsyncCopy:
    return "async-copy";
  case FindingKind::Trap:
    return "trap";
  case FindingKind::Unknown:
    return "unknown";
  case FindingKind::BadAddress:
    return "bad-address";
  }
  return "";
}

// --- Workers -----------------------------------------------------------------

static uint32_t *mapTags(uint64_t Num) {
  void *Tags = mmap(nullptr, Num * sizeof(uint32_t), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Tags == MAP_FAILED) {
    perror("ferry-sim: error: no addresses for the counters of sectors");
    _exit(2);
  }
  return static_cast<uint32_t *>(Tags);
}

Worker::Worker(uint64_t Bytes) : NumSectors(Bytes / 32) {
  for (uint32_t *&Tags : SectorTags)
    Tags = mapTags(NumSectors);
}

Worker::~Worker() {
  for (uint32_t *Tags : SectorTags)
    munmap(Tags, NumSectors * sizeof(uint32_t));
  for (const std::unique_ptr<Block> &B : Spare)
    slots::release(B->Slot);
}

// --- The device --------------------------------------------------------------

struct Device::State {
  Options Opts;
  GlobalMemory Memory;
  Findings Found;
  std::mutex Launching;
  mutable std::mutex Lock; ///< of what follows
  std::vector<std::unique_ptr<Module>> Modules;
  /// What outlives its module: the tables it points to stay loaded.
  std::vector<KernelRecord *> Records;
  std::vector<std::unique_ptr<KernelRecord>> Old;
  std::vector<std::unique_ptr<Worker>> Workers;
  std::unique_ptr<MemoryHierarchy> Hierarchy; ///< from the first launch on
  std::atomic<bool> HostMemory{false};        ///< may be used by kernels

  State(const Options &Opts, unsigned Number)
      : Opts(Opts), Memory(Number, MemoryBytes) {}

  // The parts of a launch, in order.
  bool setSizes(Launch &L, const DeviceModel *Model) const;
  void placeBlocks(Launch &L, const DeviceModel &Model,
                   std::optional<LaunchTraffic> &Traffic);
  void execute(Launch &L);
};

Device::Device(const Options &Opts, unsigned Number)
    : S(std::make_unique<State>(Opts, Number)) {}
Device::~Device() = default;

void *Device::allocate(uint64_t Bytes) { return S->Memory.allocate(Bytes); }
bool Device::release(void *Pointer) { return S->Memory.release(Pointer); }
uint64_t Device::memoryBytes() const { return S->Memory.size(); }
uint64_t Device::freeBytes() const {
  return S->Memory.size() - S->Memory.used();
}

/// Whether this processor has \p Feature.
static bool hasFeature(const char *Feature, size_t Length) {
  const std::string Name(Feature, Length);
  return Name == "avx2"  ? __builtin_cpu_supports("avx2")
         : Name == "fma" ? __builtin_cpu_supports("fma")
         : Name == "bmi" ? __builtin_cpu_supports("bmi")
                         : Name == "bmi2" && __builtin_cpu_supports("bmi2");
}

/// Loads the shared object from memory. Each call makes another copy of its
/// variables, which is what several devices want. The file stays open: the
/// loader takes a library of the same name for the same library.
static void *loadShared(const void *Data, uint64_t Bytes, std::string &Error) {
  const int File = memfd_create("ferry-sim-module", MFD_CLOEXEC);
  if (File < 0) {
    Error = "cannot make a file in memory";
    return nullptr;
  }
  const char *From = static_cast<const char *>(Data);
  for (uint64_t Left = Bytes; Left;) {
    const ssize_t Written = write(File, From, Left);
    if (Written <= 0) {
      Error = "cannot write a file in memory";
      close(File);
      return nullptr;
    }
    From += Written;
    Left -= static_cast<uint64_t>(Written);
  }
  const std::string Path = "/proc/self/fd/" + std::to_string(File);
  void *Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle) {
    Error = dlerror();
    close(File);
  }
  return Handle;
}

Module *Device::load(const void *Data, uint64_t Bytes, std::string &Error) {
  void *Handle = loadShared(Data, Bytes, Error);
  if (!Handle) {
    Error = "the device code cannot be loaded (" + Error +
            "): link the program again";
    return nullptr;
  }
  auto *Info = static_cast<const ModuleInfo *>(dlsym(Handle, ModuleSymbol));
  if (!Info || Info->Version != ABIVersion) {
    Error = "the device code was translated by another version of Ferry: link "
            "the program again";
    dlclose(Handle);
    return nullptr;
  }
  for (const char *F = Info->Features; *F;) {
    const size_t Length = strcspn(F, " ");
    if (!hasFeature(F, Length)) {
      Error =
          "the device code was translated on a machine whose processor has " +
          std::string(F, Length) +
          ", which this one lacks: link the program again here";
      dlclose(Handle);
      return nullptr;
    }
    F += Length;
    F += *F == ' ';
  }
  auto M = std::make_unique<Module>();
  M->Info = Info;
  M->Handle = Handle;
  for (uint32_t K = 0; K < Info->NumKernels; ++K) {
    auto Record = std::make_unique<KernelRecord>();
    Record->Info = &Info->Kernels[K];
    Record->Module = Info;
    M->Kernels.push_back(std::move(Record));
  }
  for (uint32_t G = 0; G < Info->NumGlobals; ++G)
    S->Memory.addForeign(Info->Globals[G].Address, Info->Globals[G].Size);
  if (!runOnce(*M, InitKernel)) {
    Error = "the constructors of the device code's variables failed";
    return nullptr;
  }
  std::lock_guard<std::mutex> Guard(S->Lock);
  for (const auto &Record : M->Kernels)
    if (!isOwn(Record->Info->Name))
      S->Records.push_back(Record.get());
  S->Modules.push_back(std::move(M));
  return S->Modules.back().get();
}

void Device::allowHostMemory() { S->HostMemory = true; }

bool Device::isOwn(std::string_view Name) {
  return Name == InitKernel || Name == FiniKernel;
}

bool Device::runOnce(const Module &M, std::string_view Name) {
  for (const auto &Record : M.Kernels)
    if (Record->Info->Name == Name) {
      const uint32_t One[3] = {1, 1, 1};
      return launch(*Record, One, One, 0, nullptr);
    }
  return true;
}

void Device::unload(Module *M) {
  runOnce(*M, FiniKernel);
  std::lock_guard<std::mutex> Launch(S->Launching);
  std::lock_guard<std::mutex> Guard(S->Lock);
  for (auto It = S->Modules.begin(); It != S->Modules.end(); ++It) {
    if (It->get() != M)
      continue;
    for (uint32_t G = 0; G < M->Info->NumGlobals; ++G)
      S->Memory.removeForeign(M->Info->Globals[G].Address);
    // Reports need its names, so the library stays.
    for (auto &Record : M->Kernels)
      S->Old.push_back(std::move(Record));
    S->Modules.erase(It);
    return;
  }
}

static std::atomic<const AddressExplainer *> Explainer{nullptr};

void explainAddressesWith(const AddressExplainer *E) { Explainer = E; }

/// Sets how many blocks of \p L there are and are active.
/// \returns whether the device can have such blocks.
bool Device::State::setSizes(Launch &L, const DeviceModel *Model) const {
  L.Blocks.NumBlocks = uint64_t(L.Grid[0]) * L.Grid[1] * L.Grid[2];
  L.NumLanes = L.BlockDim[0] * L.BlockDim[1] * L.BlockDim[2];
  L.SharedBytes = uint64_t(L.Kernel->Module->SharedBytes) + L.DynamicShared;
  L.Blocks.SMs = Model ? Model->multiprocessors() : 1;
  const unsigned PerSM = Opts.BlocksPerSM ? Opts.BlocksPerSM
                         : Model          ? Model->limits().Blocks
                                          : 1;
  if (L.NumLanes == 0 || L.NumLanes > slots::MaxLanes ||
      L.Blocks.NumBlocks == 0 || L.SharedBytes > slots::SharedBytes)
    return false;
  L.Jobs = static_cast<unsigned>(
      std::min<uint64_t>({Opts.Jobs, L.Blocks.NumBlocks, L.Blocks.SMs}));
  L.MaxActive = std::min(std::max(PerSM * L.Blocks.SMs / L.Jobs, 1u),
                         slots::Num / 2 / L.Jobs);
  return true;
}

/// Places the blocks of \p L on multiprocessors. If its time is calculated, it
/// has \p Traffic afterwards.
void Device::State::placeBlocks(Launch &L, const DeviceModel &Model,
                                std::optional<LaunchTraffic> &Traffic) {
  const KernelRecord &Kernel = *L.Kernel;
  const Occupancy Resident = occupancyOf(Model, needsOf(L, Kernel.registers()),
                                         L.Blocks.NumBlocks, Opts.BlocksPerSM);
  L.Blocks.PerSM = Resident.Blocks;
  if (isOwn(Kernel.Info->Name))
    return;
  if (Opts.SampleBlocks)
    L.Blocks.sample(Opts.SampleBlocks);
  if (!Opts.Time)
    return;
  if (!Hierarchy)
    Hierarchy = std::make_unique<MemoryHierarchy>(Model);
  Traffic.emplace(*Hierarchy, L.Blocks, Resident, Opts.Seed);
  L.Traffic = &*Traffic;
}

/// Executes \p L in so many threads as it has jobs, this one included.
void Device::State::execute(Launch &L) {
  while (Workers.size() < L.Jobs)
    Workers.push_back(std::make_unique<Worker>(Memory.size()));
  auto Work = [&L](Worker &W, unsigned Job) {
    W.Current = &L;
    W.Job = Job;
    watchFaults(&W);
    W.run(L);
    watchFaults(nullptr);
  };
  std::vector<std::thread> Threads;
  for (unsigned J = 1; J < L.Jobs; ++J)
    Threads.emplace_back(Work, std::ref(*Workers[J]), J);
  Work(*Workers[0], 0);
  for (std::thread &T : Threads)
    T.join();
}

static uint64_t linkBytes(const Counters &C) {
  return C.LinkReadBytes + C.LinkWriteBytes;
}

bool Device::launch(KernelRecord &Kernel, const uint32_t Grid[3],
                    const uint32_t BlockDim[3], uint32_t DynamicShared,
                    void **Arguments) {
  std::lock_guard<std::mutex> Guard(S->Launching);
  const auto Begin = std::chrono::steady_clock::now();
  const DeviceModel *Model =
      S->Opts.Model ? S->Opts.Model
                    : findDeviceModelFor(Kernel.Module->Architecture);
  Launch L;
  L.Opts = &S->Opts;
  L.Memory = &S->Memory;
  L.HostMemory = S->HostMemory;
  L.Found = &S->Found;
  L.Kernel = &Kernel;
  std::copy(Grid, Grid + 3, L.Grid);
  std::copy(BlockDim, BlockDim + 3, L.BlockDim);
  L.DynamicShared = DynamicShared;
  L.Arguments = Arguments;
  L.Traffic = nullptr;
  L.Explainer = Explainer.load();
  if (L.Explainer)
    L.Explained = L.Explainer->Launch();
  if (!S->setSizes(L, Model))
    return false;
  std::optional<LaunchTraffic> Traffic;
  if (Model)
    S->placeBlocks(L, *Model, Traffic);
  ++Kernel.Launches;
  Kernel.Blocks += L.Blocks.NumBlocks;
  std::copy(Grid, Grid + 3, Kernel.Grid);
  std::copy(BlockDim, BlockDim + 3, Kernel.Block);
  Kernel.DynamicSharedBytes = DynamicShared;
  S->execute(L);
  const uint64_t LinkBefore = linkBytes(Kernel.Total);
  collectCounts(L, S->Workers);
  if (Traffic) {
    Traffic->finishAll();
    Traffic->LinkBytes = linkBytes(Kernel.Total) - LinkBefore;
    collectTraffic(*Traffic, L, *Model);
  }
  Kernel.Seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin)
          .count();
  return !L.Ended;
}

std::vector<KernelRecord *> Device::kernels() const {
  std::lock_guard<std::mutex> Guard(S->Lock);
  return S->Records;
}

std::vector<Finding> Device::findings() const { return S->Found.all(); }

} // namespace ferry::sim
