//===- CudaModule.cpp - Driver API: modules and launches ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaCall.h"
#include "Driver.h"
#include "ElfFile.h"
#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace ferry::sim;

// --- Modules -----------------------------------------------------------------

/// How many bytes can be read from \p Address on. An image comes without its
/// size, and what it says of itself is not to be trusted.
static uint64_t readableBytes(const void *Address) {
  auto Begin = reinterpret_cast<uintptr_t>(Address);
  uintptr_t End = 0;
  std::FILE *Maps = std::fopen("/proc/self/maps", "re");
  if (!Maps)
    return 0;
  char Line[4352]; // a path, and what stands before it
  while (std::fgets(Line, sizeof(Line), Maps)) {
    unsigned long From, To;
    char Readable;
    if (std::sscanf(Line, "%lx-%lx %c", &From, &To, &Readable) != 3 ||
        Readable != 'r')
      continue;
    if (End ? From == End : From <= Begin && Begin < To)
      End = To;
  }
  std::fclose(Maps);
  return End ? End - Begin : 0;
}

/// Opens \p Image as \p Elf and finds the translated module in it.
static CudaError findModule(Driver &D, const void *Image, ElfFile &Elf,
                            Bytes &Translated) {
  Bytes Content(static_cast<const char *>(Image), readableBytes(Image));
  if (!Elf.open(Content)) {
    D.report("a device image of the program cannot be loaded: " + Elf.error());
    return CudaError::InvalidImage;
  }
  if (Elf.machine() != MachineCuda || !Elf.section(ImageSection, Translated)) {
    D.report("this program was not built with --ferry-sim: compile and link "
             "it with `ferry-clang++ --ferry-sim`");
    return CudaError::InvalidImage;
  }
  uint32_t Architecture = Elf.flags() & 0xff;
  if (!runsOn(Architecture, D.Model->Architecture)) {
    D.report(
        "the program's device code is for sm_" + std::to_string(Architecture) +
        ", which does not run on sm_" + std::to_string(D.Model->Architecture) +
        ": give ferry-sim another --gpu or --sm, or build it for this one");
    return CudaError::NoBinaryForGPU;
  }
  return CudaError::Success;
}

FERRY_CUDA_API cuModuleLoadDataEx(void **Handle, const void *Image,
                                  unsigned /*NumOptions*/, void * /*Options*/,
                                  void ** /*Values*/) {
  FERRY_CONTEXT;
  if (!Handle || !Image)
    return CudaError::InvalidValue;
  ElfFile Elf;
  Bytes Translated;
  CudaError Error = findModule(*D, Image, Elf, Translated);
  if (Error != CudaError::Success)
    return Error;
  D->readRequirements();
  std::string Why;
  Module *M = State.Engine.load(Translated.data(), Translated.size(), Why);
  if (!M) {
    D->report("the program's device code cannot be loaded: " + Why);
    return CudaError::InvalidImage;
  }
  const std::map<std::string, uint32_t> Registers = registersOf(Elf);
  for (const std::unique_ptr<KernelRecord> &Kernel : M->Kernels)
    if (auto Known = Registers.find(Kernel->Info->Name);
        Known != Registers.end())
      Kernel->MachineRegisters = Known->second;
  // Should the program end without a chance to write more.
  if (++D->ModulesLoaded == 1)
    D->writeResults(/*Ended=*/false);
  *Handle = insert(D->Modules,
                   std::make_unique<LoadedModule>(LoadedModule{&State, M}));
  return CudaError::Success;
}
FERRY_CUDA_API cuModuleLoadData(void **Handle, const void *Image) {
  return cuModuleLoadDataEx(Handle, Image, 0, nullptr, nullptr);
}

FERRY_CUDA_API cuModuleUnload(void *Handle) {
  FERRY_DRIVER;
  LoadedModule *Loaded = find(D->Modules, Handle);
  if (!Loaded)
    return CudaError::InvalidHandle;
  for (auto It = D->Functions.begin(); It != D->Functions.end();)
    It = It->second->Owner == Loaded ? D->Functions.erase(It) : std::next(It);
  Loaded->Owner->Engine.unload(Loaded->M);
  D->Modules.erase(Handle);
  return CudaError::Success;
}

