//===- LaunchRemarks.cpp - What users are told of a launch ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchRemarks.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"

using namespace llvm;

#define DEBUG_TYPE "ferry-map"

namespace ferry {

bool remarksWanted(const Module &M) {
  LLVMContext &C = M.getContext();
  return C.getLLVMRemarkStreamer() ||
         C.getDiagHandlerPtr()->isAnyRemarkEnabled(DEBUG_TYPE);
}

/// Where \p Region stands in the source of \p F, as far as debug information
/// tells.
static DiagnosticLocation location(const Function &F,
                                   const RegionInfo *Region) {
  DISubprogram *Program = F.getSubprogram();
  if (!Program)
    return DiagnosticLocation();
  if (!Region)
    return DiagnosticLocation(Program);
  return DiagnosticLocation(DebugLoc(
      DILocation::get(F.getContext(), Region->Line, Region->Column, Program)));
}

LaunchRemarks::LaunchRemarks(const Function &F, const RegionInfo *Region,
                             const DebugLoc &Location, RemarkTarget Target)
    : F(F), Emitter(&F),
      Where(Location ? DiagnosticLocation(Location) : location(F, Region)),
      Name(Region ? Region->Name : std::string()), Target(Target) {}

/// Emits a remark of which \p Write gives the text behind the region's name.
template <typename Remark, typename Fn>
void LaunchRemarks::emit(StringRef Kind, Fn Write) {
  auto Build = [&] {
    Remark R(DEBUG_TYPE, Kind, Where, &F.getEntryBlock());
    if (!Name.empty())
      R << ore::NV("Region", Name) << ": ";
    Write(R);
    return R;
  };
  if (Target == RemarkTarget::User)
    Emitter.emit(Build);
  else if (LLVMRemarkStreamer *Streamer =
               F.getContext().getLLVMRemarkStreamer())
    Streamer->emit(Build());
}

/// Writes why, with the name under which docs/refusals.md has it.
static void writeReason(DiagnosticInfoOptimizationBase &R, Refusal Why) {
  R << refusalMessage(Why) << " [" << ore::NV("Reason", refusalName(Why))
    << "]";
}

void LaunchRemarks::refused(Refusal Why) {
  emit<OptimizationRemarkMissed>("LaunchLeft", [&](auto &R) {
    R << "launch left as it is: ";
    writeReason(R, Why);
  });
}

void LaunchRemarks::hint(Refusal Why) {
  emit<OptimizationRemarkAnalysis>("Launch",
                                   [&](auto &R) { writeReason(R, Why); });
}

/// The ways of a pointer, for people.
static StringRef wayOfPointer(unsigned Ways) {
  switch (Ways) {
  case PointerNote::InCopy:
    return "carried over: translated in the device's copy";
  case PointerNote::InMapped:
    return "carried over: attached in the mapped object";
  case PointerNote::AsParameter:
    return "passed as a parameter of the kernel";
  case PointerNote::AsParameter | PointerNote::InMapped:
    return "passed as a parameter of the kernel, or attached where the object "
           "is mapped";
  default:
    return "carried over: translated in the device's copy, or attached where "
           "the object is mapped";
  }
}

/// The ways of a variable.
static StringRef wayOfVariable(unsigned Ways) {
  if (Ways & PointerNote::AsParameter)
    return "read where it is mapped, else passed as parameters of the kernel";
  return Ways & PointerNote::InCopy
             ? "carried over: read where it is mapped, else copied"
             : "carried over: mapped for the launch unless it is already";
}

void LaunchRemarks::note(const PointerNote &N) {
  const ore::NV Pointer("Pointer", N.Name);
  switch (N.Kind) {
  case PointerNote::Left:
    return emit<OptimizationRemarkMissed>("PointerLeft", [&](auto &R) {
      R << "'" << Pointer << "' left as it is: ";
      writeReason(R, *N.Why);
    });
  case PointerNote::LeftBehind:
    return emit<OptimizationRemarkMissed>("PointersBehindLeft", [&](auto &R) {
      R << "pointers behind '" << Pointer << "' left as they are: ";
      writeReason(R, *N.Why);
    });
  case PointerNote::InMemory:
    return emit<OptimizationRemarkMissed>("ObjectInMemory", [&](auto &R) {
      R << "'" << Pointer << "' stays in memory, not in parameters: ";
      writeReason(R, *N.Why);
    });
  case PointerNote::LookedUp:
    return emit<OptimizationRemarkMissed>("PointerLookedUp", [&](auto &R) {
      R << "'" << Pointer << "' is looked up where it points: ";
      writeReason(R, *N.Why);
    });
  case PointerNote::NeedsMap:
    return emit<OptimizationRemarkAnalysis>("NeedsMap", [&](auto &R) {
      R << "the data behind '" << Pointer
        << "' has to be mapped when the region is entered";
    });
  case PointerNote::Carried:
    return emit<OptimizationRemark>("PointerMapped", [&](auto &R) {
      R << "'" << Pointer << "' " << ore::NV("Way", wayOfPointer(N.Ways));
    });
  case PointerNote::Variable:
    return emit<OptimizationRemark>("VariableMapped", [&](auto &R) {
      R << "variable '" << Pointer << "' "
        << ore::NV("Way", wayOfVariable(N.Ways));
    });
  }
}

void LaunchRemarks::planned(const PlannedLaunch &Plan) {
  for (Refusal R : Plan.Hints)
    hint(R);
  for (const PointerNote &N : Plan.Notes)
    note(N);
}

void LaunchRemarks::differences(const PlannedLaunch &Device,
                                const PlannedLaunch &Host) {
  auto Tell = [&](const PlannedLaunch &One, const PlannedLaunch &Other,
                  StringRef Uses, StringRef Not) {
    StringSet<> Names;
    for (const PointerNote &N : Other.Notes)
      Names.insert(N.Name);
    for (const PointerNote &N : One.Notes)
      if (N.Kind != PointerNote::NeedsMap && N.Kind != PointerNote::InMemory &&
          Names.insert(N.Name).second)
        emit<OptimizationRemarkMissed>("VersionsDiffer", [&](auto &R) {
          R << "'" << ore::NV("Pointer", N.Name) << "' is used by the "
            << ore::NV("UsedBy", Uses) << " version of the kernel and not by "
            << "the " << Not << " version";
        });
  };
  Tell(Device, Host, "device's", "host's");
  Tell(Host, Device, "host's", "device's");
}

} // namespace ferry
