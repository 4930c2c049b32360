//===- counted.h - kernels whose counters are known ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is a function with a plain name and one kernel, so that the name of
// the kernel tells check_counters.py what must be counted.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_LIT_SIM_COUNTED_H
#define FERRY_LIT_SIM_COUNTED_H

#include "check.h"
#include "device.h"

#define COUNTED(NAME)                                                          \
  extern "C" void NAME();                                                      \
  static check::Program NAME##Program(#NAME, NAME);                            \
  extern "C" void NAME()

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
/// A kernel without the device runtime, on the device arrays In and Out.
#define KERNEL(TEAMS, THREADS)                                                 \
  PRAGMA(omp target teams ompx_bare num_teams(TEAMS) thread_limit(THREADS)     \
             is_device_ptr(In, Out))

/// A loop that stays as it is: otherwise neighbouring accesses may be merged, and an
/// iteration is no longer a branch.
#define LOOP PRAGMA(clang loop unroll(disable) vectorize(disable)) for

typedef double Bytes16 __attribute__((ext_vector_type(2)));

/// Device arrays that a kernel reads and writes. All bytes of In are 7.
template <class T> struct Arrays {
  DeviceArray<T> In, Out;
  long Size;
  Arrays(long InSize, long OutSize)
      : In(InSize, 7), Out(OutSize, 0), Size(OutSize) {}

  /// Whether the first \p Count elements, \p Step apart, are what In has.
  void copied(long Count, long Step = 1) {
    T *Host = new T[Size];
    Out.read(Host);
    for (long I = 0; I < Count; ++I)
      check::value("a byte of Out", *reinterpret_cast<char *>(&Host[I * Step]),
                   7, I);
    delete[] Host;
  }
  void is(long I, T Value) {
    T *Host = new T[Size];
    Out.read(Host);
    check::value("Out is right", !memcmp(&Host[I], &Value, sizeof(T)), true);
    delete[] Host;
  }
};

#endif
