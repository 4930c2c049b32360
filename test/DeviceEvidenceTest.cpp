//===- DeviceEvidenceTest.cpp - From the device's module to the host's ----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "closure/DeviceEvidence.h"
#include "HostModule.h"
#include "ParseIR.h"
#include "closure/EvidenceText.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

namespace {

constexpr char Name[] = "__omp_offloading_1_2_run_l2";

/// A device's module with a kernel that has \p Body, with %f its argument.
struct DeviceModule {
  LLVMContext Context;
  std::unique_ptr<Module> M;

  explicit DeviceModule(const std::string &Body, KernelWords Words = {},
                        AccessPaths::Detail Wanted = AccessPaths::Detail::Uses)
      : M(parseIR(Context, "define weak_odr void @" + std::string(Name) +
                               "(ptr %environment, ptr %f, i64 %i) {\n" + Body +
                               "\n  ret void\n}\n"
                               "!llvm.module.flags = !{!0}\n"
                               "!0 = !{i32 7, !\"openmp-device\", i32 51}\n")) {
    EXPECT_TRUE(isDeviceModule(*M));
    const Function *Kernel = M->getFunction(Name);
    EvidenceTable Table;
    KernelEvidence &Evidence = Table[Name];
    Evidence.Paths = AccessPaths::analyse(*M, Kernel, Wanted).take(Name);
    Evidence.Words = std::move(Words);
    writeEvidence(*M, Table);
  }

  std::string bitcode() const {
    std::string Bytes;
    raw_string_ostream OS(Bytes);
    WriteBitcodeToFile(*M, OS);
    return OS.str();
  }

  /// What an assembler makes of it, as far as it matters here.
  std::string object() const { return objectOf(*M) + "FERRY-USES:no number"; }
};

std::string evidenceOf(const std::vector<std::string> &Images) {
  LLVMContext Context;
  std::unique_ptr<Module> M = hostWith(Context, Images);
  DeviceEvidence Evidence = DeviceEvidence::read(*M);
  if (!Evidence.conflicts().empty())
    return "conflict";
  const KernelEvidence *Found = Evidence.find(Name);
  if (!Found)
    return "none";
  std::string Text;
  raw_string_ostream OS(Text);
  for (const PathNode &Root : Found->Paths)
    Root.print(OS, 2);
  for (const KernelWord &W : Found->Words)
    OS << W.Argument << ":" << W.Path.size() << "+" << W.Offset << "," << W.Size
       << (W.IsPointer ? "p" : "") << " ";
  return OS.str();
}

std::string textOf(ArrayRef<PathNode> Paths) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS);
  writePaths(J, Paths);
  return Text;
}

constexpr char WritesFirst[] = "  %p = load ptr, ptr %f\n"
                               "  store i64 0, ptr %p";
constexpr char ReadsSecond[] = "  %g = getelementptr i8, ptr %f, i64 8\n"
                               "  %q = load ptr, ptr %g\n"
                               "  %r = getelementptr i8, ptr %q, i64 24\n"
                               "  %x = load volatile i64, ptr %r";

} // namespace

TEST(DeviceEvidence, Words) {
  const KernelWords Words{{0, {}, 0, 8, true}, {0, {0, 16}, 4, 3, false}};
  std::string Object = DeviceModule(WritesFirst, Words).object();
  EXPECT_EQ(evidenceOf({Object}), "read\n  [+0] written\n\n0:0+0,8p 0:2+4,3 ");
  EXPECT_EQ(evidenceOf({Object, DeviceModule(WritesFirst, Words).bitcode()}),
            "read\n  [+0] written\n\n0:0+0,8p 0:2+4,3 ");
  // A kernel of this name is not in every image.
  EXPECT_EQ(evidenceOf({Object, DeviceModule(WritesFirst).bitcode()}),
            "conflict");
  EXPECT_EQ(evidenceOf({Object, "\x7f"
                                "ELF"}),
            "conflict");
  EXPECT_NE(nameWithWords("k", Words), nameWithWords("k", {Words[0]}));
}

