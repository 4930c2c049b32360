//===- KernelParametersTest.cpp - Captured words as parameters ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "closure/KernelParameters.h"
#include "LaunchPlannerTest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

namespace {

/// A path of which [\p Offset, \p Offset + \p Size) is read for each of
/// \p Reads.
PathNode readAt(std::vector<std::pair<int64_t, uint64_t>> Reads) {
  PathNode N;
  N.Read = true;
  for (auto Read : Reads)
    N.Reads.insert(Read);
  return N;
}

ferry::CaptureInfo privateClosure(uint64_t Size,
                                  std::vector<LayoutItem> Layout = {}) {
  ferry::CaptureInfo C = closure(Size, std::move(Layout));
  C.IsPrivate = true;
  return C;
}

/// The words of the one captured object, as "path+offset,size" with a "p" for
/// pointers and a "?" where mapped objects are not read once.
std::string words(PathNode Node, ferry::CaptureInfo C,
                  ObjectPlace Place = ObjectPlace::Stack,
                  std::function<void(RegionInfo &)> Change = nullptr) {
  RegionInfo Region;
  Region.Captures.push_back(std::move(C));
  if (Change)
    Change(Region);
  KernelPaths Paths;
  Paths.push_back(std::move(Node));
  std::string Text;
  raw_string_ostream OS(Text);
  ListSeparator Space(" ");
  for (const KernelWord &W : chooseWords(Region, Paths, Place)) {
    OS << Space;
    for (int64_t Step : W.Path)
      OS << Step << ">";
    OS << "+" << W.Offset << "," << W.Size << (W.IsPointer ? "p" : "")
       << (W.ReadOnce ? "" : "?");
  }
  return Text;
}

std::string words(std::vector<std::pair<int64_t, uint64_t>> Reads,
                  uint64_t Size = 64) {
  return words(readAt(std::move(Reads)), privateClosure(Size));
}

} // namespace

TEST(ChooseWords, PiecesAreWhatIsRead) {
  EXPECT_EQ(words({{0, 8}, {16, 4}}), "+0,8 +16,4");
  // Reads that overlap are one stretch, in pieces of 8 bytes.
  EXPECT_EQ(words({{0, 8}, {4, 8}}), "+0,8 +8,4");
  EXPECT_EQ(words({{1, 16}}), "+1,8 +9,8");
  EXPECT_EQ(words({{0, 4}, {4, 4}}), "+0,4 +4,4");
  EXPECT_EQ(words({{0, 16}, {0, 4}, {8, 1}}), "+0,8 +8,8");
  EXPECT_EQ(words(readAt({}), privateClosure(8)), "");
}

TEST(ChooseWords, Pointers) {
  PathNode N = readAt({{0, 8}, {8, 8}, {20, 8}});
  N.member(8).Read = true;
  N.member(20).Read = true; // not aligned
  EXPECT_EQ(words(std::move(N), privateClosure(64)), "+0,8 +8,8p +20,8");
}

TEST(ChooseWords, WhatStaysInMemory) {
  auto With = [](std::function<void(PathNode &)> Change) {
    PathNode N = readAt({{0, 8}});
    Change(N);
    return words(std::move(N), privateClosure(64));
  };
  EXPECT_EQ(With([](PathNode &) {}), "+0,8");
  EXPECT_EQ(With([](PathNode &N) { N.Written = true; }), "");
  EXPECT_EQ(With([](PathNode &N) { N.Escapes = true; }), "");
  EXPECT_EQ(With([](PathNode &N) { N.Cyclic = true; }), "");
  EXPECT_EQ(With([](PathNode &N) { N.ReadsElsewhere = true; }), "");
  EXPECT_EQ(With([](PathNode &N) { N.element({0, {{8, 4}}}).Read = true; }),
            "");
  EXPECT_EQ(words({{-8, 8}}), "");
  EXPECT_EQ(words({{60, 8}}), ""); // beyond the object
}

