//===- main.cpp - ferry-sim: runs a program on a simulated GPU ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets up the environment in which libomptarget loads the stand-in driver, runs
// the program and prints what the driver has left behind (driver/Settings.h).
//
//===----------------------------------------------------------------------===//

#include "../driver/ElfFile.h"
#include "../driver/Settings.h"
#include "../gpu/DeviceTable.h"
#include "CommandLine.h"
#include "Process.h"
#include "ReportFile.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

using namespace ferry::sim;
namespace fs = std::filesystem;

// Exit codes of ferry-sim's own.
static constexpr int UsageError = 2, Found = 3, Incomplete = 4;

static int fail(const std::string &Why, int Code = UsageError) {
  std::fprintf(stderr, "ferry-sim: error: %s\n", Why.c_str());
  return Code;
}

static std::string readFile(const fs::path &Path) {
  std::ifstream File(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(File), {}};
}

namespace {
/// A folder that is there as long as this.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code Error;
    fs::path Pattern = fs::temp_directory_path(Error);
    if (Error)
      return;
    std::string Name = (Pattern / "ferry-sim-XXXXXX").string();
    if (::mkdtemp(Name.data()))
      Path = Name;
  }
  ~TemporaryFolder() {
    std::error_code Error;
    if (!Path.empty())
      fs::remove_all(Path, Error);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string Path; ///< empty if it could not be made
};

/// What one process of the program has left.
struct ProcessResult {
  unsigned long Number; ///< of the process
  fs::path Folder;
  ProcessStatus Status;
};
} // namespace

static std::vector<ProcessResult> readResults(const std::string &Folder) {
  std::vector<ProcessResult> Results;
  std::error_code Error;
  for (const fs::directory_entry &Entry :
       fs::directory_iterator(Folder, Error)) {
    ProcessResult Result;
    Result.Folder = Entry.path();
    Result.Number = std::strtoul(Entry.path().filename().c_str(), nullptr, 10);
    if (readStatus(readFile(Result.Folder / StatusFile), Result.Status))
      Results.push_back(Result);
  }
  std::sort(Results.begin(), Results.end(),
            [](const auto &A, const auto &B) { return A.Number < B.Number; });
  return Results;
}

/// Why a program has not used the simulated GPU.
static std::string whyNothing(const std::string &Path,
                              const CommandLine &Options) {
  constexpr char Advice[] =
      ": compile and link it with `ferry-clang++ -fopenmp --ferry-sim`";
  DeviceCode Code;
  const std::string Name = "'" + Path + "'";
  if (!readDeviceCode(Path, Code) || !Code.IsElf)
    return Name + " is a script, and nothing that it started used the GPU";
  if (Code.Images.empty())
    return Name + " has no device code" + Advice;
  bool Translated = false, Fits = false;
  std::string Others, Architectures;
  for (const DeviceCode::Image &Image : Code.Images) {
    if (Image.Triple.compare(0, 7, "nvptx64") != 0) {
      Others = Image.Triple;
      continue;
    }
    Translated |= Image.Translated;
    Architectures += (Architectures.empty() ? "" : ", ") + Image.Architecture;
    Fits |= Options.Architecture.empty() ||
            runsOn(parseArchitecture(Image.Architecture.c_str()),
                   parseArchitecture(Options.Architecture.c_str()));
  }
  if (Architectures.empty())
    return Name + " has device code for " + Others + ", not for an NVIDIA GPU" +
           Advice;
  if (!Translated)
    return Name + " was not built with --ferry-sim" + Advice;
  if (!Fits)
    return Name + " was built for " + Architectures +
           ", which does not run on the " + Options.Architecture +
           " of --gpu or --sm: leave that out, or compile with "
           "--offload-arch=" +
           Options.Architecture;
  return Name + " has device code, but never used the GPU";
}

/// Where ferry-check leaves what it finds in process \p Number, below the
/// folder of all results. It may stand for every process: "%p".
static fs::path checkFile(const fs::path &Folder, const std::string &Number) {
  return Folder / ("check-" + Number + ".json");
}

/// Lets ferry-report, which lies beside ferry-sim, write what a process has
/// left as a page, which is called after the program. It tells itself why it
/// cannot.
static bool writePage(const std::string &File, const std::string &Program,
                      const ProcessResult &Result) {
  const std::string Tool = (fs::read_symlink("/proc/self/exe").parent_path() /
                            "ferry-report-" FERRY_LLVM);
  std::vector<std::string> Command = {
      Tool, "-o", File, "--title", Program, Result.Folder / JsonFile};
  const fs::path Checks =
      checkFile(Result.Folder.parent_path(), std::to_string(Result.Number));
  if (std::error_code Error; fs::exists(Checks, Error))
    Command.insert(Command.end(), {"--checks", Checks});
  std::string Error;
  int Status = 0;
  if (!runProgram(Tool, Command, {}, Status, Error)) {
    fail("cannot run '" + Tool + "': " + Error);
    return false;
  }
  return Status == 0;
}

