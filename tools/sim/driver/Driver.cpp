//===- Driver.cpp - State of the stand-in CUDA driver ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Crash.h"
#include "ElfFile.h"
#include "Settings.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ferry::sim;

static Driver *TheDriver;
static bool Forked;
static thread_local DeviceState *Current;

DeviceState *ferry::sim::currentDevice() { return Current; }
void ferry::sim::setCurrentDevice(DeviceState *State) { Current = State; }

// --- Settings ----------------------------------------------------------------

/// Calls \p Do with what the program and each library that is loaded now has.
/// Each file is read once.
template <typename Fn> static void forEachDeviceCode(Fn Do) {
  static std::mutex Lock;
  static std::map<std::string, DeviceCode> Known;
  auto Visit = [](dl_phdr_info *Object, size_t, void *) {
    // The program itself has no name here.
    const char *Path =
        *Object->dlpi_name ? Object->dlpi_name : "/proc/self/exe";
    if (auto [Code, IsNew] = Known.try_emplace(Path); IsNew)
      readDeviceCode(Path, Code->second);
    return 0;
  };
  std::lock_guard<std::mutex> Guard(Lock);
  ::dl_iterate_phdr(Visit, nullptr);
  for (const auto &[Path, Code] : Known)
    Do(Code);
}

/// The newest architecture that code in the program and its libraries was built
/// for; 0 if there is none.
static uint32_t architectureOfProgram() {
  uint32_t Newest = 0;
  forEachDeviceCode([&](const DeviceCode &Code) {
    for (const DeviceCode::Image &Image : Code.Images)
      if (Image.Triple.compare(0, 7, "nvptx64") == 0)
        Newest =
            std::max(Newest, parseArchitecture(Image.Architecture.c_str()));
  });
  return Newest;
}

void Driver::readRequirements() {
  forEachDeviceCode([&](const DeviceCode &Code) {
    if (Code.UnifiedSharedMemory)
      for (auto &State : Devices)
        State->Engine.allowHostMemory();
  });
}

static bool readNumber(const NumberSetting &Setting, uint64_t &Number) {
  const char *Text = std::getenv(Setting.Variable);
  return !Text || parseNumber(Setting, Text, Number);
}

bool Driver::readSettings() {
  if (const char *Text = std::getenv(ResultsVariable))
    Folder = Text;
  PerLine = std::getenv(PerLineVariable) != nullptr;
  Quiet = std::getenv(QuietVariable) != nullptr;
  Opts.Time = std::getenv(NoTimeVariable) == nullptr;

  uint64_t BlocksPerSM = 0, Jobs = 1, NumDevices = 1;
  for (auto &[Setting, Number] :
       {std::pair(BlocksPerSMSetting, &BlocksPerSM),
        std::pair(SeedSetting, &Opts.Seed), std::pair(JobsSetting, &Jobs),
        std::pair(DevicesSetting, &NumDevices),
        std::pair(WatchdogSetting, &Opts.Watchdog),
        std::pair(SampleSetting, &Opts.SampleBlocks)})
    if (!readNumber(Setting, *Number)) {
      report(std::string("the environment variable ") + Setting.Variable +
             " has the value '" + std::getenv(Setting.Variable) +
             "', which is not in range");
      return false;
    }
  Opts.BlocksPerSM = static_cast<uint32_t>(BlocksPerSM);
  Opts.Jobs = static_cast<uint32_t>(Jobs);
  Opts.Devices = static_cast<uint32_t>(NumDevices);

  std::string Wanted;
  if (const char *Text = std::getenv(GPUVariable)) {
    if (!readModel(Text, Described)) {
      report(std::string("the environment variable ") + GPUVariable +
             " does not hold what ferry-sim --gpu writes there");
      return false;
    }
    Model = &Described;
  } else if (const char *Text = std::getenv(ArchitectureVariable)) {
    Wanted = Text;
    Model = findDeviceModel(parseArchitecture(Text));
  } else {
    constexpr uint32_t Default = 90;
    uint32_t Built = architectureOfProgram();
    Wanted = "sm_" + std::to_string(Built);
    Model = findDeviceModelFor(Built ? Built : Default);
  }
  if (Model)
    Opts.Model = Model;
  else
    report("there is no simulated GPU for " + Wanted + "; known are " +
           knownArchitectures());
  return Model != nullptr;
}