TEST(ChooseWords, NoMoreThanFit) {
  auto Long = [](uint64_t Number) {
    std::string Text = words({{0, 8 * Number}}, 8 * Number);
    return StringRef(Text).count(',');
  };
  EXPECT_EQ(Long(MaxWords), MaxWords);
  EXPECT_EQ(Long(MaxWords + 1), 0u);
  // Two objects: the second one stays in memory.
  RegionInfo Region;
  KernelPaths Paths;
  for (unsigned A : {0u, 1u}) {
    Region.Captures.push_back(privateClosure(8 * MaxWords));
    Region.Captures.back().Argument = A;
    Paths.push_back(readAt({{0, 8 * (MaxWords - A)}}));
  }
  KernelWords Words = chooseWords(Region, Paths, ObjectPlace::Stack);
  EXPECT_EQ(Words.size(), MaxWords);
  EXPECT_EQ(Words.back().Argument, 0u);
}

TEST(ChooseWords, SharedMemoryIsLimited) {
  auto Of = [](uint64_t Size, ObjectPlace Place) {
    return words(readAt({{0, 8}}), privateClosure(Size), Place);
  };
  EXPECT_EQ(Of(MaxSharedBytes, ObjectPlace::Shared), "+0,8");
  EXPECT_EQ(Of(MaxSharedBytes + 8, ObjectPlace::Shared), "");
  EXPECT_EQ(Of(MaxSharedBytes + 8, ObjectPlace::Stack), "+0,8");
  EXPECT_EQ(Of(8, ObjectPlace::None), "");
}

TEST(ChooseWords, ObjectsBehindReferences) {
  auto Node = [] {
    PathNode N = readAt({{0, 8}, {8, 8}});
    N.member(8).merge(readAt({{16, 4}}));
    return N;
  };
  auto Layout = [] { return std::vector<LayoutItem>{reference(8, "r", 24)}; };
  EXPECT_EQ(words(Node(), privateClosure(16, Layout())), "+0,8 +8,8p 8>+16,4");
  // What may be mapped, and changed by the kernel.
  PathNode Changed = Node();
  Changed.member(8).Changeable = true;
  EXPECT_EQ(words(std::move(Changed), privateClosure(16, Layout())),
            "+0,8 +8,8p 8>+16,4?");
  // Only the reference where the object is written to, or one of a union.
  PathNode Written = Node();
  Written.member(8).Written = true;
  EXPECT_EQ(words(std::move(Written), privateClosure(16, Layout())),
            "+0,8 +8,8p");
  std::vector<LayoutItem> Union = Layout();
  Union[0].InUnion = true;
  EXPECT_EQ(words(Node(), privateClosure(16, Union)), "+0,8 +8,8p");
}

TEST(ChooseWords, WhoseObjects) {
  auto Of = [](ferry::CaptureInfo C,
               std::function<void(RegionInfo &)> Change = nullptr) {
    return words(readAt({{0, 8}}), std::move(C), ObjectPlace::Stack, Change);
  };
  // Not private: only what a launch has a plan for.
  EXPECT_EQ(Of(closure(8, {pointer(0, "p")})), "+0,8");
  EXPECT_EQ(Of(closure(8, {})), "");
  ferry::CaptureInfo Pointer = privateClosure(8);
  Pointer.IsPointer = true;
  EXPECT_EQ(Of(Pointer), "");
  EXPECT_EQ(Of(privateClosure(8),
               [](RegionInfo &R) { R.UnifiedSharedMemory = true; }),
            "");
  EXPECT_EQ(
      Of(privateClosure(8), [](RegionInfo &R) { R.SeveralTargets = true; }),
      "");
}

TEST(NameWithWords, TellsAllThatTheHostNeeds) {
  const KernelWord Word{1, {8}, 16, 8, true};
  const std::string Suffix = nameWithWords("", {Word});
  EXPECT_TRUE(StringRef(Suffix).starts_with(KernelWordsSuffix));
  auto Changed = [&](std::function<void(KernelWord &)> Change) {
    KernelWord W = Word;
    Change(W);
    return nameWithWords("", {W});
  };
  EXPECT_NE(Changed([](KernelWord &W) { W.Argument = 2; }), Suffix);
  EXPECT_NE(Changed([](KernelWord &W) { W.Path = {16}; }), Suffix);
  EXPECT_NE(Changed([](KernelWord &W) { W.Offset = 24; }), Suffix);
  EXPECT_NE(Changed([](KernelWord &W) { W.Size = 4; }), Suffix);
  EXPECT_NE(Changed([](KernelWord &W) { W.IsPointer = false; }), Suffix);
  EXPECT_NE(nameWithWords("", {Word, Word}), Suffix);
  // How the kernel reads a mapped object is no matter of the launch.
  EXPECT_EQ(Changed([](KernelWord &W) { W.ReadOnce = true; }), Suffix);
}

