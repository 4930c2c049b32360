//===- finds.h - kernels with one defect -----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The argument "NAME" runs the program NAME with Defect = 1, and "NAME right"
// with Defect = 0: the corrected twin, which differs in nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_LIT_SIM_FINDS_H
#define FERRY_LIT_SIM_FINDS_H

#include "check.h"
#include "device.h"

static int Defect = 1;

static int runOne(int Argc, char **Argv) {
  Defect = !(Argc > 2 && !strcmp(Argv[2], "right"));
  return check::run(2, Argv);
}

#endif
