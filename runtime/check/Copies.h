//===- Copies.h - Two copies of the same data -------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With FERRY_CHECK=stale: which of the two copies of a section was written
// since they were the same, and what is then read or overwritten. What both had
// is kept, so a section takes its size once more on the host, and each copy and
// launch reads what it concerns once more.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_COPIES_H
#define FERRY_CHECK_COPIES_H

#include "Memory.h"
#include <mutex>

namespace ferry::check {

/// A copy between host and device.
struct Transfer {
  int Device;
  char *Host;
  char *OnDevice;
  uint64_t Size;
};

/// Something that a launch surely reads.
struct SureRead {
  int Device;
  const char *First, *Last;
};

class Copies {
public:
  /// What both copies of something had.
  struct Same {
    std::vector<char> Bytes;
    std::vector<bool> Known; ///< by byte
    /// The host's copy was written when a kernel read the device's.
    bool WasReadOld = false;
    const char *Device = nullptr; ///< where the section's copy is
    uint64_t Number = 0;          ///< of this section among all, or 0
  };

  /// \p T is about to be sent. \returns whether that overwrites what the device
  /// has written, with what it had before.
  bool sends(const Transfer &T);

  /// \p T is about to be fetched. What the copies have is not known until
  /// fetched() is called, with the result.
  Same fetches(const Transfer &T);

  /// \p T was fetched: \p Arrived in place of the host's \p Before. \returns
  /// whether that overwrites what the host has written, with what it had before
  /// that; not where readsOld() has seen that the program goes on with the
  /// device's copy.
  bool fetched(const Transfer &T, const Same &Was, const char *Before,
               const char *Arrived);

  /// \p T is about to be fetched, and nobody knows when that is done, or it
  /// goes elsewhere than to the host's copy, so that it is not lost.
  void forget(const Transfer &T);

  /// Whether the host has written what \p R reads since the copies were the
  /// same, and the device has not written it.
  bool readsOld(const SureRead &R);

  /// Section \p S of device \p Device is about to be unmapped. \returns whether
  /// what the device has written is lost.
  bool loses(int Device, const Section &S);

private:
  std::mutex Lock;
  std::map<std::pair<int, char *>, Same> Sections; ///< by device and beginning
  uint64_t Created = 0;

  Same &sameOf(int Device, const Section &S);
  /// The bytes of sameOf() that stand for those from \p First on.
  struct Part {
    char *Bytes;
    std::vector<bool>::iterator Known;
    bool &WasReadOld;
    uint64_t Number;
  };
  Part partOf(int Device, const Section &S, const char *First);
  /// Whether the \p Size bytes \p Now, of one copy, from \p First on are what
  /// both copies had, as far as that is known.
  bool isSame(int Device, const Section &S, const char *First, const char *Now,
              uint64_t Size);
};

/// Those of the process.
Copies &copies();

/// Reads \p Size bytes at \p OnDevice of device \p Device. \returns whether
/// that was possible.
bool readDevice(int Device, const char *OnDevice, uint64_t Size,
                std::vector<char> &Result);

} // namespace ferry::check

#endif // FERRY_CHECK_COPIES_H
