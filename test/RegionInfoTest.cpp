//===- RegionInfoTest.cpp - What the front end tells the passes -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Annotations come from another process, possibly of another version, so any
// text has to end in a region or in a message.
//
//===----------------------------------------------------------------------===//

#include "closure/RegionInfo.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace ferry;
using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

namespace {

LayoutItem item(LayoutItem::KindTy Kind, uint64_t Offset, std::string Name) {
  LayoutItem I;
  I.Kind = Kind;
  I.Offset = Offset;
  I.Name = std::move(Name);
  return I;
}

/// Writes \p R and reads it again.
RegionInfo roundTrip(const RegionInfo &R) {
  Expected<RegionInfo> Read = fromAnnotation(toAnnotation(R));
  if (!Read) {
    ADD_FAILURE() << toString(Read.takeError());
    return RegionInfo();
  }
  return std::move(*Read);
}

/// The layout of a capture 'c' of \p Size bytes after a round trip.
std::vector<LayoutItem> roundTrip(std::vector<LayoutItem> Layout,
                                  uint64_t Size) {
  RegionInfo R;
  CaptureInfo C;
  C.Name = "c";
  C.Size = Size;
  C.Layout = std::move(Layout);
  R.Captures.push_back(std::move(C));
  RegionInfo Read = roundTrip(R);
  if (Read.Captures.size() != 1) {
    ADD_FAILURE() << "one capture is expected";
    return {};
  }
  return std::move(Read.Captures[0].Layout);
}

/// Whether \p Text is refused with a message that says \p Why.
AssertionResult refused(StringRef Text, StringRef Why) {
  Expected<RegionInfo> R = fromAnnotation(Text);
  if (R)
    return AssertionFailure() << "accepted: " << Text.str();
  std::string Message = toString(R.takeError());
  if (StringRef(Message).starts_with("malformed region annotation: ") &&
      StringRef(Message).contains(Why))
    return AssertionSuccess();
  return AssertionFailure() << "the message is: " << Message;
}

/// The same for a region with one capture of 16 bytes that has \p Layout.
AssertionResult layoutRefused(StringRef Layout, StringRef Why) {
  return refused(("ferry.region:{\"line\":1,\"column\":1,\"index\":0,"
                  "\"captures\":[{\"argument\":0,\"name\":\"c\",\"size\":16,"
                  "\"align\":8,\"layout\":" +
                  Layout + "}]}")
                     .str(),
                 Why);
}

/// A region of which everything is different from the default.
RegionInfo fullRegion() {
  RegionInfo R;
  R.Line = 17;
  R.Column = 3;
  R.Index = 2;
  R.Function = "_ZN1SC1Ev";
  R.UnifiedSharedMemory = true;
  R.SeveralTargets = R.Independent = true;
  CaptureInfo C;
  C.Argument = 4;
  C.Name = "f";
  C.IsLambda = true;
  C.Const = true;
  C.Size = 24;
  C.Align = 16;
  C.Layout.push_back(item(LayoutItem::Pointer, 8, "data"));
  R.Captures.push_back(C);
  C = CaptureInfo();
  C.Argument = 5;
  C.Name = "p";
  C.IsPointer = true;
  C.Size = 8;
  C.Align = 8;
  R.Captures.push_back(C);
  return R;
}

} // namespace

//===----------------------------------------------------------------------===//
// Round trips
//===----------------------------------------------------------------------===//

TEST(RegionInfo, EveryFieldOfARegion) {
  RegionInfo R = roundTrip(fullRegion());
  EXPECT_EQ(R.Line, 17u);
  EXPECT_EQ(R.Column, 3u);
  EXPECT_EQ(R.Index, 2u);
  EXPECT_EQ(R.Function, "_ZN1SC1Ev");
  EXPECT_TRUE(R.UnifiedSharedMemory);
  EXPECT_TRUE(R.SeveralTargets && R.Independent);
  ASSERT_EQ(R.Captures.size(), 2u);
}

