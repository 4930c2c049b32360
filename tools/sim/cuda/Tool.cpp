//===- Tool.cpp - What ptxas and nvlink have in common --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tool.h"
#include "gpu/DeviceTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileOutputBuffer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace ferry::cuda {

Expected<Command> parseCommand(int Count, char **Arguments) {
  Command C;
  for (int I = 1; I < Count; ++I) {
    StringRef Argument = Arguments[I];
    auto [Name, Value] = Argument.split('=');
    bool IsOutput = Name == "-o" || Name == "--output-file";
    bool IsArchitecture = Name == "-arch" || Name == "--gpu-name";
    if (!Argument.starts_with("-")) {
      // Not the value of an option that is unknown here.
      if (sys::fs::is_regular_file(Argument))
        C.Inputs.push_back(Argument.str());
      else
        C.Options.push_back(Argument.str());
      continue;
    }
    C.Options.push_back(Argument.str());
    if (!IsOutput && !IsArchitecture)
      continue;
    if (Value.empty() && I + 1 < Count) {
      Value = Arguments[++I];
      C.Options.push_back(Value.str());
    }
    (IsOutput ? C.Output : C.Architecture) = Value.str();
  }
  if (C.Output.empty() || C.Architecture.empty() || C.Inputs.empty())
    return createStringError("an input file, -o or -arch is missing");
  return C;
}

Expected<unsigned> simulatedArchitecture(const std::string &Name) {
  unsigned Architecture = sim::parseArchitecture(Name.c_str());
  if (!sim::findDeviceModelFor(Architecture))
    return createStringError("ferry-sim has no GPU for " + Name +
                             "; compile for one of " +
                             sim::knownArchitectures());
  return Architecture;
}

Expected<std::string> readFile(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  return (*Buffer)->getBuffer().str();
}

Error writeFile(StringRef Path, StringRef Content) {
  auto Buffer = FileOutputBuffer::create(Path, Content.size());
  if (!Buffer)
    return createFileError(Path, Buffer.takeError());
  copy(Content, (*Buffer)->getBufferStart());
  return (*Buffer)->commit();
}

Expected<TemporaryFile> TemporaryFile::create(StringRef Prefix,
                                              StringRef Suffix) {
  SmallString<128> Path;
  if (std::error_code EC = sys::fs::createTemporaryFile(Prefix, Suffix, Path))
    return createFileError(Path, EC);
  return TemporaryFile(Path.str().str());
}

TemporaryFile::TemporaryFile(TemporaryFile &&Other) noexcept
    : Path(std::exchange(Other.Path, "")) {}

TemporaryFile::~TemporaryFile() {
  if (!Path.empty()) [[maybe_unused]]
    std::error_code EC = sys::fs::remove(Path);
}

Error run(const std::string &Program, std::vector<std::string> Arguments) {
  Arguments.insert(Arguments.begin(), Program);
  std::vector<StringRef> All(Arguments.begin(), Arguments.end());
  std::string Message;
  int Status =
      sys::ExecuteAndWait(Program, All, std::nullopt, {}, 0, 0, &Message);
  if (Status == 0)
    return Error::success();
  return createStringError(Message.empty() ? "" : Program + ": " + Message);
}

Expected<std::string> toolOfToolkit(StringRef Name) {
  auto Folder = sys::Process::GetEnv("FERRY_CUDA_PATH");
  if (!Folder || Folder->empty())
    return "";
  std::string Tool = *Folder + "/bin/" + Name.str();
  static int Anchor;
  // It would start itself without end.
  if (sys::fs::equivalent(Tool, sys::fs::getMainExecutable("", &Anchor)))
    return createStringError(*Folder +
                             " is Ferry's own and no CUDA toolkit; compile and "
                             "link with --ferry-sim and without --cuda-path, "
                             "or name a toolkit with --cuda-path=<toolkit>");
  return Tool;
}

int report(Error E) {
  if (!E)
    return 0;
  std::string Message = toString(std::move(E));
  if (!Message.empty())
    errs() << "ferry-clang: error: " << Message << '\n';
  return 1;
}

} // namespace ferry::cuda