FERRY_CUDA_API cuModuleGetGlobal_v2(DevicePointer *Address, size_t *Size,
                                    void *Handle, const char *Name) {
  FERRY_DRIVER;
  LoadedModule *Loaded = find(D->Modules, Handle);
  if (!Loaded)
    return CudaError::InvalidHandle;
  if (!Name)
    return CudaError::InvalidValue;
  const ModuleInfo &Info = *Loaded->M->Info;
  for (uint32_t I = 0; I < Info.NumGlobals; ++I) {
    const GlobalInfo &Global = Info.Globals[I];
    if (std::strcmp(Global.Name, Name) != 0)
      continue;
    if (Address)
      *Address = reinterpret_cast<DevicePointer>(Global.Address);
    if (Size)
      *Size = Global.Size;
    return CudaError::Success;
  }
  return CudaError::NotFound;
}

FERRY_CUDA_API cuModuleGetFunction(void **Handle, void *OfModule,
                                   const char *Name) {
  FERRY_DRIVER;
  LoadedModule *Loaded = find(D->Modules, OfModule);
  if (!Loaded)
    return CudaError::InvalidHandle;
  if (!Handle || !Name)
    return CudaError::InvalidValue;
  for (auto &Kernel : Loaded->M->Kernels) {
    if (std::strcmp(Kernel->Info->Name, Name) != 0)
      continue;
    uint32_t Shared = std::min(Kernel->Info->SharedBytes, SharedPerBlock);
    *Handle = insert(D->Functions,
                     std::make_unique<Function>(Function{
                         Loaded, Kernel.get(), SharedPerBlock - Shared}));
    return CudaError::Success;
  }
  return CudaError::NotFound;
}

FERRY_CUDA_API cuFuncGetAttribute(int *Value, FunctionAttribute Which,
                                  void *Handle) {
  FERRY_DRIVER;
  Function *F = find(D->Functions, Handle);
  if (!F)
    return CudaError::InvalidHandle;
  if (!Value || static_cast<int>(Which) < 0 || Which >= FunctionAttribute::Last)
    return CudaError::InvalidValue;
  const KernelInfo &Info = *F->Kernel->Info;
  switch (Which) {
  case FunctionAttribute::MaxThreadsPerBlock:
    *Value = static_cast<int>(std::min(Info.MaxThreads, ThreadsPerBlock));
    break;
  case FunctionAttribute::SharedSizeBytes:
    *Value = static_cast<int>(Info.SharedBytes);
    break;
  case FunctionAttribute::BinaryVersion:
    *Value = static_cast<int>(F->Kernel->Module->Architecture);
    break;
  case FunctionAttribute::MaxDynamicSharedSizeBytes:
    *Value = static_cast<int>(F->MaxDynamicShared);
    break;
  default:
    *Value = 0;
  }
  return CudaError::Success;
}

FERRY_CUDA_API cuFuncSetAttribute(void *Handle, FunctionAttribute Which,
                                  int Value) {
  FERRY_DRIVER;
  Function *F = find(D->Functions, Handle);
  if (!F)
    return CudaError::InvalidHandle;
  uint32_t Static = F->Kernel->Info->SharedBytes;
  if (Which != FunctionAttribute::MaxDynamicSharedSizeBytes || Value < 0 ||
      uint64_t(Static) + uint64_t(Value) > D->Model->sharedPerBlockOptin())
    return CudaError::InvalidValue;
  F->MaxDynamicShared = static_cast<uint32_t>(Value);
  return CudaError::Success;
}

/// Where argument \p Index lies among all, one behind the other, each at its
/// alignment.
static uint64_t offsetOf(const KernelInfo &Info, size_t Index) {
  uint64_t Offset = 0;
  for (size_t I = 0;; ++I) {
    const uint64_t Align = std::max(Info.Arguments[I].Align, 1U);
    Offset = (Offset + Align - 1) / Align * Align;
    if (I == Index)
      return Offset;
    Offset += Info.Arguments[I].Size;
  }
}