TEST(RegionInfo, EveryFieldOfACapture) {
  RegionInfo R = roundTrip(fullRegion());
  ASSERT_EQ(R.Captures.size(), 2u);
  const CaptureInfo &F = R.Captures[0];
  EXPECT_EQ(F.Argument, 4u);
  EXPECT_EQ(F.Name, "f");
  EXPECT_TRUE(F.IsLambda);
  EXPECT_TRUE(F.Const);
  EXPECT_FALSE(F.IsPointer);
  EXPECT_EQ(F.Size, 24u);
  EXPECT_EQ(F.Align, 16u);
  ASSERT_EQ(F.Layout.size(), 1u);
  const CaptureInfo &P = R.Captures[1];
  EXPECT_TRUE(P.IsPointer);
  EXPECT_FALSE(P.IsLambda);
  EXPECT_FALSE(P.Const);
  EXPECT_TRUE(P.Layout.empty());
}

TEST(RegionInfo, Defaults) {
  RegionInfo R = roundTrip(RegionInfo());
  EXPECT_EQ(R.Line, 0u);
  EXPECT_EQ(R.Function, "");
  EXPECT_FALSE(R.UnifiedSharedMemory);
  EXPECT_FALSE(R.SeveralTargets);
  EXPECT_TRUE(R.Captures.empty());
}

TEST(RegionInfo, KindsWithoutAnObject) {
  for (auto Kind :
       {LayoutItem::Pointer, LayoutItem::Function, LayoutItem::VirtualBase}) {
    LayoutItem I = item(Kind, 8, "m");
    I.InUnion = true;
    std::vector<LayoutItem> L = roundTrip({I}, 16);
    ASSERT_EQ(L.size(), 1u);
    EXPECT_EQ(L[0].Kind, Kind);
    EXPECT_EQ(L[0].Offset, 8u);
    EXPECT_EQ(L[0].Name, "c.m");
    EXPECT_TRUE(L[0].InUnion);
    EXPECT_TRUE(L[0].Inner.empty());
  }
}

TEST(RegionInfo, KindsWithAnObject) {
  for (auto Kind : {LayoutItem::Reference, LayoutItem::This}) {
    LayoutItem I = item(Kind, 0, "r");
    I.Size = 40;
    I.Align = 32;
    I.Const = true;
    I.Recursive = true;
    I.Inner.push_back(item(LayoutItem::Pointer, 32, "inner"));
    std::vector<LayoutItem> L = roundTrip({I}, 8);
    ASSERT_EQ(L.size(), 1u);
    EXPECT_EQ(L[0].Kind, Kind);
    EXPECT_EQ(L[0].Size, 40u);
    EXPECT_EQ(L[0].Align, 32u);
    EXPECT_TRUE(L[0].Const);
    EXPECT_TRUE(L[0].Recursive);
    EXPECT_FALSE(L[0].InUnion);
    ASSERT_EQ(L[0].Inner.size(), 1u);
    EXPECT_EQ(L[0].Inner[0].Offset, 32u);
    EXPECT_EQ(L[0].Inner[0].Name, "c.r.inner");
  }
}

TEST(RegionInfo, FlagsOfAReferenceAreOffByDefault) {
  LayoutItem I = item(LayoutItem::Reference, 0, "r");
  I.Size = 8;
  std::vector<LayoutItem> L = roundTrip({I}, 8);
  ASSERT_EQ(L.size(), 1u);
  EXPECT_FALSE(L[0].Const);
  EXPECT_FALSE(L[0].Recursive);
  EXPECT_EQ(L[0].Align, 1u);
}

//===----------------------------------------------------------------------===//
// Names and arrays
//===----------------------------------------------------------------------===//

TEST(RegionInfo, MembersOfThisAreWrittenWithAnArrow) {
  LayoutItem This = item(LayoutItem::This, 0, "this");
  This.Size = 8;
  This.Inner.push_back(item(LayoutItem::Pointer, 0, "data"));
  std::vector<LayoutItem> L = roundTrip({This}, 8);
  ASSERT_EQ(L.size(), 1u);
  EXPECT_EQ(L[0].Name, "c.this");
  ASSERT_EQ(L[0].Inner.size(), 1u);
  EXPECT_EQ(L[0].Inner[0].Name, "c.this->data");
}

