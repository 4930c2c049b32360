//===- SimABI.h - What a translated kernel and the simulator agree on -----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ferry-sim-translate turns the device code of an image into a shared object
// for the host. Each GPU thread ("lane") runs on a stack of its own. What it
// does to memory it does at once, and writes down in the log of its warp; the
// engine reads the log when no lane of the warp can go on, and counts from it.
//
// This file is the one place for everything both sides must know. It is plain
// data: the engine needs no LLVM, the translator no engine.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_SIMABI_H
#define FERRY_SIM_SIMABI_H

#include <cstddef>
#include <cstdint>

namespace ferry::sim {

/// Changes with every change in this file. A module of another version is
/// refused.
constexpr uint32_t ABIVersion = 10;

/// The section of an image that holds the translated module, a shared object.
constexpr char ImageSection[] = ".ferry.sim";
/// The section of an object file's image that holds its LLVM bitcode.
constexpr char BitcodeSection[] = ".ferry.bc";
/// Kernels for one thread that construct and destroy a module's variables. The
/// engine runs them when the module is loaded and unloaded.
constexpr char InitKernel[] = "ferry.init";
constexpr char FiniKernel[] = "ferry.fini";
/// The symbol of the translated module's ModuleInfo.
constexpr char ModuleSymbol[] = "ferry_sim_module";

// --- The log ----------------------------------------------------------------

constexpr unsigned WarpSize = 32;

/// A warp's log has LogRows rows of WarpSize words. A lane writes its n-th word
/// since the last time the log was read to row n, at its own column. A word is
/// the number of an instruction in the upper 16 bits and, in the others, the
/// address accessed or the value a branch depends on. Number 0 is nobody's.
constexpr unsigned LogRows = 64;
constexpr unsigned LogShift = 48;
constexpr uint64_t LogAddressMask = (uint64_t(1) << LogShift) - 1;
/// More instructions than this in one module are an error of the translator.
constexpr unsigned MaxInstructions = 0xffff;
/// Words that a lane may write without asking for room: a basic block with
/// more of them is split by the translator.
constexpr unsigned MaxWordsAtOnce = 16;

/// Bytes for a block's shared memory, and those of them that the variables of a
/// module may take: a launch can ask for as much as a multiprocessor has, too.
constexpr uint64_t SharedRoom = 1 << 20;
constexpr uint64_t MaxStaticShared = SharedRoom - (256 << 10);

// --- Work -------------------------------------------------------------------

/// The pipes of a multiprocessor that work is counted for. What a warp asks of
/// memory is counted by requests.
enum Pipe : unsigned { Fp32Pipe, Fp64Pipe, IntPipe, OtherPipe, NumPipes };
/// Work is counted in fractions of a machine instruction: loops are unrolled
/// when machine code is made, and share what controls them.
constexpr unsigned WorkScale = 4;
/// As many iterations of an innermost loop are taken to be in flight together.
constexpr unsigned UnrolledIterations = 4;

// --- A lane -----------------------------------------------------------------

/// A lane's stack is StackBytes long and aligned to as much, so a function
/// finds the lane's context from its own frame's address. The context lies at
/// the top of the stack, a little lower for each of ContextColors neighbours:
/// contexts and frames that are a power of two apart would want the same lines
/// of the processor's cache. The lowest page is a guard. Code is not optimised
/// (Emit.cpp), so that its frames are large.
constexpr unsigned StackShift = 19;
constexpr uint64_t StackBytes = uint64_t(1) << StackShift;
constexpr uint64_t ContextBytes = 256;
constexpr uint64_t ContextColors = 64;
constexpr uint64_t contextAddress(uint64_t Frame) {
  const uint64_t Color = Frame >> StackShift & (ContextColors - 1);
  return (Frame | (StackBytes - 1)) + 1 - (Color + 1) * ContextBytes;
}

/// A lane's state; its stack begins below. What is used at every switch comes
/// first, in one line of the cache.
struct LaneContext {
  uint64_t *Log;         ///< where the next word goes; then += WarpSize
  uint64_t *LogEnd;      ///< the end of the last row, for this lane
  uint64_t Instructions; ///< device IR instructions that the lane has executed
  char *Shared;          ///< the block's shared memory
  void *Owner;           ///< the warp, the engine's
  uint32_t LaneId;       ///< within the warp
  uint32_t Site;         ///< the last Sync instruction or volatile access
  uint32_t Spins;        ///< accesses that other threads may wait for
  uint32_t ThreadId[3];
  uint32_t BlockDim[3];
  uint32_t BlockId[3];
  uint32_t GridDim[3];
  uint32_t DynamicShared;  ///< bytes
  uint64_t Work[NumPipes]; ///< machine instructions times WorkScale, estimated
  uint8_t *Reached; ///< the warp's: by basic block of the module, 1 if it has
                    ///< come to it
};

// --- What a module tells ----------------------------------------------------

enum class InstructionKind : uint8_t {
  Load,
  Store,
  Atomic,  ///< read-modify-write, compare and exchange
  Branch,  ///< one whose direction may differ within a warp
  Sync,    ///< barrier, shuffle and the like: in the log only those that make
           ///< groups of copies or wait for them (CopyEvent); see Site
  Arrival, ///< of what a cp.async copied; the address is the destination
};

/// What the number in a word of the log stands for.
struct InstructionInfo {
  InstructionKind Kind;
  uint8_t Runtime; ///< 1: the access of the OpenMP device runtime to its state
  uint8_t Size;    ///< bytes accessed: 1, 2, 4, 8, 16
  uint8_t Align;   ///< of the address, as the code promises: at least Size
  uint8_t Flags;   ///< see below
  uint32_t Line;   ///< 0: not known
  uint32_t Column;
  const char *File;     ///< "" if not known
  const char *Function; ///< as mangled
};
/// Bits of InstructionInfo::Flags.
constexpr uint8_t Volatile = 1;   ///< volatile or atomic load or store
constexpr uint8_t AsyncStore = 2; ///< of a cp.async: it has only begun
/// The first load that has to wait for the loads before: an epoch begins, of
/// loads that are under way together.
constexpr uint8_t BeginsEpoch = 4;
constexpr uint8_t InUnrolled = 8; ///< of an epoch of UnrolledIterations
constexpr uint8_t AsyncLoad = 16; ///< of a cp.async: nobody waits for it here

struct ArgumentInfo {
  uint32_t Size;  ///< bytes
  uint32_t Align; ///< bytes
};

struct KernelInfo {
  static constexpr uint32_t AnyRegionThreads = UINT32_MAX;