namespace {

constexpr char NVPTX[] = "nvptx64-nvidia-cuda";
constexpr char AMDGCN[] = "amdgcn-amd-amdhsa";
constexpr char Name[] = "__omp_offloading_1_2_run_l2";

/// Its entry for libomptarget, as versions of Clang emit it.
constexpr char Entry19[] = "{ptr, ptr, i64, i32, i32} "
                           "{ptr @__omp_offloading_1_2_run_l2, "
                           "ptr null, i64 0, i32 0, i32 0}";
constexpr char Entry22[] =
    "{i64, i16, i16, i32, ptr, ptr, i64, i64, ptr} {i64 0, i16 1, i16 1, i32 "
    "0, ptr @__omp_offloading_1_2_run_l2, ptr null, i64 0, i64 0, ptr null}";

/// A device's module with a kernel as Clang emits it for \p Triple, in \p Mode.
std::string deviceKernel(const std::string &Triple, unsigned Mode) {
  const std::string K = Name;
  const std::string Variable =
      Triple == AMDGCN ? "  %f.stack = alloca ptr, addrspace(5)\n"
                         "  %f.addr = addrspacecast ptr addrspace(5) %f.stack "
                         "to ptr\n"
                       : "  %f.addr = alloca ptr\n";
  return "target triple = \"" + Triple + "\"\n@" + K +
         "_kernel_environment = constant {{i8, i8, i8}, ptr} "
         "{{i8, i8, i8} {i8 1, i8 1, i8 " +
         std::to_string(Mode) + "}, ptr null}\n@.offloading.entry." + K +
         " = weak constant " + Entry19 +
         "\n"
         "declare i32 @__kmpc_target_init(ptr, ptr)\n"
         "declare void @use(ptr)\n"
         "define weak_odr void @" +
         K +
         "(ptr %env, ptr nonnull dereferenceable(16) %f) {\n"
         "entry:\n" +
         Variable +
         "  store ptr %f, ptr %f.addr\n"
         "  %id = call i32 @__kmpc_target_init(ptr @" +
         K +
         "_kernel_environment, ptr %env)\n"
         "  %main = icmp eq i32 %id, -1\n"
         "  br i1 %main, label %user_code.entry, label %worker.exit\n"
         "user_code.entry:\n"
         "  %g = load ptr, ptr %f.addr\n"
         "  call void @use(ptr %g)\n"
         "  ret void\n"
         "worker.exit:\n"
         "  ret void\n"
         "}\n";
}

/// The kernel of \p Text with \p Words, in a region that captures \p C.
struct Rewritten {
  LLVMContext Context;
  std::unique_ptr<Module> M;
  Function *Kernel = nullptr;

  Rewritten(const std::string &Text, ferry::CaptureInfo C,
            const KernelWords &Words)
      : M(parseIR(Context, Text)) {
    RegionInfo Region;
    Region.Captures.push_back(std::move(C));
    Kernel = addParameters(*M->getFunction(Name), Region, Words);
    EXPECT_FALSE(verifyModule(*M, &errs()));
  }

  std::string text() const {
    std::string Text;
    raw_string_ostream OS(Text);
    Kernel->print(OS);
    return Text;
  }
};

constexpr unsigned Generic = 1, SPMD = 2;

} // namespace

class NamesFollow : public testing::TestWithParam<ferry::abi::Version> {};

