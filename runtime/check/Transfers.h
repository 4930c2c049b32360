//===- Transfers.h - Copies that could be left out --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With FERRY_CHECK=transfers: copies that carry what is there already, that
// nobody reads, and allocations around every launch. Counted while the program
// runs, told at its end.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_TRANSFERS_H
#define FERRY_CHECK_TRANSFERS_H

#include "Copies.h"

namespace ferry::check {

class Transfers {
public:
  /// \p T is about to be sent by the directive \p By.
  void sends(const Transfer &T, const DataName &By, uint64_t Launches);

  /// \p By has fetched \p T, and the host had the same.
  void fetchesUnchanged(const Transfer &T, const DataName &By);

  /// Section \p S is about to be unmapped.
  void unmaps(int Device, const Section &S, uint64_t Launches);

  /// Tells what was found.
  void tellAll();

private:
  enum KindTy { SentAgain, NeverRead, Unchanged, AroundLaunch };
  struct Count {
    DataName By;
    uint64_t Times = 0;
    uint64_t Bytes = 0;
  };
  /// What is known of the host's memory that is copied.
  struct Sent {
    uint64_t Hash = 0;
    uint64_t Size = 0;
    uint64_t Launches = 0; ///< that there were
    bool Pending = false;  ///< nothing was launched since
  };

  std::mutex Lock;
  std::map<std::pair<int, const char *>, Sent> Last;
  /// By kind, device, and file, line and name of the directive.
  std::map<std::tuple<KindTy, int, std::string, unsigned, std::string>, Count>
      Counts;

  void count(KindTy Kind, int Device, const DataName &By, uint64_t Bytes);
};

/// Those of the process.
Transfers &transfers();

} // namespace ferry::check

#endif // FERRY_CHECK_TRANSFERS_H