  const char *Name;                ///< as libomptarget asks for it
  void (*Entry)(void **Arguments); ///< pointers to the arguments' values
  const ArgumentInfo *Arguments;
  uint32_t NumArguments;
  uint32_t MaxThreads; ///< per block; 1024 if the kernel does not say
  uint32_t Generic;    ///< OpenMP's generic mode, as written: the runtime lets
                       ///< threads end that others do not wait for
  uint32_t RegionThreads; ///< of parallel regions with num_threads; 0: none has
                          ///< that; AnyRegionThreads: not one constant
  uint32_t SharedBytes;   ///< static shared memory that the kernel can reach
  uint32_t Registers;     ///< of 32 bits, of a thread: an estimate
  uint32_t LocalBytes;    ///< of a thread's arrays in local memory
  uint32_t Line;          ///< of the target region; 0: not known
  const char *File;
};

struct GlobalInfo {
  const char *Name;
  void *Address;
  uint64_t Size; ///< bytes
};

/// The numbers that Ferry gives to lambdas begin here
/// (plugin/LambdaNumbering.cpp); they stand in mangled names.
constexpr uint32_t FirstLambdaNumber = 1000000;

/// Where a lambda is.
struct LambdaInfo {
  uint32_t Number; ///< as in its demangled name
  uint32_t Line;
  const char *File;
};

/// A part of shared memory.
struct SharedRange {
  uint32_t Begin, End; ///< [Begin, End) in bytes
};

struct ModuleInfo {
  uint32_t Version;      ///< ABIVersion
  uint32_t Architecture; ///< 90 for sm_90
  uint32_t SharedBytes;  ///< static shared memory of the whole module; dynamic
                         ///< shared memory begins here
  uint32_t NumInstructions; ///< entry 0 is unused
  const InstructionInfo *Instructions;
  uint32_t NumKernels;
  uint32_t NumGlobals;
  const KernelInfo *Kernels;
  const GlobalInfo *Globals;
  /// The device runtime's state, in which threads race by design.
  const SharedRange *RuntimeState;
  uint32_t NumRuntimeState;
  uint32_t NumLambdas;
  const LambdaInfo *Lambdas; ///< those that are known
  uint32_t NumBlocks;        ///< basic blocks
  const uint32_t *CodeBytes; ///< of their machine code: an estimate
  const char
      *Features; ///< of the host's processor that the code needs: "fma avx2"
};

} // namespace ferry::sim

// --- What translated code calls ---------------------------------------------
//
// All of these run on the lane's stack and find its context there. Intrinsics
// of the device are called ferry_sim_ and their name with '_' for '.'
// (hostName() in translate/Lower.cpp).

extern "C" {
/// The log has no room for the words of the next basic block.
void ferry_sim_log_full();
/// Lanes that a branch has sent different ways meet again. \p Order is the
/// place of the block in reverse post-order: of several meeting points in one
/// frame the first in this order is the innermost.
void ferry_sim_join(uint32_t Order);
/// Before an atomic or volatile access, instruction \p Number: other lanes get
/// their turn now and then.
void ferry_sim_spin(uint32_t Number);
/// Before the device runtime's accesses to its own state in shared memory,
/// which count on threads of a block that run more or less in step: of several
/// that ask whether a pointer is set, one sets it, and all go on to a barrier.
void ferry_sim_step();
/// A cp.async of \p Size bytes, the first \p Bytes from \p From, the others 0.
/// The lane's Site is the number of its load (of 1 byte if Bytes is no
/// constant: the last that is read), the next ones those of its store and its
/// arrival. It writes them to the log itself.
void ferry_sim_copy_async(void *To, const void *From, uint32_t Size,
                          uint32_t Bytes);
/// A construct that the simulator does not know was reached.
[[noreturn]] void ferry_sim_unknown(const char *What);
}

#endif // FERRY_SIM_SIMABI_H
