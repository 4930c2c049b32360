//===- Findings.h - What went wrong on a device ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_FINDINGS_H
#define FERRY_SIM_FINDINGS_H

#include "Engine.h"

#include <map>
#include <mutex>
#include <tuple>

namespace ferry::sim {

/// Keeps the first finding of each kind at each instruction of a kernel, and
/// counts the others.
class Findings {
public:
  void add(Finding F) {
    std::lock_guard<std::mutex> Guard(Lock);
    auto [It, New] = Index.insert({keyOf(F), List.size()});
    if (New)
      List.push_back(std::move(F));
    else
      List[It->second].Count += F.Count;
  }
  /// Counts \p F, whose text does not matter, if an equal one is kept. False if
  /// there is none.
  bool countIfKnown(const Finding &F) {
    std::lock_guard<std::mutex> Guard(Lock);
    auto It = Index.find(keyOf(F));
    if (It == Index.end())
      return false;
    List[It->second].Count += F.Count;
    return true;
  }
  std::vector<Finding> all() const {
    std::lock_guard<std::mutex> Guard(Lock);
    return List;
  }

private:
  mutable std::mutex Lock;
  using Key = std::tuple<FindingKind, std::string, const InstructionInfo *>;
  std::map<Key, size_t> Index;
  std::vector<Finding> List;

  static Key keyOf(const Finding &F) {
    return {F.Kind, F.Kernel, isNote(F.Kind) ? nullptr : F.Where};
  }
};

} // namespace ferry::sim

#endif // FERRY_SIM_FINDINGS_H
