//===- Costs.cpp - What device code costs as machine code -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work: each instruction of IR is so many machine instructions on one pipe. A
// multiplication that only an addition uses is fused with it; constant offsets
// are part of the access; a 64-bit integer operation is two of 32 bits, which
// are in a pair of registers, so that taking it apart or putting it together is
// none. A product of two numbers of 32 bits is one, and what is added to it as
// well (IMAD.WIDE).
// Addresses of shared memory have 32 bits: of what PTX computes in 64, ptxas
// keeps those. A copy that is started (cp.async) is one instruction, the
// request for its load.
//
// Epochs: of the loads of a block, those that need no other's result are under
// way together; a load whose address, or a store before it, needs a result
// waits. Where ptxas unrolls a loop the loads of several iterations are under
// way together, unless an address comes from a load of the iteration before, or
// a store may be to what is loaded next.
//
// Registers: the most values that are live at once, but for those that ptxas
// would make again where they are used (Briggs, Cooper, Torczon,
// "Rematerialization", PLDI 1992).
//
//===----------------------------------------------------------------------===//

#include "Costs.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry::sim {

// --- Work --------------------------------------------------------------------

namespace {

bool isSharedPointer(const Type *T) {
  return T->isPointerTy() && T->getPointerAddressSpace() == 3;
}

/// Registers of 32 bits, and so operations of the integer pipe.
unsigned wordsOf(const Type *T) {
  if (isSharedPointer(T))
    return 1;
  if (auto *Vector = dyn_cast<FixedVectorType>(T))
    return Vector->getNumElements() * wordsOf(Vector->getElementType());
  if (T->isPointerTy() || T->isDoubleTy())
    return 2;
  if (T->isIntegerTy())
    return T->isIntegerTy(1) ? 0 : divideCeil(T->getIntegerBitWidth(), 32);
  if (auto *Struct = dyn_cast<StructType>(T)) {
    unsigned Words = 0;
    for (const Type *Element : Struct->elements())
      Words += wordsOf(Element);
    return Words;
  }
  return T->isVoidTy() ? 0 : 1;
}

/// Whether \p I is a multiplication that is fused with an addition.
bool isFused(const Instruction &I) {
  if (I.getOpcode() != Instruction::FMul || !I.hasAllowContract() ||
      !I.hasOneUse())
    return false;
  auto *User = cast<Instruction>(I.user_back());
  return (User->getOpcode() == Instruction::FAdd ||
          User->getOpcode() == Instruction::FSub) &&
         User->hasAllowContract();
}

/// Whether \p V, of 64 bits, is a number of at most 32.
bool isHalf(const Value *V) {
  if (auto *Extended = dyn_cast<CastInst>(V))
    return isa<ZExtInst, SExtInst>(Extended) &&
           Extended->getSrcTy()->getScalarSizeInBits() <= 32;
  auto *Number = dyn_cast<ConstantInt>(V);
  return Number && Number->getValue().isIntN(31);
}

/// Whether \p V is a number of 32 bits in the upper half of 64.
bool isUpperHalf(const Value *V) {
  return match(V, m_Shl(m_ZExt(m_Value()), m_SpecificInt(32))) &&
         isHalf(cast<Instruction>(V)->getOperand(0));
}

/// Whether \p I only takes 64 bits apart or puts them together.
bool isOfPair(const Instruction &I) {
  if (!I.getType()->isIntegerTy(64))
    return false;
  auto IsPair = [](const Value *V) {
    const Value *A, *B;
    return match(V, m_Or(m_Value(A), m_Value(B))) &&
           ((isUpperHalf(A) && isHalf(B)) || (isUpperHalf(B) && isHalf(A)));
  };
  if (isUpperHalf(&I))
    return all_of(I.users(), IsPair);
  if (match(&I, m_LShr(m_Value(), m_SpecificInt(32))))
    return all_of(I.users(), [](const User *U) {
      return isa<TruncInst>(U) && U->getType()->getScalarSizeInBits() <= 32;
    });
  return IsPair(&I);
}

/// Whether \p I adds to a product of 64 bits that nothing else uses.
bool addsToProduct(const Instruction &I) {
  return any_of(I.operands(), [&](const Value *V) {
    auto *Product = dyn_cast<Instruction>(V);
    return Product && Product->getOpcode() == Instruction::Mul &&
           Product->hasOneUse() && Product->getParent() == I.getParent();
  });
}

class Adder {
public:
  explicit Adder(Work &Sum) : Sum(Sum) {}

