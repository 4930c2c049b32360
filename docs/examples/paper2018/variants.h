//===- variants.h - Kernels in several variants -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The programs of this folder write each kernel several times: in plain OpenMP,
// as a lambda whose pointers were made the device's by hand, and as a lambda
// that is left as it is. All must give the same bits, and be near the answer of
// a serial program.
//
// Why the same bits can be asked for. Each element is computed by one thread,
// by one inline function that all variants call, so it does not matter how a
// compiler orders and fuses operations: it is the same code. A sum depends on
// the order of its terms. That order is the same in all variants, since
//  - the loops have the same directive, no schedule and the same trip count, so
//    libomptarget launches as many teams of as many threads, and the static
//    schedule gives each thread the same iterations;
//  - the device runtime adds up threads by shuffles and teams in the order of
//    their numbers, whichever team comes last;
//  - each term is rounded before it is added: the plain loops call a function
//    for it, as the lambdas do. With the product written into the sum, Clang
//    may fuse both into one operation that rounds once, in one variant only.
// Another device or another size of teams may well give other bits.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_EXAMPLES_PAPER2018_VARIANTS_H
#define FERRY_EXAMPLES_PAPER2018_VARIANTS_H

#include "../example.h"
#include <algorithm>
#include <cstdint>
#include <omp.h>
#include <vector>

// Arrays that are mapped until this object ends. The host device can read the
// host's memory, so the host's copies are overwritten: a kernel that gets a
// host pointer computes with NaN, or with index 0.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory() {
    for (Block &B : Blocks) {
      char *Begin = B.Begin;
#pragma omp target exit data map(delete : Begin[0 : B.Bytes])
      std::free(Begin);
    }
  }

  template <typename T> T *add(const std::vector<T> &Values) {
    size_t N = Values.size();
    T *Array = static_cast<T *>(std::malloc(N * sizeof(T)));
    if (!Array) {
      std::fprintf(stderr, "error: no memory left, choose a smaller size\n");
      std::exit(1);
    }
    std::copy(Values.begin(), Values.end(), Array);
#pragma omp target enter data map(to : Array[0 : N])
    overwrite(Array, N);
    Blocks.push_back({reinterpret_cast<char *>(Array), N * sizeof(T)});
    return Array;
  }

  // Sets a mapped array on the device.
  template <typename T>
  static void store(T *Array, const std::vector<T> &Values) {
    size_t N = Values.size();
    std::copy(Values.begin(), Values.end(), Array);
#pragma omp target update to(Array[0 : N])
    overwrite(Array, N);
  }

  // What the device has.
  template <typename T> static std::vector<T> load(T *Array, size_t N) {
    std::vector<T> Values(N);
    int Device = omp_get_default_device();
    omp_target_memcpy(Values.data(), omp_get_mapped_ptr(Array, Device),
                      N * sizeof(T), 0, 0, omp_get_initial_device(), Device);
    return Values;
  }

private:
  struct Block {
    char *Begin;
    size_t Bytes;
  };
  std::vector<Block> Blocks;

  template <typename T> static void overwrite(T *Array, size_t N) {
    std::fill(Array, Array + N, std::numeric_limits<T>::quiet_NaN());
  }
};

// A mapped array that a kernel writes to: its values before, and the serial
// answer.
struct Output {
  double *Array;
  std::vector<double> Before, Expected;
};

// A kernel and the variants of it that have run.
class Kernel {
public:
  // Elements may differ from the serial answer by Tolerance times the largest
  // of their array. With --bench the time is that of Launches launches.
  Kernel(Example &E, std::string Name, std::vector<Output> Outputs,
         double Tolerance, int Launches = 20)
      : E(E), Name(std::move(Name)), Outputs(std::move(Outputs)),
        Tolerance(Tolerance), Launches(Launches) {}

  // The variants' bits, to be compared with those of another compiler.
  ~Kernel() {
    if (!Bits.empty() && !E.benchmarking())
      std::printf("%s: error at most %.1e, bits %016llx\n", Name.c_str(), Worst,
                  hash());
  }

  // Launch starts the kernel. Returns whether the variant ran.
  template <typename F> bool run(const std::string &Variant, F Launch) {
    return runAndCheck(Variant, 0, Tolerance,
                       [&](std::vector<double> &) { Launch(); });
  }

