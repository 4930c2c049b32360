//===- Results.cpp - Sums and names of a run's results --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"
#include "../gpu/DeviceTable.h"
#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <tuple>

using namespace ferry::sim;

Transfers &Transfers::operator+=(const Transfers &Other) {
#define FERRY_HOST_COUNTER(Member, Name) Member += Other.Member;
#include "../engine/Counters.def"
  return *this;
}

const char *const ferry::sim::PipeNames[NumPipes + 1] = {"fp32", "fp64", "int",
                                                         "other", "memory"};

const CounterColumn ferry::sim::CounterColumns[] = {
    {"launches", [](const KernelResult &K) { return K.Launches; }},
    {"blocks", [](const KernelResult &K) { return K.Blocks; }},
    {"threads_per_block",
     [](const KernelResult &K) { return K.ThreadsPerBlock; }},
#define FERRY_HOST_COUNTER(Member, Name)                                       \
  {Name, [](const KernelResult &K) { return K.Host.Member; }},
#define FERRY_COUNTER(Member, Name)                                            \
  {Name, [](const KernelResult &K) { return K.Device.Member; }},
#define FERRY_TIME_COUNTER(Member, Name)                                       \
  {Name, [](const KernelResult &K) { return K.Device.Member; }, true},
#include "../engine/Counters.def"
    {nullptr, nullptr},
};

static void addTo(KernelResult &Sum, const KernelResult &Kernel) {
  Sum.Launches += Kernel.Launches;
  Sum.Blocks += Kernel.Blocks;
  Sum.SampledBlocks += Kernel.SampledBlocks;
  Sum.Device += Kernel.Device;
  Sum.Time += Kernel.Time;
  Sum.Seconds += Kernel.Seconds;
}

void ferry::sim::addKernel(ProgramResult &Result, const KernelResult &Kernel) {
  addTo(Result.Totals, Kernel);
  Result.Totals.ThreadsPerBlock =
      std::max(Result.Totals.ThreadsPerBlock, Kernel.ThreadsPerBlock);
  for (KernelResult &Known : Result.Kernels)
    if (Known.Name == Kernel.Name) {
      addTo(Known, Kernel);
      Known.Host += Kernel.Host;
      return;
    }
  auto Before = [](const KernelResult &A, const KernelResult &B) {
    return std::tie(A.File, A.Line, A.Name) < std::tie(B.File, B.Line, B.Name);
  };
  Result.Kernels.insert(std::upper_bound(Result.Kernels.begin(),
                                         Result.Kernels.end(), Kernel, Before),
                        Kernel);
}

static const char *accessName(InstructionKind Kind) {
  switch (Kind) {
  case InstructionKind::Load:
    return "load";
  case InstructionKind::Store:
    return "store";
  case InstructionKind::Atomic:
    return "atomic";
  case InstructionKind::Branch:
    return "branch";
  case InstructionKind::Sync:
  case InstructionKind::Arrival:
    break;
  }
  return "";
}

void ferry::sim::addLines(ProgramResult &Result, const KernelRecord &Record) {
  auto Key = [](const LineResult &L) {
    return std::tie(L.File, L.Line, L.Access);
  };
  auto Before = [&](const LineResult &A, const LineResult &B) {
    return Key(A) < Key(B);
  };
  for (size_t I = 1; I < Record.Instructions.size(); ++I) {
    const InstructionCounters &Sum = Record.Instructions[I];
    if (!Sum.Requests && !Sum.SharedRequests)
      continue;
    const InstructionInfo &Info = Record.Module->Instructions[I];
    LineResult Line;
    Line.File = Info.File;
    Line.Line = Info.Line;
    Line.Access = accessName(Info.Kind);
    auto It = std::lower_bound(Result.Lines.begin(), Result.Lines.end(), Line,
                               Before);
    if (It == Result.Lines.end() || Key(*It) != Key(Line))
      It = Result.Lines.insert(It, Line);
    It->Sum += Sum;
    It->Kernels.insert(Record.Info->Name);
  }
}

// --- Time --------------------------------------------------------------------

ProgramTime ferry::sim::timeOf(const ProgramResult &Result) {
  ProgramTime Time;
  Time.Kernels = Result.Totals.Time;
  const Transfers &Host = Result.Totals.Host;
  auto Link = [&](uint64_t Copies, uint64_t Bytes) {
    return static_cast<double>(Copies) * Result.Model->LinkUs * 1e-6 +
           static_cast<double>(Bytes) / (Result.Model->LinkGBs * 1e9);
  };
  Time.ToDevice = Link(Host.ToDeviceCopies, Host.ToDeviceBytes);
  Time.FromDevice = Link(Host.FromDeviceCopies, Host.FromDeviceBytes);
  TimeEstimate Copies;
  Copies.Seconds = Copies.Least = Copies.Most = Copies.Busy[LinkUnit] =
      Time.ToDevice + Time.FromDevice;
  Time.All = Time.Kernels;
  Time.All += Copies;
  return Time;
}

Unit ProgramTime::limiter() const {
  const Unit OfKernels = Kernels.limiter();
  return All.Busy[LinkUnit] > Kernels.Busy[OfKernels] ? LinkUnit : OfKernels;
}

// --- Names -------------------------------------------------------------------

