//===- CommandLine.cpp - The options of ferry-sim -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "../driver/Settings.h"
#include "../gpu/DeviceTable.h"
#include "../gpu/GPUFile.h"
#include <utility>

using namespace ferry::sim;

const char ferry::sim::HelpText[] =
    R"(USAGE: ferry-sim [options] [--] program [arguments]

Runs a program that was built with `ferry-clang++ --ferry-sim` on a simulated
NVIDIA GPU, and reports what its kernels did. The report is written to the
standard error, after the program's own output.

OPTIONS
  --json FILE         write the report as JSON as well
  --report FILE       write a page of HTML as well (by ferry-report); counts
                      lines, as --per-line does
  --per-line          report every source line that accesses memory or branches
                      (lines are known if the program was built with -g)
  --quiet             no tables; findings and errors are still reported
  --strict            exit with 3 if something was found
  --gpu NAME|FILE     the GPU: v100, t4, a100, a10, l4, h100, h200, or a file
                      with a description; otherwise by the architecture
  --sm sm_NN          the GPU's architecture; otherwise that of the program
  --blocks-per-sm N   blocks that share a multiprocessor; otherwise as many as fit
  --seed N            vary the order of threads and blocks; 0 is the natural one
  --jobs N            run blocks on N host threads; otherwise on one
  --devices N         number of GPUs; otherwise one
  --sample-blocks N   execute N blocks of each launch, and extrapolate; what the
                      program computes is not to be used then
  --no-time           no caches and no times: faster
  --watchdog N        turns without progress after which a kernel is ended
  --help, --version

EXIT CODE
  the program's; 128 + N if signal N ended it
  2  the command line makes no sense, the program cannot be started, or the
     JSON or HTML report cannot be written
  3  --strict, and something was found in a program that exited with 0
  4  nothing could be simulated, or not all of it; an error says why
)";

namespace {
class Parser {
public:
  Parser(const std::vector<std::string> &Arguments, CommandLine &Result,
         std::string &Error)
      : Arguments(Arguments), Result(Result), Error(Error) {}

  bool run() {
    while (Next < Arguments.size()) {
      const std::string &Argument = Arguments[Next];
      if (Argument == "--") {
        ++Next;
        break;
      }
      if (Argument.size() < 2 || Argument[0] != '-')
        break;
      ++Next;
      if (!option(Argument))
        return false;
    }
    Result.Program.assign(Arguments.begin() + static_cast<long>(Next),
                          Arguments.end());
    if (Result.Program.empty() && !Result.Help && !Result.Version)
      return fail("no program is given: ferry-sim [options] -- program");
    if (!Result.Program.empty() && Result.Program[0].empty())
      return fail("the name of the program is empty");
    return true;
  }

private:
  bool fail(const std::string &Why) {
    Error = Why;
    return false;
  }

  /// The value of an option, behind '=' or in the next argument.
  bool value(const std::string &Argument, size_t Equal, std::string &Value) {
    if (Equal != std::string::npos)
      Value = Argument.substr(Equal + 1);
    else if (Next < Arguments.size() && Arguments[Next] != "--")
      Value = Arguments[Next++];
    else
      Value.clear();
    return !Value.empty() ||
           fail("option '" + Argument.substr(0, Equal) + "' needs a value");
  }

  bool flag(const std::string &Argument) {
    if (Argument == "--help")
      Result.Help = true;
    else if (Argument == "--version")
      Result.Version = true;
    else if (Argument == "--quiet")
      Result.Environment.emplace_back(QuietVariable, "1");
    else if (Argument == "--strict")
      Result.Strict = true;
    else if (Argument == "--no-time")
      Result.Environment.emplace_back(NoTimeVariable, "1");
    else if (Argument == "--per-line")
      return perLine();
    else
      return false;
    return true;
  }

  bool option(const std::string &Argument) {
    if (flag(Argument))
      return true;
    size_t Equal = Argument.find('=');
    std::string Name = Argument.substr(0, Equal), Value;
    if (Name == "--json")
      return value(Argument, Equal, Result.JsonFile);
    if (Name == "--report")
      return value(Argument, Equal, Result.HtmlFile) && perLine();
    if (Name == "--gpu")
      return value(Argument, Equal, Value) && gpu(Value);
    if (Name == "--sm")
      return value(Argument, Equal, Value) && architecture(Value);
    for (const NumberSetting &Setting :
         {BlocksPerSMSetting, SeedSetting, JobsSetting, DevicesSetting,
          WatchdogSetting, SampleSetting})
      if (Name == Setting.Option)
        return value(Argument, Equal, Value) && number(Setting, Value);
    return fail("unknown option '" + Argument +
                "' (ferry-sim --help lists them)");
  }

  bool perLine() {
    Result.Environment.emplace_back(PerLineVariable, "1");
    return true;
  }

  bool architecture(const std::string &Value) {
    if (!findDeviceModel(parseArchitecture(Value.c_str())))
      return fail("unknown architecture '" + Value + "'; known are " +
                  knownArchitectures());
    Result.Architecture = Value;
    Result.Environment.emplace_back(ArchitectureVariable, Value);
    return once();
  }

  bool gpu(const std::string &Value) {
    DeviceModel Model;
    if (!findGPU(Value, Model, Error))
      return false;
    Result.Architecture = "sm_" + std::to_string(Model.Architecture);
    Result.Environment.emplace_back(GPUVariable, writeModel(Model));
    return once();
  }

  /// Of several words for the GPU none is to be right by chance.
  bool once() {
    return !std::exchange(HasGPU, true) ||
           fail("the GPU is named twice: leave one --gpu or --sm out");
  }

  bool number(const NumberSetting &Setting, const std::string &Value) {
    uint64_t Number;
    if (!parseNumber(Setting, Value.c_str(), Number))
      return fail("option '" + std::string(Setting.Option) +
                  "' takes a number from " + std::to_string(Setting.Least) +
                  " to " + std::to_string(Setting.Most) + ", not '" + Value +
                  "'");
    Result.Environment.emplace_back(Setting.Variable, Value);
    return true;
  }

  const std::vector<std::string> &Arguments;
  CommandLine &Result;
  std::string &Error;
  size_t Next = 0;
  bool HasGPU = false;
};
} // namespace

bool ferry::sim::parseCommandLine(const std::vector<std::string> &Arguments,
                                  CommandLine &Result, std::string &Error) {
  return Parser(Arguments, Result, Error).run();
}
