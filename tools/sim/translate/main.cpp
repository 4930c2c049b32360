//===- main.cpp - ferry-sim-translate -------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last step of building a program for ferry-sim: device bitcode in, a
// shared object out that the simulator loads. Called by the stand-in nvlink
// (../cuda).
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Translate.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ferry::sim;

namespace {

constexpr char Usage[] =
    "USAGE: ferry-sim-translate --arch sm_<number> -o <file> <bitcode>...\n"
    "\n"
    "Translates device code into a shared object for ferry-sim.\n"
    "\n"
    "  --arch sm_90        what the code was compiled for\n"
    "  -o <file>           where the shared object goes\n"
    "  --no-init           leave constructors to libomptarget\n"
    "  --runtime-dir <dir> where libomptarget-nvptx*.bc is\n"
    "  --emit-llvm         write the translated module as text instead\n";

struct Arguments {
  std::string Output, RuntimeDir = FERRY_RUNTIME_DIR;
  unsigned Architecture = 0;
  bool EmitLLVM = false;
  bool Init = true;
  std::vector<std::string> Files;
};

Expected<Arguments> parse(ArrayRef<char *> Words) {
  Arguments A;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    auto value = [&]() -> Expected<StringRef> {
      if (++I == Words.size())
        return createStringError("'" + Word + "' needs a value");
      return StringRef(Words[I]);
    };
    if (Word == "--emit-llvm") {
      A.EmitLLVM = true;
    } else if (Word == "--no-init") {
      A.Init = false;
    } else if (Word == "-o" || Word == "--runtime-dir" || Word == "--arch") {
      Expected<StringRef> Value = value();
      if (!Value)
        return Value.takeError();
      if (Word == "--arch") {
        StringRef Number = *Value;
        Number.consume_back("a"); // sm_90a
        if (!Number.consume_front("sm_") ||
            Number.getAsInteger(10, A.Architecture) || !A.Architecture)
          return createStringError("'" + *Value +
                                   "' is not an architecture like sm_90");
      } else {
        (Word == "-o" ? A.Output : A.RuntimeDir) = Value->str();
      }
    } else if (Word.starts_with("-")) {
      return createStringError("unknown option '" + Word + "'");
    } else {
      A.Files.push_back(Word.str());
    }
  }
  if (A.Output.empty() || !A.Architecture || A.Files.empty())
    return createStringError("--arch, -o and at least one file are needed");
  return A;
}

/// The simulator's libcuda.so.1 lies beside this program.
std::string driverLibrary(const char *Program) {
  static int Anchor;
  SmallString<128> Path(sys::fs::getMainExecutable(Program, &Anchor));
  sys::path::remove_filename(Path);
  sys::path::append(Path, "libcuda.so.1");
  return Path.str().str();
}

/// Tells all at once what would end a kernel that comes to it.
void warnOfUnknown(const Translation &T) {
  const std::vector<std::string> Calls = unknownCalls(T);
  if (Calls.empty())
    return;
  errs() << "ferry-sim-translate: warning: a kernel that comes to one of these "
            "is ended, since the simulator does not have it:\n";
  for (const std::string &Call : Calls)
    errs() << "  " << Call << '\n';
}

Error translate(const Arguments &A, const char *Program) {
  Translation T;
  T.Architecture = A.Architecture;
  T.Init = A.Init;
  LLVMContext Context;
  auto NVPTX =
      makeTarget("nvptx64-nvidia-cuda", ("sm_" + Twine(A.Architecture)).str(),
                 "+ptx83", CodeGenOptLevel::Aggressive);
  if (!NVPTX)
    return NVPTX.takeError();
  if (StringRef CPU = (*NVPTX)->getTargetCPU();
      !(*NVPTX)->getMCSubtargetInfo()->isCPUStringValid(CPU))
    return createStringError("LLVM " LLVM_VERSION_STRING " does not know " +
                             CPU);
  Expected<std::unique_ptr<Module>> M =
      linkDevice(Context, A.Files, A.RuntimeDir, **NVPTX, T);
  if (!M)
    return M.takeError();
  insertJoins(**M, T);
  lowerDevice(**M, T);
  warnOfUnknown(T);
  if (Error E = instrument(**M, T))
    return E;
  if (Error E = placeShared(**M, T))
    return E;
  auto Host = makeHostTarget(T);
  if (!Host)
    return Host.takeError();
  writeTable(**M, T);
  if (A.EmitLLVM) {
    std::error_code EC;
    raw_fd_ostream Out(A.Output, EC);
    if (EC)
      return createStringError("cannot write '" + A.Output +
                               "': " + EC.message());
    (*M)->print(Out, nullptr);
    return Error::success();
  }
  return emitSharedObject(**M, **Host, FERRY_LLD, driverLibrary(Program),
                          A.Output);
}

} // namespace

int main(int Count, char **Words) {
  InitLLVM Init(Count, Words);
  if (Count == 2 && StringRef(Words[1]) == "--help") {
    outs() << Usage;
    return 0;
  }
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Expected<Arguments> A = parse(ArrayRef(Words + 1, Count - 1));
  Error E = A ? translate(*A, Words[0]) : A.takeError();
  if (!E)
    return 0;
  errs() << "ferry-sim-translate: error: " << toString(std::move(E)) << '\n';
  return 1;
}