TEST(RegionInfo, MembersWithoutANameTakeTheirOwners) {
  std::vector<LayoutItem> L = roundTrip({item(LayoutItem::Pointer, 0, "")}, 8);
  ASSERT_EQ(L.size(), 1u);
  EXPECT_EQ(L[0].Name, "c");
}

TEST(RegionInfo, NamesMayHoldAnyCharacter) {
  std::vector<LayoutItem> L = roundTrip(
      {item(LayoutItem::Pointer, 0, "quote\" back\\slash \xc3\xa9")}, 8);
  ASSERT_EQ(L.size(), 1u);
  EXPECT_EQ(L[0].Name, "c.quote\" back\\slash \xc3\xa9");
}

TEST(RegionInfo, ArraysComeBackExpanded) {
  LayoutItem A = item(LayoutItem::Array, 8, "rows");
  A.Count = 3;
  A.Stride = 24;
  A.Inner.push_back(item(LayoutItem::Pointer, 16, "data"));
  A.Inner.push_back(item(LayoutItem::Function, 0, "call"));
  std::vector<LayoutItem> L = roundTrip({A}, 80);
  ASSERT_EQ(L.size(), 6u);
  EXPECT_EQ(L[0].Offset, 24u);
  EXPECT_EQ(L[0].Name, "c.rows[0].data");
  EXPECT_EQ(L[1].Kind, LayoutItem::Function);
  EXPECT_EQ(L[1].Offset, 8u);
  EXPECT_EQ(L[4].Offset, 72u);
  EXPECT_EQ(L[4].Name, "c.rows[2].data");
}

TEST(RegionInfo, ArraysOfArrays) {
  LayoutItem Row = item(LayoutItem::Array, 0, "");
  Row.Count = 2;
  Row.Stride = 8;
  Row.Inner.push_back(item(LayoutItem::Pointer, 0, ""));
  LayoutItem A = item(LayoutItem::Array, 0, "grid");
  A.Count = 2;
  A.Stride = 16;
  A.InUnion = true;
  A.Inner.push_back(Row);
  std::vector<LayoutItem> L = roundTrip({A}, 32);
  ASSERT_EQ(L.size(), 4u);
  EXPECT_EQ(L[3].Offset, 24u);
  EXPECT_EQ(L[3].Name, "c.grid[1][1]");
  EXPECT_TRUE(L[3].InUnion);
}

TEST(RegionInfo, EmptyArrayHasNoItems) {
  LayoutItem A = item(LayoutItem::Array, 0, "none");
  A.Inner.push_back(item(LayoutItem::Pointer, 0, ""));
  EXPECT_TRUE(roundTrip({A}, 8).empty());
}

TEST(RegionInfo, LargestArray) {
  LayoutItem A = item(LayoutItem::Array, 0, "table");
  A.Count = 65536;
  A.Stride = 8;
  A.Inner.push_back(item(LayoutItem::Pointer, 0, ""));
  std::vector<LayoutItem> L = roundTrip({A}, uint64_t(8) * 65536);
  ASSERT_EQ(L.size(), 65536u);
  EXPECT_EQ(L.back().Offset, uint64_t(8) * 65535);
}

//===----------------------------------------------------------------------===//
// Malformed annotations
//===----------------------------------------------------------------------===//

TEST(RegionInfo, OnlyOurPrefixIsAnAnnotation) {
  EXPECT_TRUE(isAnnotation("ferry.region:"));
  EXPECT_TRUE(isAnnotation("ferry.region:nonsense"));
  EXPECT_FALSE(isAnnotation("ferry.region"));
  EXPECT_FALSE(isAnnotation("another.region:{}"));
  EXPECT_FALSE(isAnnotation(""));
}

TEST(RegionInfo, MissingPrefix) {
  EXPECT_TRUE(refused("{}", "no 'ferry.region:'"));
  EXPECT_TRUE(refused("", "malformed region annotation"));
}

TEST(RegionInfo, EveryTruncation) {
  std::string Text = toAnnotation(fullRegion());
  for (size_t Length = 0; Length < Text.size(); ++Length)
    EXPECT_TRUE(refused(StringRef(Text).take_front(Length),
                        "malformed region annotation"));
}

