//===- Tool.h - What ptxas and nvlink have in common ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_CUDA_TOOL_H
#define FERRY_SIM_CUDA_TOOL_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace ferry::cuda {

/// A command line of ptxas or nvlink, as far as it matters here.
struct Command {
  std::string Output;
  std::string Architecture;         ///< as given: sm_90
  std::vector<std::string> Inputs;  ///< existing files
  std::vector<std::string> Options; ///< all other arguments, -o and -arch too
};

llvm::Expected<Command> parseCommand(int Count, char **Arguments);

/// 90 for "sm_90". An error if no simulated GPU runs code for it.
llvm::Expected<unsigned> simulatedArchitecture(const std::string &Name);

llvm::Expected<std::string> readFile(llvm::StringRef Path);
/// Leaves no half-written file behind.
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Content);

/// A file in the temporary folder that goes away with the object.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef Prefix,
                                              llvm::StringRef Suffix);
  TemporaryFile(TemporaryFile &&Other) noexcept;
  ~TemporaryFile();
  const std::string &path() const { return Path; }

private:
  explicit TemporaryFile(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};

/// Runs \p Program. It explains its failures itself: the error then has no
/// message.
llvm::Error run(const std::string &Program, std::vector<std::string> Arguments);

/// The tool \p Name of the CUDA toolkit that the program is built with, or ""
/// if it is built without one. The wrappers name its folder in the environment.
/// An error if that tool is the one that runs.
llvm::Expected<std::string> toolOfToolkit(llvm::StringRef Name);

/// Prints \p E on one line as an error of Ferry's. Returns the exit status.
int report(llvm::Error E);

} // namespace ferry::cuda

#endif // FERRY_SIM_CUDA_TOOL_H
