//===- PointeeNamesTest.cpp - What lies behind a pointer is called --------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "closure/PointeeNames.h"
#include "gtest/gtest.h"

using namespace ferry;

namespace {

LayoutItem pointer(uint64_t Offset, std::string Name) {
  LayoutItem I;
  I.Offset = Offset;
  I.Name = std::move(Name);
  return I;
}

LayoutItem array(uint64_t Offset, std::string Name, uint64_t Count,
                 uint64_t Stride, LayoutItem Element) {
  LayoutItem I = pointer(Offset, std::move(Name));
  I.Kind = LayoutItem::Array;
  I.Count = Count;
  I.Stride = Stride;
  I.Inner = {std::move(Element)};
  return I;
}

/// struct Cell { long n; double *v; };
/// struct Grid { double *p; Cell c[3]; double *w[2][4]; Grid &r; };
RegionInfo region() {
  RegionInfo R;
  R.Types.resize(3);
  R.Types[0].Size = 128;
  LayoutItem Reference = pointer(120, "r");
  Reference.Kind = LayoutItem::Reference;
  Reference.Pointee = 0;
  R.Types[0].Layout = {
      pointer(0, "p"), array(8, "c", 3, 16, pointer(8, "v")),
      array(56, "w", 2, 32, array(0, "", 4, 8, pointer(0, ""))), Reference};
  R.Types[1].Size = 8;
  R.Types[1].Layout = {pointer(0, "")};
  R.Types[1].Layout[0].Pointee = 0;
  return R;
}

struct Names : ::testing::Test {
  RegionInfo R = region();
  NamedPointer Grid{"g", &R.Types[0]};
  NamedPointer Table{"t", &R.Types[1]};

  std::string name(const NamedPointer &P, int64_t Offset,
                   uint64_t Stride = 0) const {
    return pointerBehind(P, Offset, Stride, &R).Name;
  }
};

TEST_F(Names, Members) {
  EXPECT_EQ(name(Grid, 0), "g->p");
  EXPECT_EQ(name(Grid, 16), "g->c[0].v");
  EXPECT_EQ(name(Grid, 48), "g->c[2].v");
  EXPECT_EQ(name(Grid, 56 + 32 + 16), "g->w[1][2]");
  EXPECT_EQ(name(Grid, 120), "g->r");
}

TEST_F(Names, OtherElements) {
  EXPECT_EQ(name(Grid, 128), "g[1].p");
  EXPECT_EQ(name(Grid, -128), "g[-1].p");
  EXPECT_EQ(name(Grid, 3 * 128 + 32), "g[3].c[1].v");
  EXPECT_EQ(name(Table, 0), "t[0]");
  EXPECT_EQ(name(Table, -8), "t[-1]");
}

TEST_F(Names, AnyElement) {
  EXPECT_EQ(name(Grid, 0, 128), "g[i].p");
  EXPECT_EQ(name(Grid, 32, 128), "g[i].c[1].v");
  EXPECT_EQ(name(Grid, 16, 16), "g->c[i].v");
  EXPECT_EQ(name(Grid, 56, 8), "g->w[i][i]");
  EXPECT_EQ(name(Grid, 64, 32), "g->w[i][1]");
  EXPECT_EQ(name(Table, 16, 8), "t[i]");
}

TEST_F(Names, ReferencesAndTypesGoOn) {
  NamedPointer Reference = pointerBehind(Grid, 120, 0, &R);
  EXPECT_EQ(name(Reference, 0), "g->r.p");
  NamedPointer Row = pointerBehind(Table, 8, 0, &R);
  EXPECT_EQ(name(Row, 16), "t[1]->c[0].v");
}

TEST_F(Names, WhatIsNotKnown) {
  EXPECT_EQ(name({"g", nullptr}, 16), "g+16");
  EXPECT_EQ(name({"g", nullptr}, -16), "g-16");
  EXPECT_EQ(name({"g", nullptr}, 0, 8), "g+0...");
  EXPECT_EQ(name(Grid, 8), "g+8"); // no pointer
  EXPECT_EQ(pointerBehind(Grid, 0, 0, &R).Pointee, nullptr);
  EXPECT_EQ(pointeeType(&R, 3), nullptr);
  EXPECT_EQ(pointeeType(&R, std::nullopt), nullptr);
  EXPECT_EQ(pointeeType(nullptr, 0), nullptr);
}

} // namespace
