//===- LaunchImageTest.cpp - Objects that travel as copies ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchRuntime.h"

using namespace ferry;
using namespace ferry::abi;
using namespace ferry::test;
using fake::offload;

namespace {

/// Plain values have a way of their own; each test also takes the general one.
class LaunchImage : public LaunchRuntime,
                    public ::testing::WithParamInterface<bool> {
protected:
  void restart() override {
    LaunchRuntime::restart();
    Plan.AllowValues = GetParam();
  }
};

INSTANTIATE_TEST_SUITE_P(Ways, LaunchImage, ::testing::Bool(),
                         [](const auto &Info) {
                           return Info.param ? "Values" : "General";
                         });

struct OnePointer {
  long *P;
  long N;
};

} // namespace

//===----------------------------------------------------------------------===//
// One closure
//===----------------------------------------------------------------------===//

TEST_P(LaunchImage, ByValue) {
  Mapped<long> A({1, 2, 3});
  OnePointer F{A.data(), 5};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  transfers();
  launch([&](void **Arguments) {
    auto *D = static_cast<OnePointer *>(Arguments[0]);
    EXPECT_NE(D, &F);
    EXPECT_EQ(D->P, A.Device);
    D->P[2] = D->N;
  });
  EXPECT_EQ(transfers(), 1u);
  EXPECT_EQ(A.Device[2], 5);
  EXPECT_EQ(A.Host[2], 3);
  EXPECT_EQ(LaunchedTypes[0], ByValue);
}

TEST_P(LaunchImage, ManyPointersInOneTransfer) {
  std::vector<std::unique_ptr<Mapped<long>>> Arrays;
  std::vector<long *> F;
  for (long I = 0; I < 32; ++I) {
    Arrays.push_back(std::make_unique<Mapped<long>>(std::vector<long>{I, I}));
    F.push_back(Arrays.back()->data() + 1);
  }
  uint32_t O = Plan.variable(32 * sizeof(long *));
  for (uint64_t I = 0; I < 32; ++I)
    Plan.pointer(O, 8 * I);
  capture(F.data(), 32 * sizeof(long *), O);
  transfers();
  launch([&](void **Arguments) {
    for (size_t I = 0; I < 32; ++I)
      EXPECT_EQ(static_cast<long **>(Arguments[0])[I], Arrays[I]->Device + 1);
  });
  EXPECT_EQ(transfers(), 1u);
}

TEST_P(LaunchImage, PointersThatAreNotMappedStayBitForBit) {
  long Unmapped = 1;
  Mapped<long> A({1, 2});
  struct {
    long *Null, *Host, *Device, *Odd;
  } F{nullptr, &Unmapped, A.Device, reinterpret_cast<long *>(0x1234567)};
  uint32_t O = Plan.variable(sizeof(F));
  for (uint64_t At : {0, 8, 16, 24})
    Plan.pointer(O, At).Flags |= PlanSlot::MayBeEnd;
  capture(&F, sizeof(F), O);
  launch([&](void **Arguments) {
    EXPECT_EQ(memcmp(Arguments[0], &F, sizeof(F)), 0);
  });
}

TEST_P(LaunchImage, OnlyWhatThePlanNames) {
  Mapped<long> A({1});
  long *F[3] = {A.data(), A.data(), A.data()};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 8);
  capture(F, sizeof(F), O);
  launch([&](void **Arguments) {
    auto *D = static_cast<long **>(Arguments[0]);
    EXPECT_EQ(D[0], A.data());
    EXPECT_EQ(D[1], A.Device);
    EXPECT_EQ(D[2], A.data());
  });
}

TEST_P(LaunchImage, PointersAtAnyAddress) {
  // A packed record.
  Mapped<long> A({1});
  char F[13] = {};
  long *P = A.data();
  memcpy(F + 5, &P, sizeof(P));
  uint32_t O = Plan.variable(sizeof(F), false, 1);
  Plan.pointer(O, 5);
  capture(F, sizeof(F), O);
  launch([&](void **Arguments) {
    long *D;
    memcpy(&D, static_cast<char *>(Arguments[0]) + 5, sizeof(D));
    EXPECT_EQ(D, A.Device);
  });
}

TEST_P(LaunchImage, TheFallbacksObjectIsWhatIsCaptured) {
  // In a task the arrays lead to a frame that may be gone.
  Mapped<long> A({1});
  OnePointer Gone{nullptr, 0}, F{A.data(), 7};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  source(capture(&Gone, sizeof(Gone), O), &F);
  launch([&](void **Arguments) {
    auto *D = static_cast<OnePointer *>(Arguments[0]);
    EXPECT_EQ(D->P, A.Device);
    EXPECT_EQ(D->N, 7);
  });
}

namespace {

void mapNothing(std::vector<fake::MapEntry> &, void *, void *, int64_t,
                int64_t) {}

} // namespace