FERRY_CUDA_API cuFuncGetParamInfo(void *Handle, size_t Index, size_t *Offset,
                                  size_t *Size) {
  FERRY_DRIVER;
  Function *F = find(D->Functions, Handle);
  if (!F)
    return CudaError::InvalidHandle;
  const KernelInfo &Info = *F->Kernel->Info;
  if (!Offset || Index >= Info.NumArguments)
    return CudaError::InvalidValue;
  *Offset = offsetOf(Info, Index);
  if (Size)
    *Size = Info.Arguments[Index].Size;
  return CudaError::Success;
}

/// The size of blocks of which most warps are resident; of several the largest.
FERRY_CUDA_API cuOccupancyMaxPotentialBlockSize(int *MinGrid, int *BlockSize,
                                                void *Handle,
                                                size_t (*SharedOf)(int),
                                                size_t DynamicShared,
                                                int Limit) {
  FERRY_DRIVER;
  Function *F = find(D->Functions, Handle);
  if (!F)
    return CudaError::InvalidHandle;
  if (!MinGrid || !BlockSize || Limit < 0)
    return CudaError::InvalidValue;
  const KernelInfo &Info = *F->Kernel->Info;
  uint32_t Most = std::min(Info.MaxThreads, ThreadsPerBlock);
  if (Limit)
    Most = std::min(Most, static_cast<uint32_t>(Limit));
  uint32_t MostWarps = 0;
  *BlockSize = *MinGrid = 0;
  for (uint32_t Threads = Most; Threads > 0;
       Threads = (Threads - 1) / WarpSize * WarpSize) {
    BlockNeeds Needs;
    Needs.Threads = Threads;
    Needs.SharedBytes =
        Info.SharedBytes +
        (SharedOf ? SharedOf(static_cast<int>(Threads)) : DynamicShared);
    Needs.Registers = F->Kernel->registers();
    if (Needs.SharedBytes > D->Model->sharedPerBlockOptin())
      continue;
    const Occupancy Here = occupancyOf(*D->Model, Needs, UINT32_MAX, 0);
    if (Here.Warps <= MostWarps)
      continue;
    MostWarps = Here.Warps;
    *BlockSize = static_cast<int>(Threads);
    *MinGrid = static_cast<int>(Here.Blocks * D->Model->multiprocessors());
  }
  return CudaError::Success;
}

// --- Launches ----------------------------------------------------------------

/// Whether a launch of this shape is one that the device can make; if not, says
/// which limit it breaks.
static bool checkLimits(Driver &D, const Function &F, const uint32_t Grid[3],
                        const uint32_t Block[3], uint32_t DynamicShared) {
  const KernelInfo &Info = *F.Kernel->Info;
  auto Refuse = [&](const std::string &Why) {
    D.report("kernel '" + demangleKernel(Info.Name) +
             "' cannot be launched: " + Why);
    return false;
  };
  uint64_t Threads = 1;
  for (unsigned I = 0; I < 3; ++I) {
    if (!Grid[I] || Grid[I] > MaxGridDim[I] || !Block[I] ||
        Block[I] > MaxBlockDim[I])
      return Refuse("dimension " + std::to_string(I) + " is " +
                    std::to_string(Grid[I]) + " blocks of " +
                    std::to_string(Block[I]) + " threads; possible are 1 to " +
                    std::to_string(MaxGridDim[I]) + " blocks of 1 to " +
                    std::to_string(MaxBlockDim[I]));
    Threads *= Block[I];
  }
  uint32_t MaxThreads = std::min(Info.MaxThreads, ThreadsPerBlock);
  if (Threads > MaxThreads)
    return Refuse(std::to_string(Threads) +
                  " threads per block; the limit is " +
                  std::to_string(MaxThreads));
  if (DynamicShared > F.MaxDynamicShared)
    return Refuse(std::to_string(DynamicShared) +
                  " bytes of dynamic shared memory beside " +
                  std::to_string(Info.SharedBytes) +
                  " of static; the limit is " +
                  std::to_string(F.MaxDynamicShared));
  if (Info.SharedBytes > SharedPerBlock)
    return Refuse(std::to_string(Info.SharedBytes) +
                  " bytes of static shared memory; the limit is " +
                  std::to_string(SharedPerBlock));
  return true;
}

