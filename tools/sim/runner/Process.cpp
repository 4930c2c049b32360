//===- Process.cpp - Runs the program -------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "../driver/Settings.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ferry::sim;

/// 0 if \p Path is a program, or why it is not.
static int checkProgram(const std::string &Path) {
  struct stat Status;
  if (::stat(Path.c_str(), &Status) != 0)
    return errno;
  if (S_ISDIR(Status.st_mode))
    return EISDIR;
  return ::access(Path.c_str(), X_OK) == 0 ? 0 : errno;
}

std::string ferry::sim::findProgram(const std::string &Name,
                                    std::string &Error) {
  int Reason = ENOENT;
  if (Name.find('/') != std::string::npos) {
    Reason = checkProgram(Name);
    if (!Reason)
      return Name;
    Error = std::strerror(Reason);
    return "";
  }
  const char *Variable = std::getenv("PATH");
  std::string Folders = Variable ? Variable : "/usr/bin:/bin";
  for (size_t Begin = 0, End; Begin <= Folders.size(); Begin = End + 1) {
    End = std::min(Folders.find(':', Begin), Folders.size());
    std::string Folder = Folders.substr(Begin, End - Begin);
    std::string Path = (Folder.empty() ? "." : Folder) + "/" + Name;
    if (checkProgram(Path) == 0)
      return Path;
  }
  Error = "it is not in PATH";
  if (checkProgram(Name) == 0)
    Error += "; perhaps ./" + Name + " was meant";
  return "";
}

// --- Signals -----------------------------------------------------------------

static pid_t Child;

/// A request to end is the program's to follow; the report comes after it.
static void passOn(int Signal) {
  if (Child > 0)
    ::kill(Child, Signal);
}

// The terminal sends these to the program as well.
static constexpr int Ignored[] = {SIGINT, SIGQUIT};
static constexpr int PassedOn[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

static int waitFor(pid_t Process) {
  int Status = 0;
  while (::waitpid(Process, &Status, 0) < 0 && errno == EINTR) {
  }
  return Status;
}

/// In the child: turns into the program, or tells why not.
[[noreturn]] static void
start(const std::string &Path, const std::vector<std::string> &Program,
      const std::vector<std::pair<std::string, std::string>> &Environment,
      int Report) {
  for (int Signal : Ignored)
    std::signal(Signal, SIG_DFL);
  for (int Signal : PassedOn)
    std::signal(Signal, SIG_DFL);
  for (const char *const *Name = SettingVariables; *Name; ++Name)
    ::unsetenv(*Name);
  for (const auto &[Name, Value] : Environment)
    ::setenv(Name.c_str(), Value.c_str(), 1);
  std::vector<char *> Arguments;
  Arguments.reserve(Program.size() + 1);
  for (const std::string &Argument : Program)
    Arguments.push_back(const_cast<char *>(Argument.c_str()));
  Arguments.push_back(nullptr);
  ::execv(Path.c_str(), Arguments.data());
  int Reason = errno;
  [[maybe_unused]] ssize_t Written = ::write(Report, &Reason, sizeof(Reason));
  ::_exit(127);
}

bool ferry::sim::runProgram(
    const std::string &Path, const std::vector<std::string> &Program,
    const std::vector<std::pair<std::string, std::string>> &Environment,
    int &Status, std::string &Error) {
  // Closed by a successful exec.
  int Pipe[2];
  if (::pipe2(Pipe, O_CLOEXEC) != 0) {
    Error = std::strerror(errno);
    return false;
  }
  for (int Signal : Ignored)
    std::signal(Signal, SIG_IGN);
  for (int Signal : PassedOn)
    std::signal(Signal, passOn);
  Child = ::fork();
  if (Child == 0)
    start(Path, Program, Environment, Pipe[1]);
  int Reason = Child < 0 ? errno : 0;
  ::close(Pipe[1]);
  if (!Reason) {
    while (::read(Pipe[0], &Reason, sizeof(Reason)) < 0 && errno == EINTR) {
    }
    Status = waitFor(Child);
  }
  ::close(Pipe[0]);
  if (Reason)
    Error = std::strerror(Reason);
  return !Reason;
}