// Parameters are counted without the launch environment.
TEST(DeviceEvidence, FromAnObject) {
  EXPECT_EQ(evidenceOf({DeviceModule(WritesFirst).object()}),
            "read\n  [+0] written\n\n");
}

TEST(DeviceEvidence, FromBitcode) {
  EXPECT_EQ(evidenceOf({DeviceModule(ReadsSecond).bitcode()}),
            "read, from 8\n  [+8] read, from 24\n\n");
}

TEST(DeviceEvidence, SeveralDevicesTogether) {
  EXPECT_EQ(evidenceOf({DeviceModule(WritesFirst).object(),
                        DeviceModule(ReadsSecond).bitcode()}),
            "read\n  [+0] written\n  [+8] read, from 24\n\n");
}

TEST(DeviceEvidence, SurelyAccessedByAll) {
  const std::string First = "  %p = load ptr, ptr %f\n"
                            "  store i64 0, ptr %p\n"
                            "  %b = getelementptr i8, ptr %f, i64 8\n"
                            "  %q = load ptr, ptr %b\n";
  const std::string Always = First + "  store i64 0, ptr %q\n";
  const std::string Sometimes = First + "  %n = load i64, ptr %p\n"
                                        "  %c = icmp eq i64 %n, 1\n"
                                        "  br i1 %c, label %then, label %end\n"
                                        "then:\n"
                                        "  store i64 0, ptr %q\n"
                                        "  br label %end\n"
                                        "end:\n";
  auto CertainOf = [](const std::vector<std::string> &Bodies) {
    std::vector<std::string> Images;
    for (const std::string &Body : Bodies)
      Images.push_back(
          DeviceModule(Body, {}, AccessPaths::Detail::Certain).object());
    LLVMContext Context;
    auto Host = hostWith(Context, Images);
    DeviceEvidence Evidence = DeviceEvidence::read(*Host);
    const KernelEvidence *Kernel = Evidence.find(Name);
    EXPECT_NE(Kernel, nullptr);
    const PathNode &Closure = Kernel->Paths[0];
    return std::pair(Closure.Members.at(0)->Certain.size(),
                     Closure.Members.at(8)->Certain.size());
  };
  EXPECT_EQ(CertainOf({Always}), std::pair(size_t(1), size_t(1)));
  EXPECT_EQ(CertainOf({Sometimes}), std::pair(size_t(1), size_t(0)));
  EXPECT_EQ(CertainOf({Always, Always}), std::pair(size_t(1), size_t(1)));
  EXPECT_EQ(CertainOf({Always, Sometimes}), std::pair(size_t(1), size_t(0)));
  EXPECT_EQ(CertainOf({Sometimes, Always}), std::pair(size_t(1), size_t(0)));
}

TEST(DeviceEvidence, OneDeviceDoesNotTell) {
  EXPECT_EQ(evidenceOf({DeviceModule(WritesFirst).object(), "\x7f"
                                                            "ELF"}),
            "none");
}

TEST(DeviceEvidence, NoDevice) { EXPECT_EQ(evidenceOf({}), "none"); }

TEST(DeviceEvidence, Twice) {
  std::string Object = DeviceModule(WritesFirst).object();
  EXPECT_EQ(evidenceOf({Object + Object}), "read\n  [+0] written\n\n");
}

