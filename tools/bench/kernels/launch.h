//===- launch.h - What the kernels of model.cpp share ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCH_KERNELS_LAUNCH_H
#define FERRY_BENCH_KERNELS_LAUNCH_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <omp.h>
#include <string>

// What the host's version of a kernel is made of is never run.
#ifdef __NVPTX__
#define SHARED                                                                 \
  [[clang::loader_uninitialized]] alignas(16) static                           \
      __attribute__((address_space(3)))
static int threadId() { return __nvvm_read_ptx_sreg_tid_x(); }
static int blockId() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static void barrier() { __syncthreads(); }
static float inverseRoot(float X) { return __nvvm_rsqrt_approx_f(X); }
#else
#define SHARED alignas(16) static
static int threadId() { return 0; }
static int blockId() { return 0; }
static void barrier() {}
static float inverseRoot(float X) { return 1 / std::sqrt(X); }
#endif

// The block's place in a grid with ACROSS blocks in each row: a bare region's
// grid has one dimension. A division of 64 bits would take 60 instructions
// more.
static long blockColumn(unsigned Across) {
  return unsigned(blockId()) % Across;
}
static long blockRow(unsigned Across) { return unsigned(blockId()) / Across; }

#define PRAGMA(TEXT) _Pragma(#TEXT)
/// The next statement is run by all BLOCKS * THREADS threads. The arguments
/// behind are the pointers to device memory that it uses.
#define LAUNCH(BLOCKS, THREADS, ...)                                           \
  for (Timer Time; Time.next();)                                               \
  PRAGMA(omp target teams ompx_bare num_teams(BLOCKS) thread_limit(THREADS)    \
             is_device_ptr(__VA_ARGS__))
#define UNROLL(COUNT) PRAGMA(unroll COUNT)

[[noreturn]] static void fail(const std::string &Why) {
  std::fprintf(stderr, "model: error: %s\n", Why.c_str());
  std::exit(1);
}

static int ArgumentCount;
static char **Arguments;

/// The value of the argument NAME=VALUE, a whole number of at least 0.
static long argument(const char *Name, long Otherwise) {
  const size_t Length = std::strlen(Name);
  for (int A = 2; A < ArgumentCount; ++A) {
    const char *Text = Arguments[A];
    if (std::strncmp(Text, Name, Length) || Text[Length] != '=')
      continue;
    char *End;
    const long Value = std::strtol(Text + Length + 1, &End, 10);
    if (End == Text + Length + 1 || *End || Value < 0)
      fail("'" + std::string(Text) + "' is no number of at least 0");
    return Value;
  }
  return Otherwise;
}

static double Seconds;

/// Counts the launches and takes their time.
class Timer {
public:
  bool next() {
    const double Now = omp_get_wtime();
    if (Done == WarmUps)
      Start = Now;
    if (Done == WarmUps + Launches)
      Seconds = (Now - Start) / Launches;
    return Done++ < WarmUps + Launches;
  }

private:
  const long Launches = argument("launches", 1);
  const long WarmUps = Launches > 1;
  long Done = 0;
  double Start = 0;
};

/// The launches of a kernel, the one that is not timed among them.
static long timesLaunched() {
  const long Launches = argument("launches", 1);
  return Launches > 1 ? Launches + 1 : Launches;
}

/// A small whole number for each index, so that sums are exact in any order.
static int value(long Index) { return unsigned(Index * 2654435761u) >> 30; }

/// N elements in the device's memory.
template <class T> class Array {
public:
  Array(const char *Name, long N, bool Filled = true)
      : Name(Name), N(N),
        Data(static_cast<T *>(omp_target_alloc(N * sizeof(T), Device))) {
    if (!Data)
      fail("the device has no room for " + std::to_string(N * sizeof(T)) +
           " bytes");
    std::unique_ptr<T[]> Host(new T[N]());
    for (long I = 0; Filled && I < N; ++I)
      Host[I] = T(value(I));
    write(Host.get());
  }
  Array(const Array &) = delete;
  ~Array() { omp_target_free(Data, Device); }
  operator T *() const { return Data; }
  long size() const { return N; }
  void write(const T *Host) {
    omp_target_memcpy(Data, Host, N * sizeof(T), 0, 0, Device, Initial);
  }
  void expect(long Index, double Expected, double Tolerance = 0) const {
    if (!argument("check", 1))
      return;
    T Got;
    omp_target_memcpy(&Got, Data, sizeof(T), 0, Index * sizeof(T), Initial,
                      Device);
    if (!(std::fabs(Got - Expected) <= Tolerance * std::fabs(Expected)))
      fail(std::string(Arguments[1]) + ": " + Name + "[" +
           std::to_string(Index) + "] is " + std::to_string(double(Got)) +
           ", expected " + std::to_string(Expected));
  }

private:
  const int Device = omp_get_default_device();
  const int Initial = omp_get_initial_device();
  const char *Name;
  long N;
  T *Data;
};

/// Calls Check with some indices below N, the first and the last among them.
template <class Function> static void sample(long N, Function Check) {
  for (long I = 0; I < 16; ++I)
    Check(I * (N - 1) / 15);
}

/// A multiple of what one block works on.
static long multiple(const char *Name, long Otherwise, long Of) {
  const long N = argument(Name, Otherwise);
  if (!N || N % Of)
    fail(std::string(Name) + "=" + std::to_string(N) + " is no multiple of " +
         std::to_string(Of));
  return N;
}

#endif // FERRY_BENCH_KERNELS_LAUNCH_H
