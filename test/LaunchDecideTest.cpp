//===- LaunchDecideTest.cpp - Where the device finds an object ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../runtime/host/Decide.h"
#include "gtest/gtest.h"

using namespace ferry;
using namespace ferry::abi;

namespace {

constexpr VariableFacts ReadInImage{/*Written=*/false, /*InImage=*/true,
                                    /*ImagesAllowed=*/true, /*Size=*/8};

/// `map(to:)` of an object that is not mapped, as Clang maps a closure.
constexpr RootFacts MappedTo{MapTo | MapTargetParam,
                             /*Resident=*/false,
                             /*ImagesAllowed=*/true,
                             /*OwnMembers=*/false,
                             /*HasMapper=*/false,
                             /*SizeMatches=*/true,
                             /*Written=*/false};

template <typename T, typename Fn> T with(T Facts, Fn Change) {
  Change(Facts);
  return Facts;
}

} // namespace

TEST(LaunchDecide, VariablesThatAreMappedStayWhereTheyAre) {
  for (bool Written : {false, true})
    for (bool InImage : {false, true})
      EXPECT_EQ(placeVariable({Written, InImage, true, 8}, Presence::Whole),
                Place::Resident);
}

TEST(LaunchDecide, VariablesThatAreOnlyReadAreCopied) {
  EXPECT_EQ(placeVariable(ReadInImage, Presence::Nothing), Place::Image);
  EXPECT_EQ(placeVariable(ReadInImage, Presence::Part), Place::Image);
}

TEST(LaunchDecide, VariablesThatHaveToBeMapped) {
  VariableFacts Written = ReadInImage, Large = ReadInImage,
                Hidden = ReadInImage, InMapped = ReadInImage;
  Written.Written = true;
  Large.Size = ImageLimit + 1;
  Hidden.ImagesAllowed = false;
  InMapped.InImage = false;
  for (const VariableFacts &F : {Written, Large, Hidden, InMapped}) {
    EXPECT_FALSE(isImageUnseen(F));
    EXPECT_EQ(placeVariable(F, Presence::Nothing), Place::Mapped);
    // A mapped object cannot refer to an image.
    EXPECT_EQ(placeVariable(F, Presence::Part),
              F.InImage ? Place::Image : Place::Left);
  }
}

TEST(LaunchDecide, RootsThatAreImages) {
  EXPECT_EQ(placeRoot(MappedTo), Place::Image);
  RootFacts Private{};
  Private.Type = MapPrivate | MapTo;
  Private.Resident = true;
  EXPECT_EQ(placeRoot(Private), Place::Image);
  // What the kernel does not write to need not come back.
  RootFacts ToFrom = MappedTo;
  ToFrom.Type |= MapFrom;
  EXPECT_EQ(placeRoot(ToFrom), Place::Image);
  ToFrom.Written = true;
  EXPECT_EQ(placeRoot(ToFrom), Place::Mapped);
}

TEST(LaunchDecide, RootsThatAreNoImages) {
  using F = RootFacts;
  EXPECT_EQ(placeRoot(with(MappedTo, [](F &R) { R.Resident = true; })),
            Place::Resident);
  for (const F &R : {with(MappedTo, [](F &R) { R.ImagesAllowed = false; }),
                     with(MappedTo, [](F &R) { R.OwnMembers = true; }),
                     with(MappedTo, [](F &R) { R.HasMapper = true; }),
                     with(MappedTo, [](F &R) { R.SizeMatches = false; }),
                     with(MappedTo, [](F &R) { R.Type |= MapAlways; }),
                     with(MappedTo, [](F &R) { R.Type |= MapPresent; }),
                     with(MappedTo, [](F &R) { R.Type |= MapClose; }),
                     with(MappedTo, [](F &R) { R.Type |= MapOmpxHold; }),
                     with(MappedTo, [](F &R) { R.Type &= ~MapTo; })})
    EXPECT_EQ(placeRoot(R), Place::Mapped);
}

TEST(LaunchDecide, ImagesThatHideWrites) {
  char Bytes[32];
  PlanObject Large{}, Small{};
  Large.Size = 16;
  Small.Size = 8;
  FoundObject O[2]{};
  O[0].Object = &Large;
  O[0].Host = Bytes;
  O[0].Where = Place::Image;
  O[1].Object = &Small;
  O[1].Host = Bytes + 8;
  O[1].Where = Place::Mapped;
  List<FoundObject> Objects{O, 2, 2};
  EXPECT_TRUE(imagesHideWrites(Objects));
  O[0].Private = true;
  EXPECT_FALSE(imagesHideWrites(Objects));
  O[0].Private = false;
  O[1].Host = Bytes + 16;
  EXPECT_FALSE(imagesHideWrites(Objects));
  O[1].Host = Bytes;
  O[1].Where = Place::Resident;
  EXPECT_FALSE(imagesHideWrites(Objects));
}
