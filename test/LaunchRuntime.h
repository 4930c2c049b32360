//===- LaunchRuntime.h - Launches without a compiler ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixture in which a test writes a plan and a launch's entries by hand, and
// the kernel as a lambda over the arguments that the device would get. Whatever
// the test is about, after every launch
//
//   - the launch's argument block, its arrays and the captured objects are as
//     they were, but for what the test allows with `mayChange`;
//   - reference counts and device memory are as they were;
//   - libomptarget has had nothing to complain about.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TEST_LAUNCHRUNTIME_H
#define FERRY_TEST_LAUNCHRUNTIME_H

#include "FakeOffload.h"
#include "ferry/LaunchPlan.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" void *omp_get_mapped_ptr(const void *Ptr, int Device);
extern "C" ferry::abi::KernelArgs *
__ferry_launch_begin(const ferry::LaunchPlan *Plan, void *Ident, int64_t Device,
                     ferry::abi::KernelArgs *Args, char *const *Sources,
                     void *Workspace, uint64_t Size);
extern "C" void __ferry_launch_end(void *Workspace, int32_t Status);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace ferry::test {

constexpr uint64_t ByValue =
    abi::MapPrivate | abi::MapTo | abi::MapTargetParam | abi::MapImplicit;
constexpr uint64_t ToFrom =
    abi::MapTo | abi::MapFrom | abi::MapTargetParam | abi::MapImplicit;

/// A plan in the making. Objects are numbered as they are added.
class PlanBuilder {
public:
  uint32_t variable(uint64_t Size, bool Written = false, uint32_t Align = 8);
  /// What lies behind a plain pointer; \p Size 0 for a table.
  uint32_t behind(uint64_t Size, int64_t Begin = 0);
  /// A pointer that is dereferenced. The result is valid until the next call.
  PlanSlot &pointer(uint32_t Object, uint64_t Offset, int32_t Child = -1);
  /// The last pointer of \p Object is not used by the kernel.
  void unused(uint32_t Object) {
    SlotsOf[Object].back().Flags = PlanSlot::Unused;
  }
  /// The kernel stores pointers in \p Object.
  void pointersStored(uint32_t Object) {
    Objects[Object].Flags |= PlanObject::PointersStored;
  }
  /// Visits the pointers of \p Object in the other order.
  void reverse(uint32_t Object) {
    std::reverse(SlotsOf[Object].begin(), SlotsOf[Object].end());
  }
  /// A piece of \p Object that the kernel takes besides its arguments.
  void word(uint32_t Object, uint64_t Offset, uint32_t Size = 8);
  void root(uint32_t Entry, uint32_t Object, uint32_t Flags = 0);

  /// What computes the slots' ranges, if they have any.
  void (*Ranges)(const void *const *, SlotRange *) = nullptr;

  /// Whether the plan may say that all roots are plain values.
  bool AllowValues = true;

  /// Whether the device uses images where they are made.
  bool HostMemory = false;

  /// Lays the plan out for a launch with \p Types, as the planner does.
  const LaunchPlan *finish(const std::vector<int64_t> &Types, bool NoWait);

private:
  std::vector<PlanObject> Objects;
  std::vector<std::vector<PlanSlot>> SlotsOf;
  std::vector<PlanSlot> Slots;
  std::vector<PlanRoot> Roots;
  std::vector<PlanWord> Words;
  std::vector<uint32_t> Entries;
  std::vector<int64_t> KeptTypes;
  LaunchPlan Plan{};

  void keepEntries(const std::vector<int64_t> &Types);
  void sendDirectly();
  void sizeImages();
  bool isValue(const PlanRoot &R, uint64_t Type) const;
};

class LaunchRuntime : public ::testing::Test {
protected:
  using Kernel = std::function<void(void **)>;

  PlanBuilder Plan;
  int64_t DeviceNumber = abi::DefaultDevice;
  /// Bytes of workspace if not what the pass would give.
  std::optional<uint64_t> WorkspaceSize;
  bool NoWait = false;
  bool OthersMap = false; ///< what is mapped changes during the launch
  uint32_t Version = abi::KernelArgsVersion;

  // The last launch, after `begin`.
  abi::KernelArgs Launched{};
  std::vector<uint64_t> LaunchedTypes;
  bool Rewritten = false; ///< it is not made with the program's own arguments

  void SetUp() override { restart(); }
  void TearDown() override;

  /// Begins again, without anything mapped, for a test that runs in a loop.
  virtual void restart();
  /// The same for the launch alone: what is mapped stays.
  void restartLaunch();

  /// Adds an entry to the launch. \returns its number.
  uint32_t entry(void *Host, uint64_t Size, uint64_t Type);
  /// Adds an entry that is a closure with object \p Object of the plan.
  uint32_t capture(void *Host, uint64_t Size, uint32_t Object,
                   uint64_t Type = ByValue);
  /// Where the host fallback has the object of entry \p Entry.
  void source(uint32_t Entry, void *Host) { Sources[Entry] = Host; }
  void mapper(uint32_t Entry, fake::Mapper M);
  /// Entry \p Entry maps memory at \p Host, seen from its base.
  void setPointee(uint32_t Entry, void *Host) { Ptrs[Entry] = Host; }

  /// \p Host has to be the same after every launch.
  void mustStay(const void *Host, size_t Size);
  void mayChange(const void *Host);

  /// Launches the kernel. If \p Status is not 0 it does not run.
  void launch(const Kernel &K, int32_t Status = 0);

  /// The pieces of `launch`, for tests that look in between.
  void begin();
  void end(int32_t Status);

  /// Transfers to the device since this was last asked.
  unsigned transfers() { return std::exchange(fake::offload().ToDevice, 0); }

private:
  std::vector<void *> BasePtrs, Ptrs, Names, Mappers;
  std::vector<int64_t> Sizes, Types;
  std::map<uint32_t, void *> Sources;
  std::vector<std::pair<const char *, std::string>> Kept;
  std::vector<std::string> TableBefore;
  std::string ArgumentsBefore;
  std::unique_ptr<char[]> Workspace;
  abi::KernelArgs Args{};

  std::string arguments() const;
  static std::vector<std::string> table();
};

/// An array of the host that is mapped, with the device's copy.
template <typename T> struct Mapped {
  std::vector<T> Host;
  T *Device;
  int Number;

  Mapped(std::vector<T> Values, int Number = 0)
      : Host(std::move(Values)), Number(Number) {
    Device = static_cast<T *>(
        fake::enter(Host.data(), Host.size() * sizeof(T), Number));
  }
  Mapped(const Mapped &) = delete;
  ~Mapped() { leave(); }

  T *data() { return Host.data(); }
  T *end() { return Host.data() + Host.size(); }
  void leave() {
    if (Device)
      fake::leave(Host.data(), Host.size() * sizeof(T), false, Number);
    Device = nullptr;
  }
};

} // namespace ferry::test

#endif // FERRY_TEST_LAUNCHRUNTIME_H
