//===- AsyncCopies.cpp - Copies to shared memory that are under way -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What device code calls to start copies and to wait for them.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopies.h"
#include "CopyWaits.h"
#include "Entry.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace ferry::sim;

static CopyQueue &queueOf(const Lane &L) {
  Block &B = *L.warp().Owner;
  const unsigned Thread = L.warp().threadOf(L.LaneId);
  if (B.Copies.size() <= Thread)
    B.Copies.resize(B.Warps.size() * WarpSize);
  return B.Copies[Thread];
}

/// \p Number 0 keeps the rows of the lanes of a warp together.
static void writeWord(Lane &L, uint32_t Number, uint64_t Word) {
  if (L.Log >= L.LogEnd)
    waitForLog(L);
  *L.Log = uint64_t(Number) << LogShift | (Word & LogAddressMask);
  L.Log += WarpSize;
}
static void writeWord(Lane &L, uint32_t Number, const void *Address) {
  writeWord(L, Number, reinterpret_cast<uint64_t>(Address));
}

/// Machine instructions of the lane, as they are estimated.
static uint64_t instructionsOf(const Lane &L) {
  return std::accumulate(L.Work, L.Work + NumPipes, uint64_t(0)) / WorkScale;
}

/// The copy is done: \p C's bytes are where they belong.
static void arrive(Lane &L, const AsyncCopy &C) {
  writeWord(L, C.Number + 2, C.To);
  if (memcmp(C.Source, C.From, C.Bytes) != 0)
    addFinding(FindingKind::AsyncCopy, L, C.Number,
               reinterpret_cast<uint64_t>(C.From),
               "the source of an asynchronous copy was changed before the copy "
               "was waited for");
  memcpy(C.To, C.From, C.Bytes);
  memset(C.To + C.Bytes, 0, C.Size - C.Bytes);
}

static void commit(Lane &L) {
  writeWord(L, L.Site, CopyEvent{false, 0, 0}.word());
  queueOf(L).commit(instructionsOf(L));
}

/// Waits for all groups but the \p Last ones.
static void waitFor(Lane &L, uint32_t Last) {
  CopyQueue &Queue = queueOf(L);
  writeWord(L, L.Site,
            CopyEvent{true, Last, instructionsOf(L) - Queue.doneAtCommit(Last)}
                .word());
  while (std::optional<AsyncCopy> C = Queue.takeCommitted(Last))
    arrive(L, *C);
  // The lanes of a warp may have waited for different numbers of copies.
  waitForLog(L);
}

FERRY_SIM_ENTRY void ferry_sim_copy_async(void *To, const void *From,
                                          uint32_t Size, uint32_t Bytes) {
  Lane &L = currentLane();
  AsyncCopy C{};
  C.To = static_cast<char *>(To);
  C.From = static_cast<const char *>(From);
  C.Size = std::min(Size, AsyncCopy::MaxBytes);
  C.Bytes = std::min(Bytes, C.Size);
  C.Number = L.Site;
  const ModuleInfo &M = *L.warp().Host->Current->Kernel->Module;
  // Where the number of bytes may differ its load is known to be of one byte:
  // the last is in the sector of the others, and may be the one out of bounds.
  const bool LastByte = M.Instructions[C.Number].Size == 1;
  writeWord(L, C.Bytes ? C.Number : 0,
            LastByte ? C.From + C.Bytes - 1 : C.From);
  writeWord(L, C.Number + 1, C.To);
  const auto Address = reinterpret_cast<uint64_t>(C.From);
  if (LastByte && C.Bytes && Address % C.Size)
    addFinding(FindingKind::Misaligned, L, C.Number, Address,
               "asynchronous copy of " + std::to_string(C.Size) +
                   " bytes from an address that is no multiple of " +
                   std::to_string(C.Size));
  memcpy(C.Source, C.From, C.Bytes);
  queueOf(L).start(C);
}

FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_cp_async_commit_group() {
  commit(currentLane());
}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_cp_async_wait_group(uint32_t Last) {
  waitFor(currentLane(), Last);
}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_cp_async_wait_all() {
  Lane &L = currentLane();
  commit(L);
  waitFor(L, 0);
}

void ferry::sim::reportPendingCopies(const Lane &L) {
  const Block &B = *L.warp().Owner;
  const unsigned Thread = L.warp().threadOf(L.LaneId);
  if (B.Copies.size() <= Thread)
    return;
  for (const AsyncCopy &C : B.Copies[Thread].pending())
    addFinding(FindingKind::AsyncCopy, L, C.Number,
               static_cast<uint64_t>(C.To - B.Shared),
               "the thread ended without waiting for an asynchronous copy that "
               "it has started");
}
