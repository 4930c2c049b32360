//===- ptxas.cpp - Assembles PTX for the simulator ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the place of CUDA's ptxas. The object file holds the bitcode that
// ferry-carry-bitcode wrote into the PTX, in the section .ferry.bc. It holds
// GPU code too if the program is built with a CUDA toolkit, whose ptxas then
// makes it.
//
//===----------------------------------------------------------------------===//

#include "Cubin.h"
#include "Tool.h"
#include "engine/SimABI.h"
#include "simulator/BitcodeComments.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace ferry::cuda;

static Expected<std::string> assemble(const std::string &Assembler,
                                      const Command &C) {
  std::vector<std::string> Arguments = C.Options;
  Arguments.push_back(C.Inputs.front());
  if (Error E = run(Assembler, std::move(Arguments)))
    return std::move(E);
  return readFile(C.Output);
}

static Expected<std::string> makeSimulatorCubin(StringRef Bitcode,
                                                unsigned Architecture) {
  LLVMContext Context;
  auto M = parseBitcodeFile(MemoryBufferRef(Bitcode, "bitcode"), Context);
  if (!M)
    return M.takeError();
  return makeCubin(*M, Architecture, /*Executable=*/false);
}

static Error assembleFile(int Count, char **Arguments) {
  Expected<Command> C = parseCommand(Count, Arguments);
  if (!C)
    return C.takeError();
  Expected<std::string> PTX = readFile(C->Inputs.front());
  if (!PTX)
    return PTX.takeError();
  Expected<std::string> Bitcode = ferry::bitcodeFromComments(*PTX);
  if (!Bitcode)
    return createFileError(C->Inputs.front(), Bitcode.takeError());

  Expected<std::string> Assembler = toolOfToolkit("ptxas");
  if (!Assembler)
    return Assembler.takeError();
  unsigned Architecture = 0;
  if (!Bitcode->empty()) {
    Expected<unsigned> Known = simulatedArchitecture(C->Architecture);
    if (!Known)
      return Known.takeError();
    Architecture = *Known;
  } else if (Assembler->empty()) {
    return createStringError("without a CUDA toolkit device code can only be "
                             "compiled for the simulator, with --ferry-sim");
  }
  Expected<std::string> Cubin = Assembler->empty()
                                    ? makeSimulatorCubin(*Bitcode, Architecture)
                                    : assemble(*Assembler, *C);
  if (!Cubin)
    return Cubin.takeError();
  if (!Bitcode->empty())
    if (Error E = addSection(*Cubin, ferry::sim::BitcodeSection, *Bitcode))
      return E;
  return writeFile(C->Output, *Cubin);
}

int main(int Count, char **Arguments) {
  return report(assembleFile(Count, Arguments));
}