  // Launch returns a sum as well, and Sum is the serial one.
  template <typename F>
  bool run(const std::string &Variant, F Launch, double Sum,
           double SumTolerance) {
    return runAndCheck(
        Variant, Sum, SumTolerance,
        [&](std::vector<double> &Got) { Got.push_back(Launch()); });
  }

private:
  // Launch puts its sum, if there is one, into a vector.
  template <typename F>
  bool runAndCheck(const std::string &Variant, double Sum, double SumTolerance,
                   F Launch) {
    bool First = true;
    double Checksum = 0;
    std::vector<double> Got;
    auto Body = [&] {
      if (!First) {
        std::vector<double> Ignored;
        for (int I = 0; I < Launches; ++I)
          Launch(Ignored);
        return Checksum;
      }
      First = false;
      for (const Output &O : Outputs)
        DeviceMemory::store(O.Array, O.Before);
      Launch(Got);
      for (const Output &O : Outputs) {
        auto Values = DeviceMemory::load(O.Array, O.Expected.size());
        Got.insert(Got.end(), Values.begin(), Values.end());
      }
      return Checksum = sumOf(Got);
    };
    std::string Called = Name + "-" + Variant;
    if (!E.run(Called, Body, std::fabs(Sum) + expected(),
               10 * std::fmax(Tolerance, SumTolerance)))
      return false;
    size_t Elements = checkElements(Called, Got);
    if (Elements < Got.size() &&
        !near(Got[0], Sum, std::fabs(Sum), SumTolerance))
      E.check(Called + ", sum", Got[0], Sum, SumTolerance);
    checkBits(Called, Got);
    return true;
  }

  static double sumOf(const std::vector<double> &Values) {
    double Sum = 0;
    for (double V : Values)
      Sum += std::fabs(V);
    return Sum;
  }

  double expected() const {
    double Sum = 0;
    for (const Output &O : Outputs)
      Sum += sumOf(O.Expected);
    return Sum;
  }

  // Remembers the error. Written so that NaN is wrong.
  bool near(double Got, double Expected, double Scale, double Limit) {
    double Error = std::fabs(Got - Expected) / (Scale == 0 ? 1 : Scale);
    if (!(Error <= Limit))
      return false;
    Worst = std::fmax(Worst, Error);
    return true;
  }

  // Got ends with the elements of all outputs. Returns how many there are.
  size_t checkElements(const std::string &Called,
                       const std::vector<double> &Got) {
    size_t Elements = 0;
    for (const Output &O : Outputs)
      Elements += O.Expected.size();
    size_t Next = Got.size() - Elements, Wrong = 0;
    for (const Output &O : Outputs) {
      double Largest = 0;
      for (double X : O.Expected)
        Largest = std::fmax(Largest, std::fabs(X));
      for (double X : O.Expected)
        Wrong += !near(Got[Next++], X, Largest, Tolerance);
    }
    if (Wrong)
      E.check(Called + ", wrong elements of " + std::to_string(Elements), Wrong,
              0);
    return Elements;
  }

  void checkBits(const std::string &Called, const std::vector<double> &Got) {
    if (Bits.empty()) {
      FirstVariant = Called;
      Bits = Got;
      return;
    }
    long Different = 0;
    for (size_t I = 0; I < Got.size(); ++I)
      Different += std::memcmp(&Got[I], &Bits[I], sizeof(double)) != 0;
    if (Different)
      E.check(Called + ", numbers with other bits than " + FirstVariant,
              Different, 0);
  }

  // FNV-1a.
  unsigned long long hash() const {
    uint64_t Hash = 0xcbf29ce484222325;
    for (double V : Bits) {
      unsigned char Bytes[sizeof V];
      std::memcpy(Bytes, &V, sizeof V);
      for (unsigned char Byte : Bytes)
        Hash = (Hash ^ Byte) * 0x100000001b3;
    }
    return Hash;
  }

  Example &E;
  std::string Name, FirstVariant;
  std::vector<Output> Outputs;
  std::vector<double> Bits;
  double Tolerance, Worst = 0;
  int Launches;
};

#endif // FERRY_EXAMPLES_PAPER2018_VARIANTS_H
