//===- SimPrintfTest.cpp - Tests of the simulator's device C library ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimDevice.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <thread>
#include <vector>

// --- What the engine defines
// --------------------------------------------------

static uint64_t LastAllocation;
static void *LastFreed;

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
void *ferry_sim_device_malloc(uint64_t Bytes) {
  LastAllocation = Bytes;
  return &LastAllocation;
}
void ferry_sim_device_free(void *Pointer) { LastFreed = Pointer; }
[[noreturn]] void ferry_sim_trap_with(const char *What) {
  std::fputs(What, stderr);
  std::_Exit(7);
}
}
// NOLINTEND(readability-identifier-naming)

// --- vprintf
// --------------------------------------------------------------------

namespace {

/// The arguments as Clang packs them: each at its natural alignment.
class Packed {
public:
  template <typename... T> explicit Packed(T... Values) { (add(Values), ...); }
  const void *data() const { return Bytes.data(); }

private:
  template <typename T> void add(T Value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "as if for an ellipsis");
    Bytes.resize((Bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const char *Begin = reinterpret_cast<const char *>(&Value);
    Bytes.insert(Bytes.end(), Begin, Begin + sizeof(T));
  }
  std::vector<char> Bytes;
};

struct Printed {
  int Result;
  std::string Text;
};

template <typename... T> Printed print(const char *Format, T... Values) {
  Packed Buffer(Values...);
  testing::internal::CaptureStdout();
  int Result = call<int>("vprintf", Format, Buffer.data());
  return {Result, testing::internal::GetCapturedStdout()};
}

} // namespace

TEST(SimPrintf, PlainText) {
  EXPECT_EQ(print("hello\n").Text, "hello\n");
  EXPECT_EQ(print("").Text, "");
  EXPECT_EQ(print("100%%\n").Text, "100%\n");
  testing::internal::CaptureStdout();
  EXPECT_EQ(call<int>("vprintf", "no buffer\n", nullptr), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "no buffer\n");
  EXPECT_EQ(call<int>("vprintf", nullptr, nullptr), -1);
}

TEST(SimPrintf, ReturnsTheNumberOfArguments) {
  EXPECT_EQ(print("%d %% %s", 1, "x").Result, 2);
  EXPECT_EQ(print("%*d", 5, 1).Result, 2);
}

TEST(SimPrintf, Integers) {
  EXPECT_EQ(print("%d %i %u", -1, 2, 3u).Text, "-1 2 3");
  EXPECT_EQ(print("%x %X %#o", 255, 255, 8).Text, "ff FF 010");
  EXPECT_EQ(print("%lld %ld", INT64_MIN, int64_t(5)).Text,
            "-9223372036854775808 5");
  EXPECT_EQ(print("%llu %lx", UINT64_MAX, uint64_t(1) << 40).Text,
            "18446744073709551615 10000000000");
  EXPECT_EQ(
      print("%zu %td %jd", uint64_t(1) << 33, int64_t(-1), int64_t(-2)).Text,
      "8589934592 -1 -2");
  // The host's printf cuts off what is above a short.
  EXPECT_EQ(print("%hd %hu %hhd %hhu", 65537, -1, 257, -1).Text,
            "1 65535 1 255");
}

TEST(SimPrintf, EachArgumentIsAlignedToItsSize) {
  EXPECT_EQ(
      print("%d %lld %d %f %c %s|", 1, int64_t(2), 3, 4.0, int('5'), "6").Text,
      "1 2 3 4.000000 5 6|");
  EXPECT_EQ(print("%c%c%p", int('a'), int('b'), (void *)0x10).Text, "ab0x10");
}

TEST(SimPrintf, FloatingPoint) {
  EXPECT_EQ(print("%f %.2f %e", 1.5, 2.345, 1e10).Text,
            "1.500000 2.35 1.000000e+10");
  EXPECT_EQ(print("%g %G %a %lf", 1e-10, 1e-10, 1.0, 0.5).Text,
            "1e-10 1E-10 0x1p+0 0.500000");
  EXPECT_EQ(print("%E %F %A", 1.0, 1.0, 10.0).Text,
            "1.000000E+00 1.000000 0X1.4P+3");
}

TEST(SimPrintf, WidthPrecisionAndFlags) {
  EXPECT_EQ(print("[%5d] [%-5d] [%05d] [%+d] [% d]", 1, 2, 3, 4, 5).Text,
            "[    1] [2    ] [00003] [+4] [ 5]");
  EXPECT_EQ(print("[%.3s] [%6.2f] [%.0f]", "abcdef", 3.14159, 2.7).Text,
            "[abc] [  3.14] [3]");
  EXPECT_EQ(print("[%*d] [%-*d] [%*d]", 4, 1, 4, 2, -4, 3).Text,
            "[   1] [2   ] [3   ]");
  EXPECT_EQ(print("[%.*f] [%*.*f] [%.*d]", 1, 2.25, 6, 2, 1.0, -1, 5).Text,
            "[2.2] [  1.00] [5]");
}

TEST(SimPrintf, StringsAndPointers) {
  EXPECT_EQ(print("[%s] [%5s] [%-5s]", "a", "b", "c").Text,
            "[a] [    b] [c    ]");
  EXPECT_EQ(print("%s", static_cast<const char *>(nullptr)).Text, "(null)");
  std::string Long(10000, 'x');
  EXPECT_EQ(print("%s!", Long.c_str()).Text, Long + "!");
  EXPECT_EQ(print("a%cb", 0).Text, std::string("a\0b", 3));
}

TEST(SimPrintf, UnknownConversionsArePrintedAsTheyAre) {
  EXPECT_EQ(print("%y %d", 1).Text, "%y 1");
  EXPECT_EQ(print("%5.2q|%d", 1).Text, "%5.2q|1");
  EXPECT_EQ(print("100%").Text, "100%");
  EXPECT_EQ(print("%-").Text, "%-");
  // Nothing is written to device memory.
  int64_t Count = 42;
  EXPECT_EQ(print("%n%d", &Count, 1).Text, "%n1");
  EXPECT_EQ(Count, 42);
  // Behind a long double no argument can be found.
  EXPECT_EQ(print("%d %Lf %d", 1, 2.0, 3).Text, "1 %Lf %d");
}

TEST(SimPrintf, LinesOfSeveralThreadsStayWhole) {
  constexpr int Lines = 2000;
  auto Print = [](int Thread) {
    Packed Buffer(Thread, "middle", Thread);
    for (int I = 0; I < Lines; ++I)
      call<int>("vprintf", "<%d %s %d>\n", Buffer.data());
  };
  testing::internal::CaptureStdout();
  std::thread First(Print, 1), Second(Print, 2);
  First.join();
  Second.join();
  std::istringstream Text(testing::internal::GetCapturedStdout());
  int Seen[3] = {0, 0, 0};
  for (std::string Line; std::getline(Text, Line);)
    ++Seen[Line == "<1 middle 1>" ? 1 : Line == "<2 middle 2>" ? 2 : 0];
  EXPECT_EQ(Seen[0], 0);
  EXPECT_EQ(Seen[1], Lines);
  EXPECT_EQ(Seen[2], Lines);
}

// --- The rest
// -------------------------------------------------------------------

TEST(SimLibrary, MemoryIsTheEngines) {
  EXPECT_EQ(call<void *>("malloc", uint64_t(1) << 40), &LastAllocation);
  EXPECT_EQ(LastAllocation, uint64_t(1) << 40);
  call<void>("free", static_cast<void *>(&LastFreed));
  EXPECT_EQ(LastFreed, &LastFreed);
}

TEST(SimLibrary, AssertionsEndTheLaunch) {
  EXPECT_EXIT(call<void>("__assertfail", "x > 0", "a.cpp", 12u, "void f()",
                         uint64_t(1)),
              testing::ExitedWithCode(7),
              "a.cpp:12: void f\\(\\): Assertion `x > 0' failed.");
}
