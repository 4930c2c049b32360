//===- loops.h - A framework of two loops -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of a portable framework if everything is taken away but the two
// loops that its users call. They know nothing of what a lambda holds, and no
// map clause names it.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_EXAMPLES_PAPER2018_LOOPS_H
#define FERRY_EXAMPLES_PAPER2018_LOOPS_H

// Calls Loop for each I from Begin to End - 1.
template <typename Body> void forall(int Begin, int End, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = Begin; I < End; ++I)
    Loop(I);
}

// Start and the sum of what Term returns for each I. The sum is a variable of
// the loop and none of the lambda: so OpenMP can reduce it.
template <typename T, typename Body>
T reduceSum(int Begin, int End, Body Term, T Start = {}) {
  T Sum = Start;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
  for (int I = Begin; I < End; ++I)
    Sum += Term(I);
  return Sum;
}

#endif // FERRY_EXAMPLES_PAPER2018_LOOPS_H