void ferry::sim::addLambdas(LambdaPlaces &Places, const ModuleInfo &Module) {
  for (uint32_t I = 0; I < Module.NumLambdas; ++I) {
    const LambdaInfo &Lambda = Module.Lambdas[I];
    const std::string File = Lambda.File;
    const std::string Place =
        File.substr(File.rfind('/') + 1) + ":" + std::to_string(Lambda.Line);
    auto [Known, New] = Places.insert({Lambda.Number, Place});
    if (!New && Known->second != Place)
      Known->second.clear();
  }
}

/// Replaces the numbers of lambdas, "#1000123", that are Ferry's.
static std::string withPlaces(std::string Text, const LambdaPlaces &Lambdas) {
  for (size_t At = 0; (At = Text.find('#', At)) != std::string::npos; ++At) {
    const size_t End = Text.find_first_not_of("0123456789", At + 1);
    const std::string Digits = Text.substr(At + 1, End - At - 1);
    const uint64_t Number = std::strtoull(Digits.c_str(), nullptr, 10);
    if (Number < FirstLambdaNumber)
      continue;
    auto Known = Lambdas.find(static_cast<uint32_t>(Number));
    const bool HasPlace = Known != Lambdas.end() && !Known->second.empty();
    Text.replace(At, 1 + Digits.size(), HasPlace ? " at " + Known->second : "");
  }
  return Text;
}

/// A function's name as in the source; other text as it is.
static std::string demangle(const std::string &Name) {
  if (Name.compare(0, 2, "_Z") != 0)
    return Name;
  int Status = 0;
  char *Text = abi::__cxa_demangle(Name.c_str(), nullptr, nullptr, &Status);
  std::string Result = Status == 0 && Text ? Text : Name;
  std::free(Text);
  return Result;
}

static bool allOf(const std::string &Text, size_t Begin, size_t End,
                  const char *Characters) {
  return Begin < End &&
         Text.substr(Begin, End - Begin).find_first_not_of(Characters) ==
             std::string::npos;
}

namespace {
/// The parts of a kernel's name.
struct RegionName {
  std::string Function; ///< as mangled
  std::string Line;
  std::string Number;    ///< of further regions on the same line, or empty
  bool Unstaged = false; ///< the version without staging
};
} // namespace

// __omp_offloading_<device>_<file>_<function>_l<line>, and _<number> behind it
// for a second region on the same line, and _omp_outlined for parts of it; at
// -O0 with -g _debug__ behind both. A kernel that takes captured words has
// _ferry_<hash> behind all; its version without staging _unstaged behind that.
static bool parseRegionName(const std::string &Name, RegionName &Result) {
  constexpr char Hex[] = "0123456789abcdef", Decimal[] = "0123456789";
  const std::string Prefix = "__omp_offloading_", Part = "_omp_outlined",
                    Debug = "_debug__", Words = "_ferry_",
                    Unstaged = "_unstaged";
  if (Name.compare(0, Prefix.size(), Prefix) != 0)
    return false;
  size_t File = Name.find('_', Prefix.size());
  size_t Function = File == std::string::npos ? File : Name.find('_', File + 1);
  size_t End = std::min(Name.find(Part), Name.size());
  Result.Unstaged =
      End > Unstaged.size() &&
      Name.compare(End - Unstaged.size(), Unstaged.size(), Unstaged) == 0;
  if (Result.Unstaged)
    End -= Unstaged.size();
  size_t Hash = Name.rfind(Words, End);
  if (Hash != std::string::npos && allOf(Name, Hash + Words.size(), End, Hex))
    End = Hash;
  if (End > Debug.size() &&
      Name.compare(End - Debug.size(), Debug.size(), Debug) == 0)
    End -= Debug.size();
  size_t Line = Name.rfind("_l", End - 1);
  if (Function == std::string::npos || Line == std::string::npos ||
      Line <= Function || !allOf(Name, Prefix.size(), File, Hex) ||
      !allOf(Name, File + 1, Function, Hex))
    return false;
  size_t LineEnd = std::min(Name.find('_', Line + 2), End);
  if (!allOf(Name, Line + 2, LineEnd, Decimal) ||
      (LineEnd != End && !allOf(Name, LineEnd + 1, End, Decimal)))
    return false;
  Result.Function = Name.substr(Function + 1, Line - Function - 1);
  Result.Line = Name.substr(Line + 2, LineEnd - Line - 2);
  if (LineEnd != End)
    Result.Number = Name.substr(LineEnd + 1, End - LineEnd - 1);
  return true;
}

static bool isConstructors(const std::string &Name) {
  return Name == InitKernel || Name == "nvptx$device$init";
}
static bool isDestructors(const std::string &Name) {
  return Name == FiniKernel || Name == "nvptx$device$fini";
}
bool ferry::sim::isSetUpKernel(const std::string &Name) {
  return isConstructors(Name) || isDestructors(Name);
}

std::string ferry::sim::demangleKernel(const std::string &Name,
                                       const LambdaPlaces &Lambdas) {
  RegionName Region;
  if (isConstructors(Name))
    return "constructors of device variables";
  if (isDestructors(Name))
    return "destructors of device variables";
  if (!parseRegionName(Name, Region))
    return withPlaces(demangle(Name), Lambdas);
  return withPlaces(demangle(Region.Function), Lambdas) + ", line " +
         Region.Line +
         (Region.Number.empty() ? "" : " (" + Region.Number + ")") +
         (Region.Unstaged ? ", unstaged" : "");
}

uint32_t ferry::sim::lineOfKernel(const std::string &Name) {
  RegionName Region;
  return parseRegionName(Name, Region) ? static_cast<uint32_t>(std::strtoul(
                                             Region.Line.c_str(), nullptr, 10))
                                       : 0;
}
