//===- Arrivals.h - Pointers that devices have made -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that a kernel allocates is nobody's section: neither libomptarget nor
// a driver tells of it, and on the host device it lies among the host's own.
// But a pointer to it comes to the host in data that is brought back. So what
// the device has changed there is kept, of pieces up to MaxBytes, and a pointer
// that was among it is the device's own.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_ARRIVALS_H
#define FERRY_CHECK_ARRIVALS_H

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace ferry::check {

class Arrivals {
public:
  /// Larger pieces are not kept.
  static constexpr uint64_t MaxBytes = 1 << 16;

  /// \p Size bytes \p Arrived at \p Host, in place of \p Before.
  void note(const char *Host, uint64_t Size, const char *Before,
            const char *Arrived);

  /// Whether a device has brought \p Pointer to the host.
  bool has(const char *Pointer) const;

private:
  struct Piece {
    std::vector<char> Bytes;
    std::vector<bool> Changed; ///< by word
  };
  static constexpr size_t MaxPieces = 256;

  mutable std::mutex Lock;
  std::map<const char *, Piece> Pieces;
};

/// Those of the process.
Arrivals &arrivals();

} // namespace ferry::check

#endif // FERRY_CHECK_ARRIVALS_H
