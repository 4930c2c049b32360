//===- nvlink.cpp - Links device images for the simulator -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the place of CUDA's nvlink, in every link of the compiler wrappers.
//
// With --ferry-sim the image gets the section .ferry.sim, the translated code
// of all object files. Where a CUDA toolkit is used the image is what its
// nvlink makes, with a header that libomptarget 19 accepts.
//
//===----------------------------------------------------------------------===//

#include "Cubin.h"
#include "Tool.h"
#include "engine/SimABI.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using namespace ferry::cuda;

namespace {
struct ObjectFile {
  std::string Path;
  std::string Content;
  StringRef Bitcode; ///< empty if there is none
};
} // namespace

/// The name of the user's file: Clang has appended the target and more.
static StringRef nameForUser(const ObjectFile &Object) {
  StringRef Name = sys::path::stem(Object.Path);
  return Name.take_front(
      std::min(Name.find("-nvptx64"), Name.find(".nvptx64")));
}

static Expected<std::vector<ObjectFile>> readObjects(const Command &C) {
  std::vector<ObjectFile> Objects(C.Inputs.size());
  for (auto [Path, Object] : zip(C.Inputs, Objects)) {
    Expected<std::string> Content = readFile(Path);
    if (!Content)
      return Content.takeError();
    Object.Path = Path;
    Object.Content = std::move(*Content);
    Object.Bitcode =
        findSection(Object.Content, ferry::sim::BitcodeSection).value_or("");
  }
  return std::move(Objects);
}

/// Whether the program is linked with --ferry-sim.
static bool isForSimulator() {
  auto Value = sys::Process::GetEnv("FERRY_SIM");
  return Value && !Value->empty();
}

/// An error if an object file was compiled for something else.
static Error checkObjects(ArrayRef<ObjectFile> Objects, bool HasToolkit) {
  for (const ObjectFile &Object : Objects) {
    if (isForSimulator() && Object.Bitcode.empty())
      return createStringError(nameForUser(Object) +
                               " was compiled without --ferry-sim; compile it "
                               "again with it");
    if (!isForSimulator() && !hasGPUCode(Object.Content))
      return createStringError(nameForUser(Object) +
                               " was compiled with --ferry-sim and without a "
                               "CUDA toolkit; link with --ferry-sim");
    if (StringRef Lost = findLostKernel(Object.Content); !Lost.empty())
      return createStringError(
          "of " + nameForUser(Object) + " Clang has compiled " + Lost +
          " as no kernel, which happens by chance with LLVM 19, and device "
          "variables would not be " +
          (Lost.ends_with("init") ? "constructed" : "destroyed") +
          "; compile it again");
  }
  if (!isForSimulator() && !HasToolkit)
    return createStringError("there is no CUDA toolkit to link device code "
                             "with; name one with --cuda-path=<toolkit>");
  return Error::success();
}

/// Runs ferry-sim-translate on the bitcode of all object files. \p ForGPU: into
/// an image in which libomptarget finds the constructors and runs them itself.
static Expected<std::string> translate(ArrayRef<ObjectFile> Objects,
                                       const Command &C, bool ForGPU) {
  static int Anchor;
  SmallString<256> Translator(sys::fs::getMainExecutable("nvlink", &Anchor));
  for (int Level = 0; Level < 3; ++Level)
    sys::path::remove_filename(Translator);
  sys::path::append(Translator, "sim", "ferry-sim-translate");
  if (!sys::fs::can_execute(Translator))
    return createStringError(Translator.str() +
                             " is missing; build Ferry (tools/ferry build) or "
                             "install it again (cmake --install)");

  Expected<TemporaryFile> Output = TemporaryFile::create("ferry-sim", "so");
  if (!Output)
    return Output.takeError();
  std::vector<std::string> Arguments = {"--arch", C.Architecture, "-o",
                                        Output->path()};
  if (ForGPU)
    Arguments.push_back("--no-init");
  std::vector<TemporaryFile> Bitcodes;
  for (const ObjectFile &Object : Objects) {
    Expected<TemporaryFile> File =
        TemporaryFile::create(nameForUser(Object), "bc");
    if (!File)
      return File.takeError();
    if (Error E = writeFile(File->path(), Object.Bitcode))
      return std::move(E);
    Arguments.push_back(File->path());
    Bitcodes.push_back(std::move(*File));
  }
  if (Error E = run(Translator.str().str(), std::move(Arguments)))
    return std::move(E);
  return readFile(Output->path());
}

/// CUDA's nvlink would copy the bitcode to the image, so it does not see it.
static Expected<std::string> linkForGPU(const std::string &Linker,
                                        std::vector<ObjectFile> Objects,
                                        const Command &C) {
  std::vector<std::string> Arguments = C.Options;
  std::vector<TemporaryFile> Files;
  for (ObjectFile &Object : Objects) {
    Expected<TemporaryFile> File =
        TemporaryFile::create(nameForUser(Object), "cubin");
    if (!File)
      return File.takeError();
    if (!Object.Bitcode.empty())
      hideLastSection(Object.Content);
    if (Error E = writeFile(File->path(), Object.Content))
      return std::move(E);
    Arguments.push_back(File->path());
    Files.push_back(std::move(*File));
  }
  if (Error E = run(Linker, std::move(Arguments)))
    return std::move(E);
  Expected<std::string> Image = readFile(C.Output);
  if (Image)
    relabelForLibomptarget(*Image);
  return Image;
}

static Expected<std::string> linkSymbols(ArrayRef<ObjectFile> Objects,
                                         const Command &C) {
  Expected<unsigned> Architecture = simulatedArchitecture(C.Architecture);
  if (!Architecture)
    return Architecture.takeError();
  LLVMContext Context;
  std::vector<std::unique_ptr<Module>> Modules;
  for (const ObjectFile &Object : Objects) {
    auto M =
        parseBitcodeFile(MemoryBufferRef(Object.Bitcode, Object.Path), Context);
    if (!M)
      return M.takeError();
    Modules.push_back(std::move(*M));
  }
  return makeCubin(Modules, *Architecture, /*Executable=*/true);
}

static Error linkFiles(int Count, char **Arguments) {
  Expected<Command> C = parseCommand(Count, Arguments);
  if (!C)
    return C.takeError();
  auto Objects = readObjects(*C);
  if (!Objects)
    return Objects.takeError();
  Expected<std::string> Linker = toolOfToolkit("nvlink");
  if (!Linker)
    return Linker.takeError();
  if (Error E = checkObjects(*Objects, !Linker->empty()))
    return E;
  // Object files without GPU code can only be simulated.
  bool ForGPU = !Linker->empty() && all_of(*Objects, [](const ObjectFile &O) {
    return hasGPUCode(O.Content);
  });

  Expected<std::string> Image =
      ForGPU ? linkForGPU(*Linker, *Objects, *C) : linkSymbols(*Objects, *C);
  if (!Image)
    return Image.takeError();
  if (isForSimulator()) {
    Expected<std::string> Code = translate(*Objects, *C, ForGPU);
    if (!Code)
      return Code.takeError();
    if (Error E = addSection(*Image, ferry::sim::ImageSection, *Code))
      return E;
  }
  return writeFile(C->Output, *Image);
}

int main(int Count, char **Arguments) {
  return report(linkFiles(Count, Arguments));
}