  void add(const Instruction &I) {
    if (isa<PHINode, AllocaInst>(I) || I.isDebugOrPseudoInst() ||
        I.isLifetimeStartOrEnd() || isa<AssumeInst>(I) ||
        I.hasMetadata(OwnMark))
      return;
    if (auto *Call = dyn_cast<CallBase>(&I))
      return addCall(*Call);
    if (I.getType()->isFPOrFPVectorTy() && !isa<CastInst, LoadInst>(I))
      return addFloating(I);
    addOther(I);
  }

private:
  Work &Sum;

  void count(Pipe P, unsigned Instructions) {
    Sum[P] += Instructions * WorkScale;
  }

  static Pipe pipeOf(const Type *T) {
    return T->getScalarType()->isDoubleTy() ? Fp64Pipe : Fp32Pipe;
  }
  static unsigned elementsOf(const Type *T) {
    auto *Vector = dyn_cast<FixedVectorType>(T);
    return Vector ? Vector->getNumElements() : 1;
  }

  void addFloating(const Instruction &I) {
    const Type *T = I.getType();
    const bool Double = pipeOf(T) == Fp64Pipe;
    unsigned Each = 1;
    switch (I.getOpcode()) {
    case Instruction::FNeg:
      return;
    case Instruction::FMul:
      Each = isFused(I) ? 0 : 1;
      break;
    case Instruction::FDiv:
      Each = Double ? 12 : 8;
      break;
    case Instruction::FRem:
      Each = Double ? 60 : 40;
      break;
    case Instruction::Select:
      return count(IntPipe, wordsOf(T));
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
    case Instruction::ExtractValue:
    case Instruction::Freeze:
      return;
    default:
      break;
    }
    count(pipeOf(T), Each * elementsOf(T));
  }

  void addOther(const Instruction &I) {
    const unsigned Words = wordsOf(I.getType());
    switch (I.getOpcode()) {
    case Instruction::Add:
      if (Words == 2 && addsToProduct(I))
        return;
      [[fallthrough]];
    case Instruction::Sub:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::Select:
      return count(IntPipe, isOfPair(I) ? 0 : std::max(Words, 1U));
    case Instruction::Mul:
      return count(IntPipe, Words > 1 ? productOf(I) : 1);
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      return count(IntPipe, divisionOf(I, Words > 1));
    case Instruction::ICmp:
      return count(IntPipe, std::max(wordsOf(I.getOperand(0)->getType()), 1U));
    case Instruction::FCmp:
      return count(pipeOf(I.getOperand(0)->getType()), 1);
    case Instruction::SExt:
      return count(IntPipe, Words > 1 ? 1 : 0);
    case Instruction::GetElementPtr:
      return count(IntPipe, addressOf(cast<GetElementPtrInst>(I)));
    case Instruction::FPExt:
    case Instruction::FPTrunc:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return count(OtherPipe, elementsOf(I.getType()));
    case Instruction::Br:
      return count(OtherPipe, cast<BranchInst>(I).isConditional() ? 1 : 0);
    case Instruction::Switch:
      return count(OtherPipe, 3);
    case Instruction::Ret:
      return count(OtherPipe, 1);
    default: // accesses are counted by requests, the rest needs no instruction
      return;
    }
  }

  /// Of 64 bits: of two of 32, or two more for each upper half.
  static unsigned productOf(const Instruction &I) {
    constexpr unsigned ByHalves[] = {4, 3, 1};
    return ByHalves[count_if(I.operands(), isHalf)];
  }

  /// By a constant it is a multiplication and shifts. Numbers of 64 bits are
  /// seldom so large: LLVM has NVPTX ask whether 32 are enough, and divide
  /// these (BypassSlowDivision).
  static unsigned divisionOf(const Instruction &I, bool Wide) {
    if (auto *By = dyn_cast<ConstantInt>(I.getOperand(1)))
      return By->getValue().isPowerOf2() ? 1 : Wide ? 14 : 4;
    constexpr unsigned Short = 18, Asking = 4;
    return Short + (Wide ? Asking : 0);
  }

