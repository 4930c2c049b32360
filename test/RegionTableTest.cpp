//===- RegionTableTest.cpp - Annotations of a module ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseIR.h"
#include "closure/RegionInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace ferry;
using ferry::test::parseIR;

namespace {

/// The initializer of a string constant of IR.
std::string cstring(StringRef Text) {
  std::string Escaped;
  raw_string_ostream OS(Escaped);
  printEscapedString(Text, OS);
  return "[" + std::to_string(Text.size() + 1) + " x i8] c\"" + Escaped +
         "\\00\"";
}

std::string region(unsigned Line, unsigned Index = 0, StringRef Function = "") {
  RegionInfo R;
  R.Line = Line;
  R.Index = Index;
  R.Function = Function;
  return toAnnotation(R);
}

/// A module whose functions have annotations, as Clang emits them.
struct AnnotatedModule {
  LLVMContext Context;
  std::unique_ptr<Module> M;

  explicit AnnotatedModule(
      ArrayRef<std::pair<StringRef, std::string>> Annotations) {
    std::string Text = "@file = private constant [4 x i8] c\"a.c\\00\"\n"
                       "@variable = global i32 0\n";
    std::string Elements;
    for (auto [I, A] : enumerate(Annotations)) {
      std::string Name = "@text." + std::to_string(I);
      Text += Name + " = private constant " + cstring(A.second) + "\n";
      if (!Elements.empty())
        Elements += ", ";
      Elements += "{ ptr, ptr, ptr, i32, ptr } { ptr @" + A.first.str() +
                  ", ptr " + Name + ", ptr @file, i32 1, ptr null }";
    }
    Text += "@llvm.global.annotations = appending global [" +
            std::to_string(Annotations.size()) +
            " x { ptr, ptr, ptr, i32, ptr }] [" + Elements +
            "], section \"llvm.metadata\"\n"
            "define void @f() { ret void }\n"
            "define void @g_h() { ret void }\n";
    M = parseIR(Context, Text);
  }

  const ConstantArray *annotations() const {
    const GlobalVariable *G = M->getGlobalVariable("llvm.global.annotations");
    return G ? cast<ConstantArray>(G->getInitializer()) : nullptr;
  }
};

} // namespace

TEST(RegionTable, RegionsAreFoundByTheirKernels) {
  AnnotatedModule A(
      {{"f", region(3)}, {"f", region(3, 1)}, {"g_h", region(9)}});
  RegionTable T = readRegions(*A.M);
  EXPECT_TRUE(T.Errors.empty());
  ASSERT_NE(T.find("__omp_offloading_fd00_1a2b_f_l3"), nullptr);
  EXPECT_EQ(T.find("__omp_offloading_fd00_1a2b_f_l3")->Index, 0u);
  ASSERT_NE(T.find("__omp_offloading_fd00_1a2b_f_l3_1"), nullptr);
  EXPECT_EQ(T.find("__omp_offloading_fd00_1a2b_f_l3_1")->Index, 1u);
  ASSERT_NE(T.find("__omp_offloading_0_0_g_h_l9"), nullptr);
  EXPECT_EQ(T.find("__omp_offloading_0_0_g_h_l9")->Line, 9u);
}

TEST(RegionTable, OtherKernelsAreNotFound) {
  AnnotatedModule A({{"f", region(3)}});
  RegionTable T = readRegions(*A.M);
  for (StringRef Name :
       {"__omp_offloading_1_2_f_l4", "__omp_offloading_1_2_f_l3_1",
        "__omp_offloading_1_2_g_l3", "__omp_offloading_1", "f_l3", "",
        "__omp_offloading_", "__omp_offloading_f_l3", "another_1_2_f_l3"})
    EXPECT_EQ(T.find(Name), nullptr) << Name.str();
}

TEST(RegionTable, TheNameInKernelsCounts) {
  // A constructor's region is named after another variant than the function
  // that contains it.
  AnnotatedModule A({{"f", region(3, 0, "_ZN1SC1Ev")}});
  RegionTable T = readRegions(*A.M);
  EXPECT_NE(T.find("__omp_offloading_1_2__ZN1SC1Ev_l3"), nullptr);
  EXPECT_EQ(T.find("__omp_offloading_1_2_f_l3"), nullptr);
}

TEST(RegionTable, MalformedAnnotationsAreReportedOneByOne) {
  AnnotatedModule A({{"f", "ferry.region:nonsense"},
                     {"f", region(3)},
                     {"f", "ferry.region:{}"}});
  RegionTable T = readRegions(*A.M);
  EXPECT_EQ(T.Errors.size(), 2u);
  EXPECT_NE(T.find("__omp_offloading_1_2_f_l3"), nullptr);
}

TEST(RegionTable, AnnotationOfAVariable) {
  AnnotatedModule A({{"variable", region(3)}});
  RegionTable T = readRegions(*A.M);
  ASSERT_EQ(T.Errors.size(), 1u);
  EXPECT_NE(T.Errors[0].find("it belongs to no function"), std::string::npos);
}

