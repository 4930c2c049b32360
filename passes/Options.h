//===- Options.h - Command-line options of the passes -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_OPTIONS_H
#define FERRY_OPTIONS_H

#include "closure/LaunchPlanner.h"
#include "stage/common/StageOptions.h"

namespace ferry {

struct Options {
  bool Map = true; ///< run ferry-map in the pipeline
  PlannerOptions Planner;
  StageOptions Stage;
  bool FitChunks = true; ///< run ferry-fit-chunks in the pipeline
  bool Simulate = false; ///< run ferry-carry-bitcode in the pipeline
};

/// The options as they were given on the command line.
Options optionsFromCommandLine();

} // namespace ferry

#endif // FERRY_OPTIONS_H