  /// What is not a constant offset: a multiplication into 64 bits if there is
  /// one, else an addition of 64 bits; in shared memory one of 32 bits.
  static unsigned addressOf(const GetElementPtrInst &Address) {
    const unsigned Words = wordsOf(Address.getType()->getScalarType());
    unsigned Count = 0;
    for (const Use &Index : Address.indices())
      if (!isa<Constant>(Index))
        Count +=
            Count || Address.getSourceElementType()->isIntegerTy(8) ? Words : 1;
    return Count;
  }

  void addCall(const CallBase &Call) {
    const Function *Callee = Call.getCalledFunction();
    if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
        Asm && Asm->getAsmString().empty())
      return; // only hides a value from the compiler
    if (!Callee)
      return count(OtherPipe, 4);
    StringRef Name = Callee->getName();
    if (Name == "ferry_sim_join" || Name == CopyFunction ||
        Name.starts_with("llvm.frameaddress"))
      return;
    Name.consume_front("ferry_sim_");
    if (Name.consume_front("__nv_"))
      return addMath(Name, Call);
    if (Callee->isIntrinsic())
      return addIntrinsic(cast<IntrinsicInst>(Call));
    // What the host's library calls the same.
    if (Callee->isDeclaration() && Callee->doesNotAccessMemory() &&
        Callee->getReturnType()->isFPOrFPVectorTy())
      return addMath(Name, Call);
    count(OtherPipe, Callee->isDeclaration() ? 1 : 2);
  }

  void addIntrinsic(const IntrinsicInst &Call) {
    StringRef Name = Intrinsic::getBaseName(Call.getIntrinsicID());
    Name.consume_front("llvm.");
    const Type *T = Call.getType();
    if (!T->isFPOrFPVectorTy())
      return count(IntPipe, wordsOf(T));
    addMath(Name, Call);
  }

  /// \p Name without what tells the precision, or how it is rounded.
  void addMath(StringRef Name, const CallBase &Call) {
    const Type *T =
        Call.arg_empty() ? Call.getType() : Call.getArgOperand(0)->getType();
    if (!T->isFPOrFPVectorTy())
      return count(IntPipe, 2);
    const bool Double = pipeOf(T) == Fp64Pipe;
    static const struct {
      StringRef Name;
      unsigned Single, Double;
    } Known[] = {
#define FERRY_SIM_MATH(Name, Single, Double) {Name, Single, Double},
#include "MathCosts.def"
#undef FERRY_SIM_MATH
    };
    auto *Found =
        find_if(Known, [&](const auto &K) { return Name.starts_with(K.Name); });
    count(pipeOf(T), (Double ? Found->Double : Found->Single) * elementsOf(T));
  }
};

/// Whether \p I only controls its loop, which is unrolled: how often it is
/// done, and where it has come to.
bool isLoopControl(const Instruction &I) {
  const BasicBlock *B = I.getParent();
  if (isa<BranchInst>(I))
    return true;
  if (isa<ICmpInst>(I))
    return is_contained(B->getTerminator()->operands(), &I);
  if (!isa<GetElementPtrInst>(I) && I.getOpcode() != Instruction::Add)
    return false;
  return any_of(B->phis(), [&](const PHINode &Phi) {
    return Phi.getIncomingValueForBlock(B) == &I && I.getOperand(0) == &Phi;
  });
}

} // namespace

Work FunctionCosts::workOf(const BasicBlock &B) const {
  Work Sum{}, Control{};
  const bool Shared = Unrolled.contains(&B);
  for (const Instruction &I : B)
    Adder(Shared && isLoopControl(I) ? Control : Sum).add(I);
  for (unsigned P = 0; P < NumPipes; ++P)
    Sum[P] += Control[P] / UnrolledIterations;
  return Sum;
}

Work FunctionCosts::workOf(const Instruction &I) {
  Work Sum{};
  Adder(Sum).add(I);
  return Sum;
}

/// Whether \p I is an instruction of the program's that accesses memory, which
/// no pipe has.
static bool isAccess(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return !I.hasMetadata(OwnMark) &&
         (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(I) ||
          (Callee && Callee->getName() == CopyFunction));
}

uint64_t FunctionCosts::codeBytes(const BasicBlock &B) const {
  constexpr uint64_t InstructionBytes = 16; // from sm_70 on
  const Work Once = workOf(B);
  uint64_t Code = std::accumulate(Once.begin(), Once.end(), uint64_t(0)) +
                  WorkScale * uint64_t(count_if(B, isAccess));
  if (Unrolled.contains(&B))
    Code *= UnrolledIterations;
  return Code * InstructionBytes / WorkScale;
}