/// Prints and stores what the processes have left. The exit code for what is
/// wrong with it, or 0.
static int report(const std::string &Path, const CommandLine &Options,
                  const std::vector<ProcessResult> &Results) {
  int Code = 0;
  bool Complete = true;
  bool Used = false;
  uint64_t Findings = 0;
  std::vector<std::string> Errors;
  unsigned Number = 0;
  for (const ProcessResult &Result : Results) {
    Complete &= Result.Status.Ended;
    Used |= Result.Status.Used;
    Findings += Result.Status.Findings;
    for (const std::string &Error : Result.Status.Errors)
      if (std::find(Errors.begin(), Errors.end(), Error) == Errors.end())
        Errors.push_back(Error);
    if (!Result.Status.Used || !Result.Status.Ended)
      continue;
    if (Results.size() > 1)
      std::fprintf(stderr, "\nprocess %lu\n", Result.Number);
    std::fputs(readFile(Result.Folder / TableFile).c_str(), stderr);
    ++Number;
    if (!Options.JsonFile.empty()) {
      const std::string File = numberedFile(Options.JsonFile, Number);
      if (!writeReport(File, readFile(Result.Folder / JsonFile)))
        Code = fail("cannot write '" + File + "'");
    }
    if (!Options.HtmlFile.empty() &&
        !writePage(numberedFile(Options.HtmlFile, Number), Options.Program[0],
                   Result))
      Code = UsageError;
  }
  if (!Complete)
    Errors.push_back("the program, or a part of it, ended by SIGKILL or _exit: "
                     "what it did is not known");
  else if (!Used && Errors.empty())
    Errors.push_back(whyNothing(Path, Options));
  for (const std::string &Error : Errors)
    fail(Error);
  if (!Errors.empty())
    return Incomplete;
  if (Findings && Options.Strict)
    return Found;
  return Code;
}

/// Beside libcuda.so.1: see docs/check.md.
static const char CheckLibrary[] = "libferry-check.so";

static int run(CommandLine &Options, const fs::path &SimFolder) {
  std::string Error;
  std::string Path = findProgram(Options.Program[0], Error);
  if (Path.empty())
    return fail("cannot run '" + Options.Program[0] + "': " + Error);
  TemporaryFolder Results;
  if (Results.Path.empty())
    return fail("cannot make a temporary folder: let TMPDIR name one that "
                "can be written");

  auto &Environment = Options.Environment;
  std::string Folders = SimFolder.string();
  // libomptarget tells the checks what it does if it finds libomp by the name
  // that LLVM's build gives it, which Debian's package of 22 has not.
  const fs::path OpenMP = SimFolder.parent_path() / "openmp";
  if (std::error_code Ignored; fs::exists(OpenMP / "libomp.so", Ignored))
    Folders += ":" + OpenMP.string();
  const char *Libraries = std::getenv("LD_LIBRARY_PATH");
  Environment.emplace_back("LD_LIBRARY_PATH", Libraries && *Libraries
                                                  ? Folders + ":" + Libraries
                                                  : Folders);
  // It knows what the program calls its data, and does what FERRY_CHECK says.
  // By its name, which is found as libcuda.so.1 is: paths may have spaces.
  const char *Check = std::getenv("FERRY_CHECK");
  if (!Check || std::strcmp(Check, "off") != 0) {
    const char *Others = std::getenv("LD_PRELOAD");
    Environment.emplace_back("LD_PRELOAD",
                             Others && *Others
                                 ? std::string(Others) + ":" + CheckLibrary
                                 : CheckLibrary);
    if (!Options.HtmlFile.empty() && !std::getenv("FERRY_CHECK_FILE"))
      Environment.emplace_back("FERRY_CHECK_FILE",
                               checkFile(Results.Path, "%p"));
  }
  // A kernel that fails would run on the host unnoticed.
  if (!std::getenv("OMP_TARGET_OFFLOAD"))
    Environment.emplace_back("OMP_TARGET_OFFLOAD", "MANDATORY");
  Environment.emplace_back(ResultsVariable, Results.Path);

  int Status = 0;
  if (!runProgram(Path, Options.Program, Environment, Status, Error))
    return fail("cannot run '" + Options.Program[0] + "': " + Error);
  int Code = report(Path, Options, readResults(Results.Path));
  if (WIFSIGNALED(Status)) {
    int Signal = WTERMSIG(Status);
    std::fprintf(stderr, "ferry-sim: the program was ended by signal %d (%s)\n",
                 Signal, ::strsignal(Signal));
    return 128 + Signal;
  }
  return WEXITSTATUS(Status) ? WEXITSTATUS(Status) : Code;
}

int main(int NumArguments, char **Arguments) {
  CommandLine Options;
  std::string Error;
  if (!parseCommandLine({Arguments + 1, Arguments + NumArguments}, Options,
                        Error))
    return fail(Error);
  if (Options.Help)
    return std::fputs(HelpText, stdout) < 0;
  if (Options.Version)
    return std::puts("ferry-sim " FERRY_VERSION) < 0;

  std::error_code NotFound;
  fs::path Self = fs::read_symlink("/proc/self/exe", NotFound);
  fs::path SimFolder =
      (Self.parent_path() / FERRY_SIM_FOLDER).lexically_normal();
  if (!fs::exists(SimFolder / "libcuda.so.1", NotFound))
    return fail("'" + (SimFolder / "libcuda.so.1").string() +
                "' is missing: build Ferry (tools/ferry build) or install it "
                "again (cmake --install)");
  for (const std::string *File : {&Options.JsonFile, &Options.HtmlFile}) {
    Error = File->empty() ? "" : whyNotWritable(*File);
    if (!Error.empty())
      return fail(Error);
  }
  return run(Options, SimFolder);
}