TEST(DeviceEvidence, Malformed) {
  auto With = [](const std::string &JSON) {
    return evidenceOf({"\x7f"
                       "ELF FERRY-USES:" +
                       std::to_string(JSON.size()) + ":" + JSON});
  };
  const std::string Key =
      std::string("{\"") + Name + "\":{\"words\":[],\"paths\":";
  EXPECT_EQ(With(Key + "[{\"read\":true}]}}"), "read\n");
  EXPECT_EQ(With(Key + "[{\"read\":true}]}"), "none");
  EXPECT_EQ(With(Key + "[7]}}"), "none");
  EXPECT_EQ(With(Key + "{}}}"), "none");
  EXPECT_EQ(With(Key + "[{\"members\":{\"0\":7}}]}}"), "none");
  EXPECT_EQ(With(Key + "[{\"members\":{\"first\":{}}}]}}"), "none");
  EXPECT_EQ(With(Key + "[{\"range\":{\"terms\":[],\"first\":0}}]}}"), "none");
  EXPECT_EQ(With(Key + "[{\"reads\":[[0,8,16]]}]}}"), "none");
  EXPECT_EQ(With("[]"), "none");
  EXPECT_EQ(evidenceOf({"\x7f"
                        "ELF FERRY-USES:999:{}"}),
            "none");
}

// Terms are one list of integers, in which nothing may be missing.
TEST(DeviceEvidence, MalformedTerms) {
  auto Read = [](const std::string &Terms) {
    Expected<json::Value> JSON = json::parse("[{\"range\":{\"terms\":" + Terms +
                                             ",\"first\":0,\"last\":0}}]");
    return JSON && readPaths(*JSON->getAsArray(), 0);
  };
  EXPECT_TRUE(Read("[0,64,7]"));
  EXPECT_TRUE(Read("[0,64,7,3,64,0,0]"));
  EXPECT_TRUE(Read("[2,64,0,2,8,0]"));
  EXPECT_FALSE(Read("[]"));
  EXPECT_FALSE(Read("[0]"));
  EXPECT_FALSE(Read("[0,64]"));
  EXPECT_FALSE(Read("[0,65,7]"));
  EXPECT_FALSE(Read("[99,64,7]"));
  EXPECT_FALSE(Read("[3,64,0,0]"));
  EXPECT_FALSE(Read("[0,64,7,3,64,0,1]"));
  EXPECT_FALSE(Read("[0,64,7,3,64,0]"));
  EXPECT_FALSE(Read("[2,64,0,0]"));
  EXPECT_FALSE(Read("[2,64,0,3,8,0]"));
  EXPECT_FALSE(Read("[2,64,0,-1]"));
}

// Everything that a path has comes back as it was.
TEST(DeviceEvidence, RoundTrip) {
  KernelPaths Paths(2);
  PathNode &N = Paths[1];
  N.Read = N.Escapes = N.Called = true;
  N.Begin = -8;
  N.End = 16;
  N.Shift = -4;
  N.Comparisons = {1, 5};
  N.IntegerReads = {{8, UINT64_MAX}};
  N.Reads = {{0, 8}, {8, 4}};
  N.member(-8).Written = N.member(-8).Cyclic = true;
  N.member(16).ReadsElsewhere = true;
  N.ComparedAt = {-8};
  RangeTable Table;
  N.Range =
      Table.range(Table.constant(-4),
                  Table.add(Table.argument(0, 64),
                            Table.signExtend(Table.word(1, {8, 0}, 32), 64)),
                  16);
  const PathPlace Place{8, {{24, 3}, {8, 0}}};
  N.element(Place).Read = true;
  const std::string Text = textOf(Paths);
  Expected<json::Value> JSON = json::parse(Text);
  ASSERT_TRUE(static_cast<bool>(JSON));
  std::optional<KernelPaths> Back = readPaths(*JSON->getAsArray(), 0);
  ASSERT_TRUE(Back);
  EXPECT_EQ(textOf(*Back), Text);
  EXPECT_EQ(Back->back().IntegerReads.front().second, UINT64_MAX);
  EXPECT_EQ(*Back->back().Shift, -4);
  EXPECT_EQ(Back->back().Range, N.Range);
  EXPECT_EQ(Back->back().Elements.begin()->first, Place);
  // Numbers of comparisons in different images are different ones.
  EXPECT_EQ(readPaths(*JSON->getAsArray(), 100)->back().Comparisons,
            (std::set<unsigned>{101, 105}));
}
