//===- Options.cpp - Command-line options of the passes -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every option of the passes; docs/options.md describes them. They are given
// with -mllvm to clang (which needs -fplugin=libferry.so beside
// -fpass-plugin=libferry.so to know them in time) and directly to opt.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::OptionCategory Category("Ferry options");

static cl::opt<bool>
    Map("ferry-map", cl::cat(Category), cl::init(true),
        cl::desc("Carry pointers in captured objects over to the device"));

static cl::opt<bool> WholeLayout(
    "ferry-map-whole-layout", cl::cat(Category), cl::init(false),
    cl::desc("Carry over every pointer of a captured object, not only those "
             "that the kernel is seen to use"));

static cl::opt<bool>
    Simulate("ferry-sim", cl::cat(Category), cl::init(false),
             cl::desc("Carry device code for the simulator, ferry-sim"));

ferry::Options ferry::optionsFromCommandLine() {
  Options O;
  O.Map = Map;
  O.Planner.WholeLayout = WholeLayout;
  O.Simulate = Simulate;
  return O;
}