/// Finds the arguments in a buffer that holds one behind the other, each at its
/// alignment. False if the buffer is too small.
static bool unpackArguments(const KernelInfo &Info, void **Extra,
                            std::vector<void *> &Arguments) {
  char *Buffer = nullptr;
  uint64_t Size = 0;
  for (; reinterpret_cast<uintptr_t>(*Extra) != LaunchParameterEnd;
       Extra += 2) {
    if (reinterpret_cast<uintptr_t>(*Extra) == LaunchParameterBuffer)
      Buffer = static_cast<char *>(Extra[1]);
    else if (reinterpret_cast<uintptr_t>(*Extra) == LaunchParameterBufferSize &&
             Extra[1])
      Size = *static_cast<size_t *>(Extra[1]);
    else
      return false;
  }
  for (uint32_t I = 0; I < Info.NumArguments; ++I) {
    const uint64_t Offset = offsetOf(Info, I);
    if (!Buffer || Offset > Size || Size - Offset < Info.Arguments[I].Size)
      return false;
    Arguments.push_back(Buffer + Offset);
  }
  return true;
}

/// What a real driver would say of a launch that ended like this.
static CudaError errorOf(const std::vector<Finding> &Findings) {
  auto Last = std::find_if(Findings.rbegin(), Findings.rend(),
                           [](const Finding &F) { return !isNote(F.Kind); });
  if (Last == Findings.rend())
    return CudaError::LaunchFailed;
  switch (Last->Kind) {
  case FindingKind::OutOfBounds:
  case FindingKind::HostPointer:
  case FindingKind::BadAddress:
    return CudaError::IllegalAddress;
  case FindingKind::Misaligned:
    return CudaError::MisalignedAddress;
  case FindingKind::EndlessSpin:
    return CudaError::LaunchTimeout;
  default:
    return CudaError::LaunchFailed;
  }
}

FERRY_CUDA_API cuLaunchKernel(void *Handle, unsigned GridX, unsigned GridY,
                              unsigned GridZ, unsigned BlockX, unsigned BlockY,
                              unsigned BlockZ, unsigned DynamicShared,
                              void *Stream, void **Parameters, void **Extra) {
  FERRY_DRIVER;
  Function *F = find(D->Functions, Handle);
  if (!F || (Stream && !find(D->Streams, Stream)))
    return CudaError::InvalidHandle;
  DeviceState &State = *F->Owner->Owner;
  if (State.Failed != CudaError::Success)
    return State.Failed;
  KernelRecord &Kernel = *F->Kernel;
  std::vector<void *> Arguments;
  if (!Parameters) {
    if (Extra ? !unpackArguments(*Kernel.Info, Extra, Arguments)
              : Kernel.Info->NumArguments != 0) {
      D->report("kernel '" + demangleKernel(Kernel.Info->Name) +
                "' was launched with fewer bytes of arguments than it takes");
      return CudaError::InvalidValue;
    }
    Parameters = Arguments.data();
  }
  const uint32_t Grid[3] = {GridX, GridY, GridZ};
  const uint32_t Block[3] = {BlockX, BlockY, BlockZ};
  if (!checkLimits(*D, *F, Grid, Block, DynamicShared))
    return CudaError::InvalidValue;

  // libomptarget runs these by itself, before and after everything else.
  State.RunsConstructors = false;
  State.LastWasSetUp = isSetUpKernel(Kernel.Info->Name);
  if (!State.LastWasSetUp) {
    State.ByKernel[&Kernel] += State.Pending;
    State.Pending = Transfers();
    State.LastKernel = &Kernel;
  }

  // Other threads may use the driver meanwhile.
  Guard.unlock();
  bool Completed =
      State.Engine.launch(Kernel, Grid, Block, DynamicShared, Parameters);
  Guard.lock();
  if (!Completed) {
    // Nobody else would, if the program aborts: an assertion has told why.
    std::fflush(stdout);
    State.Failed = errorOf(State.Engine.findings());
  }
  return State.Failed;
}