TEST_P(LaunchImage, SeveralClosures) {
  Mapped<long> A({1}), B({2});
  struct Odd {
    long *P;
    char Rest[13];
  } F{A.data(), {1}};
  OnePointer G{B.data(), 7};
  uint32_t OF = Plan.variable(sizeof(F)), OG = Plan.variable(sizeof(G));
  Plan.pointer(OF, 0);
  Plan.pointer(OG, 0);
  capture(&F, sizeof(F), OF);
  capture(&G, sizeof(G), OG);
  launch([&](void **Arguments) {
    EXPECT_EQ(static_cast<Odd *>(Arguments[0])->P, A.Device);
    EXPECT_EQ(static_cast<Odd *>(Arguments[0])->Rest[0], 1);
    EXPECT_EQ(static_cast<OnePointer *>(Arguments[1])->P, B.Device);
    EXPECT_EQ(static_cast<OnePointer *>(Arguments[1])->N, 7);
  });
}

TEST_P(LaunchImage, EntriesOfClangForCapturedPointersAreLeftOut) {
  Mapped<long> A({1});
  OnePointer F{A.data(), 7};
  long Value = 3;
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  entry(&F, 0, withParent(MapLiteral | MapPtrAndObj | MapImplicit, 0));
  mapper(entry(&Value, sizeof(Value), MapTargetParam | MapTo), mapNothing);
  entry(&Value, sizeof(Value), MapTo);
  transfers();
  begin();
  ASSERT_EQ(Launched.NumArgs, 3u);
  EXPECT_EQ(Launched.Names[1], reinterpret_cast<char *>(&Value) + 1);
  EXPECT_EQ(Launched.Mappers[1], reinterpret_cast<void *>(mapNothing));
  EXPECT_EQ(Launched.Mappers[2], nullptr);
  Launched.Mappers = nullptr;
  fake::runKernel(DeviceNumber, &Launched, [&](void **Arguments) {
    EXPECT_EQ(static_cast<OnePointer *>(Arguments[0])->P, A.Device);
    EXPECT_EQ(*static_cast<long *>(Arguments[1]), 3);
  });
  end(0);
  EXPECT_EQ(transfers(), 2u);
}

TEST_P(LaunchImage, ObjectsBeforeAndAfterInTheArrays) {
  Mapped<long> A({1});
  OnePointer F{A.data(), 7};
  long Before = 3, After = 4;
  entry(&Before, sizeof(Before), MapTargetParam | MapTo);
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  entry(&After, sizeof(After), ToFrom);
  launch([&](void **Arguments) {
    EXPECT_EQ(*static_cast<long *>(Arguments[0]), 3);
    EXPECT_EQ(static_cast<OnePointer *>(Arguments[1])->P, A.Device);
    *static_cast<long *>(Arguments[2]) = 5;
  });
  EXPECT_EQ(After, 5);
}

TEST_P(LaunchImage, DataThatMovedBetweenTwoLaunches) {
  std::vector<long> A{1, 2};
  OnePointer F{A.data(), 0};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  void *Seen[2], *Devices[2];
  for (int I = 0; I < 2; ++I) {
    void *Other = fake::enter(Seen, 8); // take the place that becomes free
    Devices[I] = fake::enter(A.data(), 16);
    launch([&](void **Arguments) {
      Seen[I] = static_cast<OnePointer *>(Arguments[0])->P;
    });
    fake::leave(A.data(), 16);
    fake::leave(Seen, 8);
    EXPECT_NE(Other, nullptr);
    EXPECT_EQ(Seen[I], Devices[I]);
  }
}

//===----------------------------------------------------------------------===//
// Mapped objects that are only read
//===----------------------------------------------------------------------===//

TEST_P(LaunchImage, MappedObjectThatIsOnlyRead) {
  Mapped<long> A({1});
  OnePointer F{A.data(), 7};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O, ToFrom);
  transfers();
  launch([&](void **Arguments) {
    EXPECT_EQ(static_cast<OnePointer *>(Arguments[0])->P, A.Device);
  });
  EXPECT_EQ(transfers(), 1u);
  EXPECT_EQ(offload().FromDevice, 0u);
}