TEST(RegionTable, ForeignAnnotationsAreNoErrors) {
  AnnotatedModule A({{"f", "hot"}, {"variable", "secret"}});
  RegionTable T = readRegions(*A.M);
  EXPECT_TRUE(T.Errors.empty());
  EXPECT_TRUE(T.Regions.empty());
}

TEST(RegionTable, ModulesWithoutAnnotations) {
  LLVMContext C;
  auto M = parseIR(C, "define void @f() { ret void }\n");
  EXPECT_TRUE(readRegions(*M).Regions.empty());
  EXPECT_FALSE(removeRegionAnnotations(*M));
}

TEST(RegionTable, UnusualAnnotationGlobals) {
  for (StringRef Global :
       {"@llvm.global.annotations = external global [1 x { ptr, ptr }]",
        "@llvm.global.annotations = appending global [1 x { ptr, ptr }] "
        "zeroinitializer",
        "@llvm.global.annotations = appending global [0 x { ptr, ptr }] "
        "zeroinitializer",
        "@llvm.global.annotations = appending global [1 x ptr] [ptr @f]",
        "@s = external global [2 x i8]\n"
        "@llvm.global.annotations = appending global [1 x { ptr, ptr }] "
        "[{ ptr, ptr } { ptr @f, ptr @s }]",
        "@llvm.global.annotations = global i32 0"}) {
    LLVMContext C;
    SMDiagnostic Error;
    auto M = parseAssemblyString(
        (Global + "\ndefine void @f() { ret void }\n").str(), Error, C);
    ASSERT_TRUE(M) << Global.str() << Error.getMessage().str();
    RegionTable T = readRegions(*M);
    EXPECT_TRUE(T.Regions.empty() && T.Errors.empty()) << Global.str();
    EXPECT_FALSE(removeRegionAnnotations(*M)) << Global.str();
  }
}

//===----------------------------------------------------------------------===//
// Removal
//===----------------------------------------------------------------------===//

TEST(RegionTable, RemovalTakesEverythingOfOurs) {
  AnnotatedModule A({{"f", region(3)}, {"g_h", "ferry.region:nonsense"}});
  EXPECT_TRUE(removeRegionAnnotations(*A.M));
  EXPECT_EQ(A.annotations(), nullptr);
  EXPECT_EQ(A.M->getNamedGlobal("text.0"), nullptr);
  EXPECT_EQ(A.M->getNamedGlobal("text.1"), nullptr);
  EXPECT_FALSE(verifyModule(*A.M));
  EXPECT_FALSE(removeRegionAnnotations(*A.M));
}

TEST(RegionTable, RemovalKeepsForeignAnnotations) {
  AnnotatedModule A({{"f", "hot"}, {"f", region(3)}, {"variable", "secret"}});
  EXPECT_TRUE(removeRegionAnnotations(*A.M));
  const ConstantArray *Left = A.annotations();
  ASSERT_NE(Left, nullptr);
  ASSERT_EQ(Left->getNumOperands(), 2u);
  EXPECT_EQ(Left->getOperand(0)->getOperand(0), A.M->getFunction("f"));
  EXPECT_EQ(Left->getOperand(1)->getOperand(0),
            A.M->getNamedGlobal("variable"));
  const GlobalVariable *G = A.M->getNamedGlobal("llvm.global.annotations");
  EXPECT_TRUE(G->hasAppendingLinkage());
  EXPECT_EQ(G->getSection(), "llvm.metadata");
  EXPECT_EQ(A.M->getNamedGlobal("text.1"), nullptr);
  EXPECT_FALSE(verifyModule(*A.M));
  EXPECT_FALSE(removeRegionAnnotations(*A.M));
}

TEST(RegionTable, RemovalKeepsAStringThatIsUsedElsewhere) {
  AnnotatedModule A({{"f", region(3)}, {"g_h", region(4)}});
  GlobalVariable *Text = A.M->getNamedGlobal("text.0");
  new GlobalVariable(*A.M, Text->getType(), true, GlobalValue::ExternalLinkage,
                     Text, "user");
  EXPECT_TRUE(removeRegionAnnotations(*A.M));
  EXPECT_EQ(A.M->getNamedGlobal("text.0"), Text);
  EXPECT_EQ(A.M->getNamedGlobal("text.1"), nullptr);
}

TEST(RegionTable, OneStringForTwoFunctions) {
  AnnotatedModule A({{"f", region(3)}, {"g_h", region(3)}});
  // Clang merges equal strings.
  GlobalVariable *First = A.M->getNamedGlobal("text.0");
  GlobalVariable *Second = A.M->getNamedGlobal("text.1");
  Second->replaceAllUsesWith(First);
  RegionTable T = readRegions(*A.M);
  EXPECT_NE(T.find("__omp_offloading_1_2_f_l3"), nullptr);
  EXPECT_NE(T.find("__omp_offloading_1_2_g_h_l3"), nullptr);
  EXPECT_TRUE(removeRegionAnnotations(*A.M));
  EXPECT_EQ(A.M->getNamedGlobal("text.0"), nullptr);
}