// --- Epochs ------------------------------------------------------------------

namespace {

/// Memories that are apart: each has epochs of its own.
enum Memory : unsigned { GlobalMemory, SharedMemory, NumMemories };

Memory memoryOf(const Value *Pointer) {
  return isSharedPointer(Pointer->stripPointerCasts()->getType())
             ? SharedMemory
             : GlobalMemory;
}

const Value *loadedFrom(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return I.hasMetadata(OwnMark) ? nullptr : Load->getPointerOperand();
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->use_empty() ? nullptr : RMW->getPointerOperand();
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Exchange->getPointerOperand();
  return nullptr;
}

/// Whether other threads or memory see \p I happen in its place. What a copy
/// that is started writes can be read behind a wait for it only.
bool isFence(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !isa<IntrinsicInst>(Call) && !Call->doesNotAccessMemory() &&
         !Call->getMetadata(OwnMark) &&
         !(Call->getCalledFunction() &&
           (Call->getCalledFunction()->getName() == "ferry_sim_join" ||
            Call->getCalledFunction()->getName() == CopyFunction ||
            Call->getCalledFunction()->getName().starts_with(
                "ferry_sim___nv_")));
}

} // namespace

void FunctionCosts::findEpochs(const BasicBlock &B) {
  // By value: how many loads of this block, one after the other, it needs.
  DenseMap<const Value *, unsigned> Depth;
  SmallPtrSet<const Value *, 8> Carried; // values of the iteration before
  unsigned Floor[NumMemories] = {}, Begun[NumMemories] = {}, Deepest = 0;
  bool MayUnroll = Unrolled.contains(&B);
  SmallVector<const Instruction *, 16> Loads;
  for (const Instruction &I : B) {
    unsigned Needs = 0;
    bool FromCarried = isa<PHINode>(I);
    if (!isa<PHINode>(I))
      for (const Value *Operand : I.operands()) {
        Needs = std::max(Needs, Depth.lookup(Operand));
        FromCarried |= Carried.contains(Operand);
      }
    if (FromCarried)
      Carried.insert(&I);
    if (const Value *Pointer = loadedFrom(I)) {
      const Memory M = memoryOf(Pointer);
      Needs = std::max(Needs, Floor[M]);
      if (Needs >= Begun[M]) {
        Begun[M] = Needs + 1;
        Epochs[&I] = BeginsEpoch;
      }
      Loads.push_back(&I);
      ++Needs;
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      unsigned &Least = Floor[memoryOf(Store->getPointerOperand())];
      Least = std::max(Least, Needs);
      MayUnroll = false;
    } else if (isFence(I)) {
      std::fill(Floor, Floor + NumMemories, Deepest);
      MayUnroll = false;
    }
    if (Needs)
      Depth[&I] = Needs;
    Deepest = std::max(Deepest, Needs);
  }
  if (!MayUnroll)
    return;
  // What the next iteration starts from must not need a load of this one, or
  // not for an address.
  SmallPtrSet<const Value *, 8> Late;
  for (const PHINode &Phi : B.phis())
    if (Depth.lookup(Phi.getIncomingValueForBlock(&B)))
      Late.insert(&Phi);
  for (const Instruction &I : B)
    if (!isa<PHINode>(I) && any_of(I.operands(), [&](const Value *V) {
          return Late.contains(V);
        })) {
      if (loadedFrom(I))
        return;
      Late.insert(&I);
    }
  for (const Instruction *I : Loads)
    if (auto Found = Epochs.find(I); Found != Epochs.end())
      Found->second |= InUnrolled;
}

FunctionCosts::FunctionCosts(Function &F) : F(F) {
  DominatorTree Tree(F);
  LoopInfo Loops(Tree);
  // What LLVM has unrolled, ptxas leaves alone: it has many loads, or says so
  // (.pragma "nounroll").
  constexpr unsigned FewLoads = 4;
  for (const Loop *L : Loops.getLoopsInPreorder())
    if (L->isInnermost() && L->getNumBlocks() == 1 &&
        !findOptionMDForLoop(L, "llvm.loop.unroll.disable") &&
        count_if(*L->getHeader(), loadedFrom) <= FewLoads &&
        none_of(*L->getHeader(), isFence))
      Unrolled.insert(L->getHeader());
  for (const BasicBlock &B : F)
    findEpochs(B);
}