TEST_P(LaunchImage, ModifiersAskForAMapping) {
  for (uint64_t Modifier : {MapClose, MapOmpxHold, MapAlways}) {
    restart();
    Mapped<long> A({1});
    OnePointer F{A.data(), 7};
    uint32_t O = Plan.variable(sizeof(F));
    Plan.pointer(O, 0);
    capture(&F, sizeof(F), O, ToFrom | Modifier);
    launch([&](void **Arguments) {
      EXPECT_EQ(static_cast<OnePointer *>(Arguments[0])->P, A.Device);
      EXPECT_EQ(omp_get_mapped_ptr(&F, 0), Arguments[0]) << Modifier;
    });
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {

struct Inner {
  long *P;
  long N;
};
struct Middle {
  Inner *R;
  long *Q;
};
struct Outer {
  Middle *R;
  long N;
};

} // namespace

TEST_P(LaunchImage, ReferencesThatAreOnlyReadTravelInOneBlock) {
  Mapped<long> A({1}), B({2});
  Inner I{A.data(), 10};
  Middle M{&I, B.data()};
  Outer F{&M, 20};
  uint32_t O = Plan.variable(sizeof(F)), OM = Plan.variable(sizeof(M)),
           OI = Plan.variable(sizeof(I));
  Plan.pointer(O, 0, static_cast<int32_t>(OM));
  Plan.pointer(OM, 0, static_cast<int32_t>(OI));
  Plan.pointer(OM, 8);
  Plan.pointer(OI, 0);
  capture(&F, sizeof(F), O);
  mustStay(&I, sizeof(I));
  mustStay(&M, sizeof(M));
  transfers();
  launch([&](void **Arguments) {
    auto *D = static_cast<Outer *>(Arguments[0]);
    EXPECT_EQ(D->N, 20);
    EXPECT_NE(D->R, &M);
    EXPECT_EQ(D->R->Q, B.Device);
    EXPECT_NE(D->R->R, &I);
    EXPECT_EQ(D->R->R->N, 10);
    EXPECT_EQ(D->R->R->P, A.Device);
  });
  EXPECT_EQ(transfers(), 1u);
  EXPECT_EQ(offload().FromDevice, 0u);
  EXPECT_EQ(LaunchedTypes[0], uint64_t(MapTargetParam | MapLiteral));
}

TEST_P(LaunchImage, SeveralClosuresInOneBlock) {
  Mapped<long> A({1});
  Inner I{A.data(), 10};
  Outer F{nullptr, 1};
  struct {
    Inner *R;
  } G{&I};
  uint32_t OF = Plan.variable(sizeof(F)), OG = Plan.variable(sizeof(G)),
           OI = Plan.variable(sizeof(I));
  Plan.pointer(OF, 0);
  Plan.pointer(OG, 0, static_cast<int32_t>(OI));
  Plan.pointer(OI, 0);
  capture(&F, sizeof(F), OF);
  capture(&G, sizeof(G), OG);
  transfers();
  launch([&](void **Arguments) {
    EXPECT_EQ(static_cast<Outer *>(Arguments[0])->N, 1);
    EXPECT_EQ((*static_cast<Inner **>(Arguments[1]))->P, A.Device);
  });
  EXPECT_EQ(transfers(), 1u);
}

TEST_P(LaunchImage, NullReferencesStay) {
  Outer F{nullptr, 20};
  uint32_t O = Plan.variable(sizeof(F)), OM = Plan.variable(sizeof(Middle));
  Plan.pointer(O, 0, static_cast<int32_t>(OM));
  capture(&F, sizeof(F), O);
  launch([&](void **Arguments) {
    EXPECT_EQ(static_cast<Outer *>(Arguments[0])->R, nullptr);
  });
}

TEST_P(LaunchImage, OverAlignedClosures) {
  struct alignas(128) Aligned {
    char C;
    long *P;
  };
  Mapped<long> A({1});
  Aligned F{'x', A.data()};
  uint32_t O = Plan.variable(sizeof(F), false, 128);
  Plan.pointer(O, offsetof(Aligned, P));
  capture(&F, sizeof(F), O);
  transfers();
  launch([&](void **Arguments) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(Arguments[0]) % 128, 0u);
    auto *D = static_cast<Aligned *>(Arguments[0]);
    EXPECT_EQ(D->C, 'x');
    EXPECT_EQ(D->P, A.Device);
  });
  EXPECT_EQ(transfers(), 1u);
}

TEST_P(LaunchImage, OverAlignedVariablesBehindReferences) {
  struct alignas(64) Aligned {
    char C;
    long *P;
  };
  Mapped<long> A({1});
  Aligned V{'x', A.data()};
  struct {
    char Before;
    Aligned *R;
  } F{'y', &V};
  uint32_t O = Plan.variable(sizeof(F)),
           OV = Plan.variable(sizeof(V), false, 64);
  Plan.pointer(O, 8, static_cast<int32_t>(OV));
  Plan.pointer(OV, offsetof(Aligned, P));
  capture(&F, sizeof(F), O);
  launch([&](void **Arguments) {
    Aligned *D = static_cast<decltype(F) *>(Arguments[0])->R;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(D) % 64, 0u);
    EXPECT_EQ(D->P, A.Device);
  });
}

