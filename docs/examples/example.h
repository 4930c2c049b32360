//===- example.h - What the examples share ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Command line, timing and checks of the programs in docs/examples, described
// in docs/examples/README.md. Nothing here is needed to use Ferry.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_EXAMPLES_EXAMPLE_H
#define FERRY_EXAMPLES_EXAMPLE_H

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

class Example {
public:
  // Reads `[n] [--bench[=rounds]] [--only=name]`. SizeMeans says in the usage
  // text what n is. Ends the program with exit code 2 if the arguments make no
  // sense. Of several processes that do the same, all but one are Quiet.
  Example(int Argc, char **Argv, const char *SizeMeans, long DefaultSize,
          long Least, long Most, bool Quiet = false)
      : Name(Argv[0]), SizeMeans(SizeMeans), Size(DefaultSize), Least(Least),
        Most(Most), Quiet(Quiet) {
    bool HasSize = false;
    for (int I = 1; I < Argc; ++I) {
      std::string Arg = Argv[I];
      if (Arg == "--bench")
        Rounds = 3;
      else if (Arg.rfind("--bench=", 0) == 0)
        Rounds = number(Arg, 8, 1, 1000000, "the number of rounds");
      else if (Arg.rfind("--only=", 0) == 0)
        Only = Arg.substr(7);
      else if (Arg[0] == '-' && !(Arg[1] >= '0' && Arg[1] <= '9'))
        usage("unknown option '" + Arg + "'");
      else if (HasSize)
        usage("more than one size");
      else {
        Size = number(Arg, 0, Least, Most, "n");
        HasSize = true;
      }
    }
  }

  long size() const { return Size; }
  bool benchmarking() const { return Rounds > 0; }

  // Runs a variant unless --only names another one, and checks its result, a
  // checksum: it may differ from Expected by Tolerance times |Expected|, or by
  // Tolerance if Expected is 0. With --bench Body runs Rounds more times, and
  // the shortest time is printed; so each call must do the same work.
  // Returns whether the variant ran.
  template <typename F>
  bool run(const std::string &Variant, F Body, double Expected,
           double Tolerance = 0) {
    if (!Only.empty() && Only != Variant)
      return false;
    AnyRan = true;
    double Got = Body();
    double Seconds = std::numeric_limits<double>::infinity();
    for (long Round = 0; Round < Rounds; ++Round) {
      auto Start = std::chrono::steady_clock::now();
      Got = Body();
      std::chrono::duration<double> Time =
          std::chrono::steady_clock::now() - Start;
      Seconds = std::fmin(Seconds, Time.count());
    }
    if (benchmarking() && !Quiet)
      std::printf("%s %ld %.6g %.17g\n", Variant.c_str(), Size, Seconds, Got);
    check(Variant, Got, Expected, Tolerance);
    return true;
  }

  // Prints whether a number is right. With --bench only what is wrong.
  void check(const std::string &What, double Got, double Expected,
             double Tolerance = 0) {
    double Scale = Expected == 0 ? 1 : std::fabs(Expected);
    // Written so that NaN is wrong.
    bool Right =
        Got == Expected || std::fabs(Got - Expected) <= Tolerance * Scale;
    if (!Right) {
      ++Wrong;
      std::fprintf(stderr, "%s: WRONG: got %.17g, expected %.17g", What.c_str(),
                   Got, Expected);
      if (Tolerance)
        std::fprintf(stderr, " within %g", Tolerance * Scale);
      std::fputc('\n', stderr);
    } else if (!benchmarking() && !Quiet)
      std::printf("%s: right (%.10g)\n", What.c_str(), Got);
  }

  // The exit code of the program: 1 if anything was wrong.
  int finish() const {
    if (!AnyRan && !Only.empty())
      usage("there is no variant '" + Only + "'");
    return Wrong ? 1 : 0;
  }

private:
  [[noreturn]] void usage(const std::string &Problem) const {
    if (!Quiet)
      std::fprintf(stderr,
                   "error: %s\n"
                   "usage: %s [n] [--bench[=rounds]] [--only=variant]\n"
                   "  n  %s, %ld to %ld\n",
                   Problem.c_str(), Name, SizeMeans, Least, Most);
    std::exit(2);
  }

  long number(const std::string &Arg, size_t Begin, long Min, long Max,
              const char *What) const {
    char *End;
    long Value = std::strtol(Arg.c_str() + Begin, &End, 10);
    if (End == Arg.c_str() + Begin || *End || Value < Min || Value > Max)
      usage(std::string(What) + " has to be a number from " +
            std::to_string(Min) + " to " + std::to_string(Max) + ", not '" +
            Arg.substr(Begin) + "'");
    return Value;
  }

  const char *Name, *SizeMeans;
  std::string Only;
  long Size, Least, Most, Rounds = 0;
  int Wrong = 0;
  bool AnyRan = false, Quiet;
};

#endif // FERRY_EXAMPLES_EXAMPLE_H
