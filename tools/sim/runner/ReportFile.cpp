//===- ReportFile.cpp - The file that --json names ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportFile.h"
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace ferry::sim;
namespace fs = std::filesystem;

/// Whether what is written to \p File is added to what is there: a device, a
/// pipe, or a file that the output goes to.
static bool isStream(const std::string &File) {
  struct stat Status;
  if (::stat(File.c_str(), &Status) != 0)
    return false;
  auto IsOutput = [&](int Descriptor) {
    struct stat Output;
    return ::fstat(Descriptor, &Output) == 0 &&
           Output.st_dev == Status.st_dev && Output.st_ino == Status.st_ino;
  };
  return !S_ISREG(Status.st_mode) || IsOutput(STDOUT_FILENO) ||
         IsOutput(STDERR_FILENO);
}

/// What is replaced: a link to a file stays a link.
static fs::path targetOf(const std::string &File) {
  std::error_code Error;
  return fs::is_symlink(File, Error) ? fs::weakly_canonical(File, Error)
                                     : fs::path(File);
}

static fs::path temporaryFor(fs::path Target) {
  return Target += ".new-" + std::to_string(::getpid());
}

std::string ferry::sim::whyNotWritable(const std::string &File) {
  std::error_code Error;
  const std::string Cannot = "cannot write '" + File + "': ";
  if (fs::is_directory(File, Error))
    return "'" + File + "' is a folder, not the name of a file";
  fs::path Folder = fs::path(File).parent_path();
  if (Folder.empty())
    Folder = ".";
  if (!fs::is_directory(Folder, Error))
    return Cannot + "there is no folder '" + Folder.string() + "'";
  if (fs::exists(File, Error) && ::access(File.c_str(), W_OK) != 0)
    return Cannot + std::strerror(errno);
  if (isStream(File))
    return "";
  const fs::path Trial = temporaryFor(targetOf(File));
  if (!std::ofstream(Trial))
    return Cannot + std::strerror(errno);
  fs::remove(Trial, Error);
  return "";
}

std::string ferry::sim::numberedFile(const std::string &File, unsigned Number) {
  return Number == 1 || isStream(File) ? File
                                       : File + "." + std::to_string(Number);
}

bool ferry::sim::writeReport(const std::string &File, const std::string &Text) {
  if (isStream(File)) {
    std::ofstream Stream(File, std::ios::binary | std::ios::app);
    Stream << Text;
    Stream.close();
    return !Stream.fail();
  }
  const fs::path Target = targetOf(File), Temporary = temporaryFor(Target);
  std::ofstream Stream(Temporary, std::ios::binary);
  Stream << Text;
  Stream.close();
  std::error_code Error;
  if (Stream)
    fs::rename(Temporary, Target, Error);
  if (Stream && !Error)
    return true;
  fs::remove(Temporary, Error);
  return false;
}
