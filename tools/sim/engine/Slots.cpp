//===- Slots.cpp - Memory for the stacks and shared memory of blocks ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At fixed addresses, so that an address tells which memory it is of. A slot is
// mapped when it is first used and kept for the next block.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace ferry::sim::slots {

namespace {
struct Pool {
  std::mutex Lock;
  std::vector<unsigned> Free;
  unsigned Mapped = 0;
};
Pool &pool() {
  static Pool P;
  return P;
}
} // namespace

[[noreturn]] static void fail(const char *What) {
  fprintf(stderr,
          "ferry-sim: error: no memory for %s of simulated threads: %s\n", What,
          strerror(errno));
  _exit(2);
}

static void map(char *Address, uint64_t Bytes, const char *What) {
  if (mmap(Address, Bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
           -1, 0) != Address)
    fail(What);
}

unsigned acquire() {
  Pool &P = pool();
  std::lock_guard<std::mutex> Guard(P.Lock);
  if (!P.Free.empty()) {
    unsigned Slot = P.Free.back();
    P.Free.pop_back();
    return Slot;
  }
  if (P.Mapped == Num) {
    errno = ENOMEM;
    fail("the blocks");
  }
  const unsigned Slot = P.Mapped++;
  map(shared(Slot), SharedBytes, "the shared memory");
  map(stack(Slot, 0), MaxLanes * StackBytes, "the stacks");
  // A stack that grows into its neighbour would go unnoticed.
  const auto Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (unsigned L = 0; L < MaxLanes; ++L)
    if (mprotect(stack(Slot, L), Page, PROT_NONE))
      fail("the guards of the stacks");
  return Slot;
}

void release(unsigned Slot) {
  Pool &P = pool();
  std::lock_guard<std::mutex> Guard(P.Lock);
  P.Free.push_back(Slot);
}

} // namespace ferry::sim::slots