TEST(RegionInfo, EveryDamagedByteIsReadOrRefused) {
  std::string Text = toAnnotation(fullRegion());
  for (size_t At = 0; At < Text.size(); ++At)
    for (char Byte : {'"', '0', '-', '{', ']', '\xff', '\0'}) {
      std::string Damaged = Text;
      Damaged[At] = Byte;
      if (Expected<RegionInfo> R = fromAnnotation(Damaged); !R)
        EXPECT_NE(toString(R.takeError()), "");
    }
}

TEST(RegionInfo, NotAnObject) {
  EXPECT_TRUE(refused("ferry.region:[]", "an object is expected"));
  EXPECT_TRUE(refused("ferry.region:7", "an object is expected"));
  EXPECT_TRUE(refused("ferry.region:null", "an object is expected"));
}

TEST(RegionInfo, MissingFields) {
  std::string Text = toAnnotation(RegionInfo());
  for (StringRef Key : {"line", "column", "index", "captures"}) {
    std::string Damaged = Text;
    Damaged[Damaged.find(("\"" + Key + "\"").str()) + 1] = '_';
    EXPECT_TRUE(refused(Damaged, "'" + Key.str() + "' has to be"));
  }
}

TEST(RegionInfo, WrongTypesInARegion) {
  auto With = [](StringRef Line, StringRef Captures, StringRef More = "") {
    return ("ferry.region:{\"line\":" + Line +
            ",\"column\":1,\"index\":0,\"captures\":" + Captures + More + "}")
        .str();
  };
  EXPECT_EQ(fromAnnotation(With("1", "[]"))->Line, 1u);
  EXPECT_TRUE(
      refused(With("-1", "[]"), "'line' has to be a non-negative integer"));
  EXPECT_TRUE(refused(With("\"1\"", "[]"), "'line'"));
  EXPECT_TRUE(refused(With("1.5", "[]"), "'line'"));
  EXPECT_TRUE(refused(With("1e99", "[]"), "'line'"));
  EXPECT_TRUE(refused(With("1", "{}"), "'captures' has to be an"));
  EXPECT_TRUE(refused(With("1", "[[]]"), "an object is expected"));
  EXPECT_TRUE(refused(With("1", "[]", ",\"function\":7"),
                      "'function' has to be a string"));
}

TEST(RegionInfo, NumbersThatDoNotFit) {
  // Cut to 32 bits, these would be the numbers of another region or argument.
  EXPECT_TRUE(refused("ferry.region:{\"line\":4294967297,\"column\":1,"
                      "\"index\":0,\"captures\":[]}",
                      "'line'"));
  EXPECT_TRUE(refused("ferry.region:{\"line\":1,\"column\":1,\"index\":0,"
                      "\"captures\":[{\"argument\":4294967296,\"name\":\"c\","
                      "\"size\":8,\"align\":8}]}",
                      "'argument'"));
}

TEST(RegionInfo, WrongTypesInACapture) {
  auto With = [](StringRef Argument, StringRef Size, StringRef Align) {
    return ("ferry.region:{\"line\":1,\"column\":1,\"index\":0,\"captures\":[{"
            "\"argument\":" +
            Argument + ",\"name\":\"c\",\"size\":" + Size +
            ",\"align\":" + Align + "}]}")
        .str();
  };
  EXPECT_EQ(fromAnnotation(With("0", "8", "8"))->Captures.size(), 1u);
  EXPECT_TRUE(refused(With("-1", "8", "8"), "'argument'"));
  EXPECT_TRUE(refused(With("true", "8", "8"), "'argument'"));
  EXPECT_TRUE(refused(With("0", "-8", "8"), "'size'"));
  EXPECT_TRUE(refused(With("0", "0", "8"), "size or alignment of 'c'"));
  EXPECT_TRUE(refused(With("0", "8", "0"), "alignment of 'c'"));
  EXPECT_TRUE(refused(With("0", "8", "12"), "alignment of 'c'"));
}