TEST_P(LaunchImage, NoMemoryOnTheDevice) {
  Mapped<long> A({1});
  Inner I{A.data(), 10};
  Inner *F = &I;
  uint32_t O = Plan.variable(sizeof(F)), OI = Plan.variable(sizeof(I));
  Plan.pointer(O, 0, static_cast<int32_t>(OI));
  Plan.pointer(OI, 0);
  capture(&F, sizeof(F), O);
  offload().FailAllocations = true;
  begin();
  EXPECT_FALSE(Rewritten);
  end(1);
}

//===----------------------------------------------------------------------===//
// nowait
//===----------------------------------------------------------------------===//

TEST_P(LaunchImage, SmallCopiesNeedNoWaiting) {
  Mapped<long> A({1});
  OnePointer F{A.data(), 5};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  NoWait = true;
  launch([](void **) {});
  EXPECT_EQ(Launched.Flags, KernelFlagNoWait);
}

TEST_P(LaunchImage, LargeCopiesAreWaitedFor) {
  // libomptarget copies up to 1024 bytes at once, and more from where it is.
  for (uint64_t Size : {1024u, 1032u}) {
    restart();
    std::vector<long *> F(Size / 8);
    uint32_t O = Plan.variable(Size);
    Plan.pointer(O, 0);
    capture(F.data(), Size, O);
    WorkspaceSize = 16384;
    NoWait = true;
    begin();
    EXPECT_EQ(Launched.Flags, Size > 1024 ? 0u : KernelFlagNoWait) << Size;
    end(0);
  }
}

TEST_P(LaunchImage, BlocksAreWaitedFor) {
  Inner I{nullptr, 10};
  Inner *F = &I;
  uint32_t O = Plan.variable(sizeof(F)), OI = Plan.variable(sizeof(I));
  Plan.pointer(O, 0, static_cast<int32_t>(OI));
  capture(&F, sizeof(F), O);
  NoWait = true;
  launch([](void **) {});
  EXPECT_EQ(Launched.Flags, 0u);
}

TEST_P(LaunchImage, HeapMemoryIsWaitedFor) {
  OnePointer F{nullptr, 5};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  NoWait = true;
  WorkspaceSize = 384;
  launch([](void **) {});
  EXPECT_EQ(Launched.Flags, 0u);
}

TEST_P(LaunchImage, OtherFlagsAreKept) {
  OnePointer F{nullptr, 5};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  launch([](void **) {});
  EXPECT_EQ(Launched.Version, KernelArgsVersion);
  EXPECT_EQ(Launched.Flags, 0u);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

TEST_P(LaunchImage, TheDeviceOfTheLaunch) {
  Mapped<long> A({1}, 1);
  OnePointer F{A.data(), 5};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  DeviceNumber = 1;
  launch([&](void **Arguments) {
    EXPECT_EQ(static_cast<OnePointer *>(Arguments[0])->P, A.Device);
  });
  DeviceNumber = 0;
  launch([&](void **Arguments) {
    EXPECT_EQ(static_cast<OnePointer *>(Arguments[0])->P, A.data());
  });
}

TEST_P(LaunchImage, TheDefaultDevice) {
  offload().DefaultDevice = 1;
  Mapped<long> A({1}, 1);
  Inner I{A.data(), 10};
  Inner *F = &I;
  uint32_t O = Plan.variable(sizeof(F)), OI = Plan.variable(sizeof(I));
  Plan.pointer(O, 0, static_cast<int32_t>(OI));
  Plan.pointer(OI, 0);
  capture(&F, sizeof(F), O);
  launch([&](void **Arguments) {
    EXPECT_EQ((*static_cast<Inner **>(Arguments[0]))->P, A.Device);
  });
}

TEST_P(LaunchImage, DevicesThatAreNotThere) {
  Mapped<long> A({1});
  Inner I{A.data(), 10};
  struct {
    long *P;
    Inner *R;
  } F{A.data(), &I};
  uint32_t O = Plan.variable(sizeof(F)), OI = Plan.variable(sizeof(I), true);
  Plan.pointer(O, 0);
  Plan.pointer(O, 8, static_cast<int32_t>(OI));
  Plan.pointer(OI, 0);
  capture(&F, sizeof(F), O);
  for (int64_t Number : {2, 3, 99, -2, -99}) {
    DeviceNumber = Number;
    begin();
    EXPECT_FALSE(Rewritten) << Number;
    end(1);
  }
}

TEST_P(LaunchImage, ADeviceThatIsNotThereAndNothingToSend) {
  // Looking up what is not there is no harm; the fallback has its own closure.
  OnePointer F{nullptr, 5};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  DeviceNumber = 99;
  begin();
  end(1);
}

TEST_P(LaunchImage, AnotherVersionOfTheArguments) {
  OnePointer F{nullptr, 5};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  Version = KernelArgsVersion + 1;
  begin();
  EXPECT_FALSE(Rewritten);
  end(0);
}
