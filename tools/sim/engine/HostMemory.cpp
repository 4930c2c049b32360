//===- HostMemory.cpp - What of the host's memory kernels have used -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostMemory.h"

#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

namespace ferry::sim {

bool isHostMemory(uint64_t Address) {
  static const auto PageBytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  unsigned char Resident;
  // Fails if the page is not mapped.
  return mincore(reinterpret_cast<void *>(Address & -PageBytes), PageBytes,
                 &Resident) == 0;
}

std::string hostRange(uint64_t Address) {
  FILE *Maps = fopen("/proc/self/maps", "re");
  if (!Maps)
    return "";
  char Line[512];
  std::string Result;
  while (fgets(Line, sizeof(Line), Maps)) {
    unsigned long Begin, End;
    int Path = 0;
    if (sscanf(Line, "%lx-%lx %*s %*s %*s %*s %n", &Begin, &End, &Path) < 2 ||
        Address < Begin || Address >= End)
      continue;
    std::string Name = Path ? Line + Path : "";
    while (!Name.empty() && (Name.back() == '\n' || Name.back() == ' '))
      Name.pop_back();
    char Text[64];
    snprintf(Text, sizeof(Text), "0x%lx-0x%lx", Begin, End);
    Result = Text + std::string(Name.empty() ? "" : " ") + Name;
    break;
  }
  fclose(Maps);
  return Result;
}

} // namespace ferry::sim
