//===- Pipeline.cpp - Where Ferry's passes run ----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ferry-map   start of the pipeline, all levels: host launches still look as
//             Clang emitted them, and the annotations are gone before anything
//             else sees them.
// ferry-math-functions
//             before that: what staging and the optimiser are to know of calls.
// ferry-fit-chunks
//             before OpenMPOpt, from -O1 on.
// ferry-shared-values
//             from -O1 on, when everything is inlined; in copies that are made
//             for staging as well.
// ferry-stage from -O2 on, when everything is inlined and loops are rotated but
//             not unrolled. With link-time optimisation of device code that is
//             so at the link only: see LinkTimeStaging.cpp.
// ferry-inline-math
//             behind it: the bodies that were kept out of its way.
// ferry-lambda-places
//             with -ferry-sim, before it: its annotations would keep functions
//             alive.
// ferry-region-threads
//             with -ferry-sim: what it looks at is inlined later.
// ferry-carry-bitcode
//             with -ferry-sim, the end of the pipeline, all levels: the device
//             code as the backend gets it. Of what Clang runs after the last
//             extension point, removing what is not used would matter, so that
//             is done first.
// ferry-carry-linked-bitcode
//             the same at the end of link-time optimisation.
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"
#include "Options.h"
#include "closure/AccessPaths.h"
#include "closure/MapPass.h"
#include "simulator/CarryBitcodePass.h"
#include "simulator/LambdaPlaces.h"
#include "simulator/RegionThreads.h"
#include "stage/FitChunks.h"
#include "stage/LinkTimeStaging.h"
#include "stage/MathFunctions.h"
#include "stage/PlainCode.h"
#include "stage/SharedValues.h"
#include "stage/StagePass.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

/// Whether ferry-stage runs at \p Level.
static bool isStaged(OptimizationLevel Level) {
  return Level.getSpeedupLevel() >= 2 && Level.getSizeLevel() == 0;
}

/// What comes before staging at \p Level, in \p Phase of link-time
/// optimisation.
static ModulePassManager simplification(PassBuilder &PB,
                                        OptimizationLevel Level,
                                        ThinOrFullLTOPhase Phase) {
  ModulePassManager MPM = PB.buildModuleSimplificationPipeline(Level, Phase);
  MPM.addPass(ferry::SharedValuesPass());
  return MPM;
}

/// Whether a program is linked for the simulator. From LLVM 20 on device code
/// is optimised by clang-nvlink-wrapper, which reads its options before it
/// loads plugins; so the wrapper of the linker says it in the environment.
static bool isLinkedForSimulator() {
  return ferry::optionsFromCommandLine().Simulate ||
         !sys::Process::GetEnv("FERRY_SIM").value_or("").empty();
}

static bool parsePass(StringRef Name, ModulePassManager &MPM,
                      ArrayRef<PassBuilder::PipelineElement>) {
  const ferry::Options Options = ferry::optionsFromCommandLine();
#define FERRY_MODULE_PASS(PassName, Create)                                    \
  if (Name == PassName) {                                                      \
    MPM.addPass(Create);                                                       \
    return true;                                                               \
  }
#include "Passes.def"
  return parseAnalysisUtilityPasses<ferry::AccessPathsAnalysis>(
      "ferry-access-paths", Name, MPM);
}

/// Whether the passes are in \p PB already; if not, they are from now on. Clang
/// 22 names plugins twice to compilations for AMD GPUs.
static bool wasRegistered(PassBuilder &PB) {
  constexpr char Class[] = "ferry::MapPass";
  PassInstrumentationCallbacks *Known = PB.getPassInstrumentationCallbacks();
  if (!Known)
    return false;
  if (!Known->getPassNameForClassName(Class).empty())
    return true;
  Known->addClassToPassName(Class, "ferry-map");
  return false;
}

void ferry::registerPasses(PassBuilder &PB) {
  if (wasRegistered(PB))
    return;
  PB.registerAnalysisRegistrationCallback([](ModuleAnalysisManager &MAM) {
#define FERRY_MODULE_ANALYSIS(Name, Create)                                    \
  MAM.registerPass([] { return Create; });
#include "Passes.def"
  });
  PB.registerPipelineParsingCallback(parsePass);
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        const Options O = optionsFromCommandLine();
        if (O.FitChunks && Level != OptimizationLevel::O0)
          MPM.addPass(FitChunksPass());
        if (O.Simulate) {
          MPM.addPass(LambdaPlacesPass());
          MPM.addPass(RegionThreadsPass());
        }
        if (O.Map)
          MPM.addPass(MapPass(O.Planner));
        // Behind what is done with staging and without.
        if (O.Stage.anyMode())
          MPM.addPass(MathFunctionsPass(/*Later=*/isStaged(Level)));
      });
  // From LLVM 20 on, these are told the phase of link-time optimisation too.
  PB.registerOptimizerEarlyEPCallback(
      [&PB](ModulePassManager &MPM, OptimizationLevel Level, auto...) {
        if (Level != OptimizationLevel::O0)
          MPM.addPass(SharedValuesPass());
        if (!isStaged(Level))
          return;
        Options O = optionsFromCommandLine();
        O.Stage.SpeedupLevel = Level.getSpeedupLevel();
        MPM.addPass(StageCompiledPass(
            O.Stage, simplification(PB, Level, ThinOrFullLTOPhase::None),
            simplification(PB, Level, ThinOrFullLTOPhase::FullLTOPostLink)));
        MPM.addPass(InlineMathPass());
      });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [&PB](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level.getSpeedupLevel() < 2)
          MPM.addPass(RemovePreparedCodePass());
        else
          MPM.addPass(StageLinkedPass(
              simplification(PB, Level, ThinOrFullLTOPhase::FullLTOPostLink),
              Level));
      });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, auto...) {
        if (isStaged(Level))
          MPM.addPass(JoinPlainPass());
        if (!optionsFromCommandLine().Simulate)
          return;
        if (Level != OptimizationLevel::O0)
          MPM.addPass(GlobalDCEPass());
        MPM.addPass(CarryBitcodePass());
      });
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        if (isLinkedForSimulator())
          MPM.addPass(CarryLinkedBitcodePass());
      });
}
