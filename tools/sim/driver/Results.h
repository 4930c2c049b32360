//===- Results.h - What a run of a program gives --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data between the driver, which collects it, and the reports.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_RESULTS_H
#define FERRY_SIM_RESULTS_H

#include "../engine/Engine.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ferry::sim {

struct DeviceModel;

/// What the host did with a device's memory. Meaning: docs/simulator.md.
struct Transfers {
#define FERRY_HOST_COUNTER(Member, Name) uint64_t Member = 0;
#include "../engine/Counters.def"
  Transfers &operator+=(const Transfers &Other);
};

struct KernelResult {
  std::string Name;      ///< as mangled
  std::string Demangled; ///< "main, line 12"
  std::string File;
  uint32_t Line = 0;
  uint64_t Launches = 0, Blocks = 0;
  uint64_t SampledBlocks = 0;   ///< from which the others are extrapolated
  uint64_t ThreadsPerBlock = 0; ///< of the last launch; in totals the most
  uint32_t Grid[3] = {0, 0, 0}, Block[3] = {0, 0, 0}; ///< of the last launch
  uint32_t DynamicShared = 0, StaticShared = 0;       ///< bytes
  Counters Device;
  Transfers Host;
  TimeEstimate Time;          ///< of all launches
  Occupancy Resident;         ///< in the last launch
  uint64_t CodeBytes = 0;     ///< as KernelRecord's
  uint32_t Registers = 0;     ///< of a thread
  bool OfMachineCode = false; ///< Registers is ptxas's figure, not estimated
  double Seconds = 0;
};

/// One kind of access on one source line.
struct LineResult {
  std::string File;
  uint32_t Line = 0;
  std::string Access; ///< "load", "store", "atomic" or "branch"
  InstructionCounters Sum;
  std::set<std::string> Kernels; ///< those that reached it, as mangled
};

/// Lambdas by the numbers that Ferry gave them: "file.cpp:12", or nothing if
/// several have the number.
using LambdaPlaces = std::map<uint32_t, std::string>;

struct ProgramResult {
  const DeviceModel *Model = nullptr;
  uint32_t Devices = 1;
  std::vector<KernelResult> Kernels; ///< sorted by file, line and name
  KernelResult Totals;               ///< has no name
  Transfers SetUp;                   ///< libomptarget's own
  std::vector<LineResult> Lines;     ///< sorted by file and line
  bool PerLine = false;              ///< whether Lines was asked for
  bool Quiet = false;                ///< no tables, only findings
  uint64_t SampleBlocks = 0;         ///< of each launch; 0: all
  bool Time = false;                 ///< whether times were calculated
  LambdaPlaces Lambdas;              ///< those that are known
  std::vector<Finding> Findings;
  std::vector<Finding> Notes; ///< what is no defect
  std::vector<std::string> Errors;
};

/// Adds \p Kernel to the kernel of the same name, or as a new one: a module may
/// be loaded on several devices.
void addKernel(ProgramResult &Result, const KernelResult &Kernel);
/// Adds the lambdas of \p Module to \p Places.
void addLambdas(LambdaPlaces &Places, const ModuleInfo &Module);
/// Adds what the instructions of \p Record did to Lines, which stays sorted.
void addLines(ProgramResult &Result, const KernelRecord &Record);

/// A counter of a kernel or of all of them, under its name in reports.
struct CounterColumn {
  const char *Name;
  uint64_t (*Value)(const KernelResult &Kernel);
  bool NeedsTime = false; ///< is 0 if no times were calculated
};
/// All counters, in the order of reports, ended by a null name.
extern const CounterColumn CounterColumns[];

/// Of WarpInstructions, "fp32" and so on.
extern const char *const PipeNames[NumPipes + 1];

/// The time of a program: its kernels, and what its copies take on the link,
/// one after the other.
struct ProgramTime {
  TimeEstimate Kernels;
  TimeEstimate All;                    ///< with the copies
  double ToDevice = 0, FromDevice = 0; ///< seconds
  Unit limiter() const;
};
ProgramTime timeOf(const ProgramResult &Result);

/// Whether a kernel constructs or destroys the device's variables: by the name
/// that the simulator gives it, or libomptarget.
bool isSetUpKernel(const std::string &Name);
/// What a kernel, or another function, is called in reports: "main, line 12". A
/// lambda is "{lambda(int) at file.cpp:12}" if its place is in \p Lambdas, and
/// else "{lambda(int)}".
std::string demangleKernel(const std::string &Name,
                           const LambdaPlaces &Lambdas = {});
/// The line of a target region as its kernel's name has it; 0 if it has none.
uint32_t lineOfKernel(const std::string &Name);

/// The tables for people.
std::string writeTables(const ProgramResult &Result);
/// The same as JSON; its form is in docs/simulator.md.
std::string writeJson(const ProgramResult &Result);

} // namespace ferry::sim

#endif // FERRY_SIM_RESULTS_H