TEST(RegionInfo, WrongTypesInALayout) {
  EXPECT_TRUE(layoutRefused("7", "'layout' has to be an array"));
  EXPECT_TRUE(layoutRefused("{}", "'layout' has to be an array"));
  EXPECT_TRUE(layoutRefused("[7]", "an object is expected"));
  EXPECT_TRUE(layoutRefused("[{}]", "'kind' has to be a string"));
  EXPECT_TRUE(layoutRefused("[{\"kind\":\"pointer\"}]", "'offset'"));
  EXPECT_TRUE(layoutRefused("[{\"kind\":\"pointer\",\"offset\":-8,"
                            "\"name\":\"m\"}]",
                            "'offset' has to be a non-negative integer"));
  EXPECT_TRUE(layoutRefused("[{\"kind\":\"pointer\",\"offset\":0,"
                            "\"name\":[]}]",
                            "'name' has to be a string"));
}

TEST(RegionInfo, UnknownKind) {
  EXPECT_TRUE(layoutRefused("[{\"kind\":\"handle\",\"offset\":0,"
                            "\"name\":\"m\"}]",
                            "'handle' is not a kind of member"));
}

TEST(RegionInfo, ItemOutsideItsObject) {
  for (StringRef Offset : {"9", "16", "9223372036854775807"})
    EXPECT_TRUE(layoutRefused(
        ("[{\"kind\":\"pointer\",\"offset\":" + Offset + ",\"name\":\"m\"}]")
            .str(),
        "member 'c.m' lies outside its object"));
}

TEST(RegionInfo, ItemOutsideTheObjectBehindAReference) {
  EXPECT_TRUE(
      layoutRefused("[{\"kind\":\"reference\",\"offset\":0,\"name\":\"r\","
                    "\"size\":8,\"align\":8,\"layout\":[{\"kind\":"
                    "\"pointer\",\"offset\":8,\"name\":\"m\"}]}]",
                    "member 'c.r.m' lies outside its object"));
}

TEST(RegionInfo, ReferenceWithoutAnObject) {
  auto With = [](StringRef Size, StringRef Align, StringRef Why) {
    return layoutRefused(
        ("[{\"kind\":\"this\",\"offset\":0,\"name\":\"this\",\"size\":" + Size +
         ",\"align\":" + Align + "}]")
            .str(),
        Why);
  };
  EXPECT_TRUE(With("0", "8", "size or alignment of 'c.this'"));
  EXPECT_TRUE(With("8", "0", "size or alignment of 'c.this'"));
  EXPECT_TRUE(With("8", "24", "size or alignment of 'c.this'"));
  EXPECT_TRUE(With("-8", "8", "'size'"));
  EXPECT_TRUE(With("8", "null", "'align'"));
}