// --- Registers ---------------------------------------------------------------

/// Whether \p I is worth a register: addresses with constant offsets are part
/// of the access, truth values are predicates.
static bool needsRegister(const Instruction &I) {
  if (I.hasMetadata(OwnMark) || isa<AllocaInst>(I) || isa<TruncInst>(I) ||
      isa<AddrSpaceCastInst>(I))
    return false;
  if (auto *Address = dyn_cast<GetElementPtrInst>(&I))
    return !Address->hasAllConstantIndices();
  return wordsOf(I.getType()) != 0;
}

/// Whether one cheap instruction makes \p I again from its operands.
static bool isCheap(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::GetElementPtr:
  case Instruction::Select:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return true;
  default:
    return false;
  }
}

unsigned FunctionCosts::mostLive() const {
  DenseMap<const Value *, unsigned> Index;
  SmallVector<unsigned, 64> Words;
  SmallVector<const Instruction *, 64> Values;
  for (const Instruction &I : instructions(F))
    if (needsRegister(I)) {
      Index[&I] = Words.size();
      Words.push_back(wordsOf(I.getType()));
      Values.push_back(&I);
    }
  auto Use = [&](BitVector &Live, const Value *V) {
    if (auto Found = Index.find(V); Found != Index.end())
      Live.set(Found->second);
  };
  DenseMap<const BasicBlock *, BitVector> LiveIn;
  for (const BasicBlock &B : F)
    LiveIn[&B].resize(Words.size());
  unsigned Most = 0;
  // Values live before I, of those live behind it.
  auto Step = [&](BitVector &Live, const Instruction &I) {
    if (auto Found = Index.find(&I); Found != Index.end())
      Live.reset(Found->second);
    if (!isa<PHINode>(I))
      for (const Value *Operand : I.operands())
        Use(Live, Operand);
  };
  auto LiveOut = [&](const BasicBlock &B) {
    BitVector Live(Words.size());
    for (const BasicBlock *Next : successors(&B)) {
      Live |= LiveIn[Next];
      for (const PHINode &Phi : Next->phis())
        Use(Live, Phi.getIncomingValueForBlock(&B));
    }
    return Live;
  };
  for (bool Changed = true; std::exchange(Changed, false);)
    for (const BasicBlock *B : post_order(&F)) {
      BitVector Live = LiveOut(*B);
      for (const Instruction &I : reverse(*B))
        Step(Live, I);
      if (Live != LiveIn[B]) {
        LiveIn[B] = std::move(Live);
        Changed = true;
      }
    }
  for (const BasicBlock &B : F) {
    BitVector Live = LiveOut(B);
    for (const Instruction &I : reverse(B)) {
      Step(Live, I);
      unsigned Sum = 0;
      auto IsThere = [&](const Value *V) {
        if (isa<Constant>(V) || isa<Argument>(V))
          return true;
        auto Found = Index.find(V);
        return Found != Index.end() && Live.test(Found->second);
      };
      for (unsigned V : Live.set_bits())
        if (!isCheap(*Values[V]) || !all_of(Values[V]->operands(), IsThere))
          Sum += Words[V];
      Most = std::max(Most, Sum);
    }
  }
  return Most;
}

/// What every function needs beside its values: what calls and returns go
/// through.
constexpr unsigned OtherRegisters = 2;

FunctionCost FunctionCosts::total() const {
  FunctionCost Cost;
  // Loads of several iterations are under way together.
  unsigned InFlight = 0;
  for (const BasicBlock *B : Unrolled) {
    unsigned Loaded = 0;
    for (const Instruction &I : *B)
      if (isa<LoadInst>(I))
        Loaded += wordsOf(I.getType());
    InFlight = std::max(InFlight, Loaded);
  }
  Cost.Registers =
      mostLive() + InFlight * (UnrolledIterations - 1) + OtherRegisters;
  const DataLayout &DL = F.getParent()->getDataLayout();
  for (const Instruction &I : instructions(F))
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      if (auto Size = Alloca->getAllocationSize(DL))
        Cost.LocalBytes += Size->getFixedValue();
  return Cost;
}

} // namespace ferry::sim