// --- Beginning and end -------------------------------------------------------

Driver *Driver::get() { return Forked ? nullptr : TheDriver; }

static void writeResultsNow() {
  if (Driver *D = Driver::get())
    D->writeResults(/*Ended=*/true);
}

Driver *Driver::initialize() {
  static std::mutex Once;
  std::lock_guard<std::mutex> Guard(Once);
  if (Forked || TheDriver)
    return get();
  auto *D = new Driver;
  if (!D->readSettings()) {
    D->writeResults(/*Ended=*/true);
    return nullptr;
  }
  // A device cannot be shared with a child, as with CUDA.
  ::pthread_atfork(nullptr, nullptr, [] { Forked = TheDriver != nullptr; });
  // Before the engine's handlers, which come first then.
  onCrash(writeResultsNow);
  ::at_quick_exit(writeResultsNow);
  for (unsigned I = 0; I < D->Opts.Devices; ++I)
    D->Devices.push_back(std::make_unique<DeviceState>(D->Opts, I));
  TheDriver = D;
  return D;
}

// Later than every atexit handler and static destructor of the program.
__attribute__((destructor)) static void atEnd() { writeResultsNow(); }

// --- Look-up -----------------------------------------------------------------

DeviceState *Driver::fromContext(const void *Context) {
  for (auto &State : Devices)
    if (State.get() == Context)
      return State.get();
  return nullptr;
}

/// Variables of the device runtime that libomptarget fills in by itself.
static bool isInternal(const char *Name) {
  for (const char *Prefix :
       {"__omp_rtl_", "__init_array_", "__fini_array_", "__llvm_rpc_"})
    if (startsWith(Name, Prefix))
      return true;
  return false;
}

DeviceState *Driver::owner(DevicePointer Address, uint64_t Bytes,
                           const char *&Internal) {
  Internal = nullptr;
  for (auto &State : Devices) {
    auto After = State->Allocations.upper_bound(Address);
    if (After == State->Allocations.begin())
      continue;
    auto [Begin, Size] = *std::prev(After);
    if (Address - Begin <= Size && Bytes <= Size - (Address - Begin))
      return State.get();
  }
  for (auto &[Handle, Loaded] : Modules) {
    const ModuleInfo &Info = *Loaded->M->Info;
    for (uint32_t I = 0; I < Info.NumGlobals; ++I) {
      const GlobalInfo &Global = Info.Globals[I];
      auto Begin = reinterpret_cast<DevicePointer>(Global.Address);
      if (Address < Begin || Address - Begin > Global.Size ||
          Bytes > Global.Size - (Address - Begin))
        continue;
      if (isInternal(Global.Name))
        Internal = Global.Name;
      return Loaded->Owner;
    }
  }
  return nullptr;
}

// --- Results -----------------------------------------------------------------

void Driver::report(const std::string &Sentence) {
  std::lock_guard<std::recursive_mutex> Guard(Lock);
  if (std::find(Errors.begin(), Errors.end(), Sentence) != Errors.end())
    return;
  Errors.push_back(Sentence);
  if (Folder.empty())
    std::fprintf(stderr, "ferry-sim: error: %s\n", Sentence.c_str());
}