namespace {

std::string array(StringRef Count, StringRef Stride, StringRef Inner) {
  return ("[{\"kind\":\"array\",\"offset\":0,\"name\":\"a\",\"count\":" +
          Count + ",\"stride\":" + Stride + ",\"layout\":" + Inner + "}]")
      .str();
}

constexpr StringLiteral OnePointer =
    "[{\"kind\":\"pointer\",\"offset\":0,\"name\":\"\"}]";

TEST(RegionInfo, WhatRemarksNeed) {
  RegionInfo R;
  R.Name = "forall<main::lambda at \"a.cpp\":12>";
  R.HostIR = "/tmp/a b.bc";
  CaptureInfo C;
  C.Name = "c";
  C.Size = 8;
  C.Layout = {item(LayoutItem::Pointer, 0, "p")};
  C.Layout[0].Pointee = 1;
  C.Pointee = 0;
  R.Captures.push_back(C);
  // An array is not expanded in a type, however long it is.
  LayoutItem Array = item(LayoutItem::Array, 8, "a");
  Array.Count = 1 << 30;
  Array.Stride = 16;
  Array.Inner = {item(LayoutItem::Pointer, 8, "q")};
  Array.Inner[0].Pointee = 0;
  R.Types.resize(2);
  R.Types[0].Size = 8;
  R.Types[1].Size = 8 + (16ULL << 30);
  R.Types[1].Layout = {Array};
  RegionInfo Read = roundTrip(R);
  EXPECT_EQ(Read.Name, R.Name);
  EXPECT_EQ(Read.HostIR, R.HostIR);
  EXPECT_EQ(Read.Captures.at(0).Pointee, 0u);
  EXPECT_EQ(Read.Captures.at(0).Layout.at(0).Pointee, 1u);
  ASSERT_EQ(Read.Types.size(), 2u);
  EXPECT_TRUE(Read.Types[0].Layout.empty());
  EXPECT_EQ(Read.Types[1].Size, R.Types[1].Size);
  const LayoutItem &A = Read.Types[1].Layout.at(0);
  EXPECT_EQ(A.Kind, LayoutItem::Array);
  EXPECT_EQ(A.Count, Array.Count);
  EXPECT_EQ(A.Inner.at(0).Name, "q");
  EXPECT_EQ(A.Inner.at(0).Pointee, 0u);
}

TEST(RegionInfo, TypesThatCannotBe) {
  auto Refused = [](StringRef Types, StringRef Why) {
    return refused(("ferry.region:{\"line\":1,\"column\":1,\"index\":0,"
                    "\"captures\":[],\"types\":" +
                    Types + "}")
                       .str(),
                   Why);
  };
  EXPECT_TRUE(Refused("[{\"layout\":[]}]", "'size'"));
  EXPECT_TRUE(Refused("[{\"size\":0}]", "size of a type"));
  EXPECT_TRUE(Refused("[{\"size\":8,\"layout\":[{\"kind\":\"pointer\","
                      "\"offset\":8,\"name\":\"p\"}]}]",
                      "outside its object"));
  EXPECT_TRUE(Refused("[{\"size\":8,\"layout\":[{\"kind\":\"array\","
                      "\"offset\":0,\"name\":\"a\",\"count\":2,"
                      "\"stride\":0,\"layout\":[]}]}]",
                      "an array of 2 elements"));
  EXPECT_TRUE(Refused("{}", "'types' has to be an array"));
}

} // namespace

TEST(RegionInfo, MalformedArrays) {
  EXPECT_TRUE(
      layoutRefused(array("2", "0", OnePointer), "an array of 2 elements"));
  EXPECT_TRUE(layoutRefused(array("-2", "8", OnePointer), "'count'"));
  EXPECT_TRUE(layoutRefused(array("2", "8", "7"), "'layout'"));
  EXPECT_TRUE(layoutRefused(array("3", "8", OnePointer),
                            "member 'c.a[2]' lies outside its object"));
}

TEST(RegionInfo, GiantArrays) {
  EXPECT_TRUE(layoutRefused(array("65537", "8", OnePointer),
                            "an array of 65537 elements"));
  EXPECT_TRUE(
      layoutRefused(array("9223372036854775807", "8", OnePointer), "elements"));
}

TEST(RegionInfo, OffsetsThatWrapAround) {
  // 2 * (2^63 - 1) + 8 is 6 in 64 bits, which lies inside.
  EXPECT_TRUE(layoutRefused(array("3", "9223372036854775807", OnePointer),
                            "lies outside its object"));
  LayoutItem A = item(LayoutItem::Array, 0, "a");
  A.Count = 3;
  A.Stride = INT64_MAX;
  A.Inner.push_back(item(LayoutItem::Pointer, 16, ""));
  RegionInfo R;
  CaptureInfo C;
  C.Size = INT64_MAX;
  C.Layout.push_back(A);
  R.Captures.push_back(C);
  EXPECT_TRUE(refused(toAnnotation(R), "lies outside its object"));
}

TEST(RegionInfo, NestedArraysAreBounded) {
  // A few bytes of text must not become gigabytes of items.
  std::string Inner = array("65536", "8", OnePointer);
  std::string Layout = array("16", "524288", Inner);
  EXPECT_TRUE(refused("ferry.region:{\"line\":1,\"column\":1,\"index\":0,"
                      "\"captures\":[{\"argument\":0,\"name\":\"c\",\"size\":"
                      "8388608,\"align\":8,\"layout\":" +
                          Layout + "}]}",
                      "elements"));
}