TEST_P(NamesFollow, InEntriesOfTheVersion) {
  const KernelWords Words{{0, {}, 0, 8, true}, {0, {}, 8, 4, false}};
  std::string Code = deviceKernel(NVPTX, SPMD);
  if (GetParam().LLVM >= 22)
    Code.replace(Code.find(Entry19), strlen(Entry19), Entry22);
  Rewritten R(Code, privateClosure(16), Words);
  const std::string New = nameWithWords(Name, Words);
  EXPECT_EQ(R.Kernel->getName(), New);
  EXPECT_EQ(R.Kernel->arg_size(), 4u);
  EXPECT_FALSE(R.M->getFunction(Name));
  EXPECT_TRUE(R.M->getGlobalVariable(New + "_kernel_environment"));
  const GlobalVariable *Entry =
      R.M->getGlobalVariable(ferry::abi::OffloadEntryPrefix + New);
  ASSERT_TRUE(Entry);
  auto *Text = cast<GlobalVariable>(
      Entry->getInitializer()->getAggregateElement(GetParam().EntryName));
  EXPECT_EQ(cast<ConstantDataArray>(Text->getInitializer())->getAsCString(),
            New);
  EXPECT_FALSE(R.Kernel->getArg(1)->hasNonNullAttr());
  EXPECT_EQ(R.Kernel->getArg(1)->getDereferenceableBytes(), 0u);
}

INSTANTIATE_TEST_SUITE_P(AddParameters, NamesFollow,
                         testing::ValuesIn(ferry::abi::Versions));

TEST(AddParameters, EachThreadsOwnObject) {
  Rewritten R(deviceKernel(NVPTX, SPMD), privateClosure(16),
              {{0, {}, 0, 8, true}});
  EXPECT_NE(R.text().find("%ferry.object = alloca [16 x i8], align 8"),
            std::string::npos)
      << R.text();
  EXPECT_NE(R.text().find("store ptr %ferry.object, ptr %f.addr"),
            std::string::npos)
      << R.text();
}

TEST(AddParameters, TheTeamsObject) {
  for (const char *Triple : {NVPTX, AMDGCN}) {
    Rewritten R(deviceKernel(Triple, Generic), privateClosure(20),
                {{0, {}, 8, 8, true}});
    const GlobalVariable *Object =
        R.M->getGlobalVariable("ferry.object", /*AllowInternal=*/true);
    ASSERT_TRUE(Object);
    EXPECT_EQ(Object->getAddressSpace(), 3u);
    EXPECT_TRUE(isa<PoisonValue>(Object->getInitializer()));
    // By the thread that executes the region: the word, and zeros around it.
    unsigned Stores = 0;
    for (const BasicBlock &Block : *R.Kernel)
      for (const Instruction &I : Block)
        if (const auto *S = dyn_cast<StoreInst>(&I);
            S && S->getPointerOperand()->stripInBoundsOffsets() == Object) {
          EXPECT_EQ(Block.getName(), "user_code.entry");
          ++Stores;
        }
    EXPECT_EQ(Stores, 3u) << R.text();
  }
}

TEST(AddParameters, UnknownMode) {
  for (unsigned Mode : {Generic, SPMD, 3u}) {
    LLVMContext Context;
    auto M = parseIR(Context, deviceKernel(NVPTX, Mode));
    EXPECT_EQ(placeOfObjects(*M->getFunction(Name)),
              Mode == SPMD      ? ObjectPlace::Stack
              : Mode == Generic ? ObjectPlace::Shared
                                : ObjectPlace::None);
  }
}

// A CPU's kernels run in the host's process and use the host's objects.
TEST(AddParameters, NoneOnCPUs) {
  LLVMContext Context;
  auto M = parseIR(Context, kernel(""));
  EXPECT_EQ(placeOfObjects(*M->getFunction("K")), ObjectPlace::None);
}

TEST(AddParameters, WhatMayBeMapped) {
  auto With = [](bool ReadOnce) {
    return Rewritten(deviceKernel(NVPTX, SPMD), closure(16, {}),
                     {{0, {}, 0, 8, true, ReadOnce}})
        .text();
  };
  // Read at the beginning, or used in place.
  EXPECT_NE(With(true).find("%ferry.word = phi ptr"), std::string::npos);
  EXPECT_EQ(With(true).find("select"), std::string::npos);
  EXPECT_NE(With(false).find(
                "%ferry.used = select i1 %ferry.mapped, ptr %f, ptr %ferry.o"),
            std::string::npos)
      << With(false);
  EXPECT_EQ(With(false).find("phi"), std::string::npos);
}