ProgramResult Driver::collect() {
  ProgramResult Result;
  Result.Model = Model;
  Result.Devices = static_cast<uint32_t>(Devices.size());
  Result.PerLine = PerLine;
  Result.Quiet = Quiet;
  Result.Time = Opts.Time;
  Result.SampleBlocks = Opts.SampleBlocks;
  Result.Errors = Errors;
  for (auto &State : Devices)
    for (const KernelRecord *Record : State->Engine.kernels())
      addLambdas(Result.Lambdas, *Record->Module);
  for (auto &State : Devices) {
    for (KernelRecord *Record : State->Engine.kernels()) {
      if (!Record->Launches || isSetUpKernel(Record->Info->Name))
        continue;
      KernelResult Kernel;
      Kernel.Name = Record->Info->Name;
      Kernel.Demangled = demangleKernel(Kernel.Name, Result.Lambdas);
      Kernel.File = Record->Info->File;
      Kernel.Line =
          Record->Info->Line ? Record->Info->Line : lineOfKernel(Kernel.Name);
      Kernel.Launches = Record->Launches;
      Kernel.Blocks = Record->Blocks;
      Kernel.SampledBlocks = Record->SampledBlocks;
      Kernel.ThreadsPerBlock = 1;
      for (unsigned I = 0; I < 3; ++I) {
        Kernel.Grid[I] = Record->Grid[I];
        Kernel.Block[I] = Record->Block[I];
        Kernel.ThreadsPerBlock *= Record->Block[I];
      }
      Kernel.DynamicShared = Record->DynamicSharedBytes;
      Kernel.StaticShared = Record->Info->SharedBytes;
      Kernel.Device = Record->Total;
      Kernel.Time = Record->Time;
      Kernel.Resident = Record->Resident;
      Kernel.CodeBytes = Record->CodeBytes;
      Kernel.Registers = Record->registers();
      Kernel.OfMachineCode = Record->MachineRegisters != 0;
      Kernel.Seconds = Record->Seconds;
      auto Host = State->ByKernel.find(Record);
      if (Host != State->ByKernel.end())
        Kernel.Host = Host->second;
      addKernel(Result, Kernel);
      if (PerLine)
        addLines(Result, *Record);
    }
    Result.Totals.Host += State->Total;
    Result.SetUp += State->SetUp;
    for (const Finding &F : State->Engine.findings())
      (isNote(F.Kind) ? Result.Notes : Result.Findings).push_back(F);
  }
  return Result;
}

static void writeFile(const std::string &Path, const std::string &Text) {
  std::string Temporary = Path + ".new";
  std::FILE *File = std::fopen(Temporary.c_str(), "we");
  if (!File)
    return;
  bool Written = std::fwrite(Text.data(), 1, Text.size(), File) == Text.size();
  if (std::fclose(File) == 0 && Written)
    std::rename(Temporary.c_str(), Path.c_str());
}

void Driver::writeResults(bool Ended) {
  if (Folder.empty())
    return;
  // A crash may have come while another thread, which is no more, held this.
  std::unique_lock<std::recursive_mutex> Guard(Lock, std::defer_lock);
  for (unsigned Tries = 0; Tries < 1000 && !Guard.try_lock(); ++Tries)
    ::usleep(1000);

  ProgramResult Result = collect();
  ProcessStatus Status;
  Status.Ended = Ended;
  const Transfers &Host = Result.Totals.Host;
  Status.Findings = Result.Findings.size();
  // There are findings without a module where its constructors fail.
  Status.Used = ModulesLoaded || Host.Allocations || Host.ToDeviceCopies ||
                Status.Findings;
  Status.Errors = Errors;

  std::string Own = Folder + "/" + std::to_string(::getpid());
  ::mkdir(Own.c_str(), 0700);
  Own += "/";
  if (Model) {
    writeFile(Own + TableFile, writeTables(Result));
    writeFile(Own + JsonFile, writeJson(Result));
  }
  writeFile(Own + StatusFile, writeStatus(Status));
}

// --- What addresses are called -----------------------------------------------

/// For ferry-check, where the program has it: see ferry/AddressExplainer.h.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((visibility("default"))) void
ferry_sim_explain_with(const ferry::AddressExplainer *E) {
  explainAddressesWith(E);
}
