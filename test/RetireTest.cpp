//===- RetireTest.cpp - Functions whose address is not used again ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Retire.h"
#include "ParseIR.h"
#include "closure/KernelVersions.h"
#include "stage/UnstagedVersion.h"
#include "support/LLVMCompat.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace ferry;

namespace {

constexpr char Program[] = R"(
target triple = "nvptx64-nvidia-cuda"
define void @kernel(ptr %p) {
  ret void
}
define internal void @inlined(ptr %p) {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1, !"maxntidx", i32 16}
)";

class Retired : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M = ferry::test::parseIR(Context, Program);
  Function &Kernel = *M->getFunction("kernel");

  Function &copyOfKernel() {
    ValueToValueMapTy Map;
    return *CloneFunction(&Kernel, Map);
  }
};

TEST_F(Retired, AddressesAreNotUsedAgain) {
  std::set<const Function *> Seen;
  for (int I = 0; I < 100; ++I) {
    Function &Copy = copyOfKernel();
    EXPECT_TRUE(Seen.insert(&Copy).second);
    retire(Copy);
  }
  EXPECT_EQ(M->size(), 2u);
}

TEST_F(Retired, ModulesKeepTheirMemoryUntilTheContextEnds) {
  std::set<const Function *> Seen;
  for (int I = 0; I < 10; ++I) {
    std::unique_ptr<Module> Copy = CloneModule(*M);
    EXPECT_TRUE(Seen.insert(Copy->getFunction("kernel")).second);
    retire(std::move(Copy));
  }
}

TEST_F(Retired, MetadataForgetsThem) {
  const NamedMDNode &Annotations = *M->getNamedMetadata("nvvm.annotations");
  EXPECT_EQ(mdconst::dyn_extract_or_null<Function>(
                Annotations.getOperand(0)->getOperand(0)),
            &Kernel);
  ASSERT_TRUE(LocalAsMetadata::get(Kernel.getArg(0)));
  Argument *Parameter = Kernel.getArg(0);
  retire(Kernel);
  EXPECT_FALSE(LocalAsMetadata::getIfExists(Parameter));
  EXPECT_FALSE(Annotations.getOperand(0)->getOperand(0));
  EXPECT_FALSE(verifyModule(*M, &errs()));
}

/// What LLVM's backend takes functions for.
class Backend : public Retired {
protected:
  std::unique_ptr<TargetMachine> Machine;

  void SetUp() override {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    const Triple T("nvptx64-nvidia-cuda");
    std::string Error;
    const Target *NVPTX = TargetRegistry::lookupTarget(targetName(T), Error);
    ASSERT_TRUE(NVPTX) << Error;
    Machine.reset(NVPTX->createTargetMachine(targetName(T), "sm_80", "", {},
                                             std::nullopt));
    M->setDataLayout(Machine->createDataLayout());
  }
  bool isTaken(const Function &Copy) {
    return isTakenFor(Copy, Kernel, Machine->getTargetTransformInfo(Kernel));
  }
};

TEST_F(Backend, RemembersWhatIsErased) {
  constexpr int Enough = 1000;
  Function &Inlined = *M->getFunction("inlined");
  EXPECT_FALSE(isTaken(Inlined));
  const Function *Address = &Inlined;
  Inlined.eraseFromParent();
  bool Again = false;
  for (int I = 0; I < Enough && !Again; ++I) {
    Function &Copy = copyOfKernel();
    copyKernelIdentity(Kernel, Copy);
    Again = &Copy == Address;
    EXPECT_EQ(isTaken(Copy), !Again || !RemembersFunctions);
  }
  EXPECT_TRUE(Again);
}

TEST_F(Backend, KnowsCopiesBehindRetiredFunctions) {
  Function &Inlined = *M->getFunction("inlined");
  EXPECT_FALSE(isTaken(Inlined));
  retire(Inlined);
  for (int I = 0; I < 100; ++I) {
    Function &Copy = copyOfKernel();
    copyKernelIdentity(Kernel, Copy);
    EXPECT_TRUE(isTaken(Copy));
  }
}

/// A program with a version of its kernel that is kept, and what a later name
/// becomes, as text. Functions were erased, of which the backend knows some.
/// The program is in \p Programs, so that the backend knows nothing of others
/// where it is.
std::string textWithVersion(int Known, const TargetMachine &Machine,
                            LLVMContext &Context,
                            std::vector<std::unique_ptr<Module>> &Programs) {
  Module *M =
      Programs.emplace_back(ferry::test::parseIR(Context, Program)).get();
  M->setDataLayout(Machine.createDataLayout());
  Function &Kernel = *M->getFunction("kernel");
  const TargetTransformInfo Target = Machine.getTargetTransformInfo(Kernel);
  SmallVector<Function *> Erased;
  for (int I = 0; I < 100; ++I) {
    ValueToValueMapTy Map;
    Erased.push_back(CloneFunction(M->getFunction("inlined"), Map));
    if (I < Known)
      isTakenFor(*Erased.back(), Kernel, Target);
  }
  for (Function *F : Erased)
    F->eraseFromParent();
  UnstagedVersion Unstaged(Kernel);
  auto Declare = [&](StringRef Name) {
    Function::Create(Kernel.getFunctionType(), GlobalValue::ExternalLinkage,
                     Name, *M);
  };
  Declare("meanwhile");
  Unstaged.keep({}, Target);
  Declare("kernel");
  std::string Text;
  raw_string_ostream(Text) << *M;
  return Text;
}

TEST_F(Backend, HowManyCopiesAVersionTakesIsNotSeen) {
  std::vector<std::unique_ptr<Module>> Programs;
  auto Text = [&](int Known) {
    return textWithVersion(Known, *Machine, Context, Programs);
  };
  const std::string First = Text(0);
  EXPECT_NE(First.find("@kernel_unstaged("), std::string::npos) << First;
  // How many of these are where copies are later depends on malloc().
  for (int Known : {0, 1, 10, 100})
    EXPECT_EQ(Text(Known), First);
}

} // namespace
