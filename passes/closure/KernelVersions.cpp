//===- KernelVersions.cpp - Which version of a kernel is launched ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelVersions.h"
#include "LaunchPlanner.h"
#include "RangeEmitter.h"
#include "ferry/OffloadABI.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry {

static void print(raw_ostream &OS, const LaunchDemand &D) {
  D.Value.printFirst(OS);
  if (D.Least != INT64_MIN)
    OS << " >= " << D.Least;
  if (D.Most != INT64_MAX)
    OS << " <= " << D.Most;
}

void print(raw_ostream &OS, const VersionChoice &Choice) {
  ListSeparator Or(" or ");
  for (const LaunchDemands &All : Choice) {
    OS << Or;
    ListSeparator And(" and ");
    for (const LaunchDemand &D : All)
      print(OS << And, D);
  }
}

//===----------------------------------------------------------------------===//
// In the device's module
//===----------------------------------------------------------------------===//

void copyKernelIdentity(const Function &From, Function &To) {
  Module &M = *To.getParent();
  constexpr StringLiteral Environment = "_kernel_environment";
  if (GlobalVariable *Old =
          M.getNamedGlobal((From.getName() + Environment).str())) {
    auto *New = new GlobalVariable(M, Old->getValueType(), Old->isConstant(),
                                   Old->getLinkage(), Old->getInitializer(),
                                   To.getName() + Environment, Old);
    New->copyAttributesFrom(Old);
  }
  NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations");
  if (!Annotations)
    return;
  for (MDNode *Node : to_vector(Annotations->operands())) {
    if (mdconst::dyn_extract_or_null<Function>(Node->getOperand(0)) != &From)
      continue;
    SmallVector<Metadata *, 3> Operands(Node->operands());
    Operands.front() = ValueAsMetadata::get(&To);
    Annotations->addOperand(MDNode::get(M.getContext(), Operands));
  }
}

//===----------------------------------------------------------------------===//
// In the host's module
//===----------------------------------------------------------------------===//

namespace {

/// Makes what the device's compilation says of parameters what the launch knows
/// of them.
class HostTerms {
public:
  HostTerms(const LaunchSite &Site, const RegionInfo *Region,
            const KernelWords &Words)
      : Site(Site), Region(Region), Words(Words) {}

  /// \p Value as the launch computes it, or nothing.
  std::optional<AccessRange> of(const AccessRange &Value) const {
    AccessRange Result;
    std::vector<uint32_t> Places;
    for (const RangeTerm &T : Value.Terms) {
      RangeTerm New = T;
      if (!T.isLeaf()) {
        New.Left = Places[T.Left];
        if (T.hasRight())
          New.Right = Places[T.Right];
      } else if (T.Kind == RangeTerm::BlockClauses) {
        New.Kind = RangeTerm::Constant;
        New.Value = hasBlockClauses();
      } else if (T.Kind == RangeTerm::BlockThreads) {
        New.Kind = RangeTerm::Argument;
        New.Value = placeOfBlockThreads(Site);
      } else if (!isReadable(T, Site, Region) && !addWord(New, Result.Terms)) {
        return std::nullopt;
      }
      Places.push_back(Result.Terms.size());
      Result.Terms.push_back(std::move(New));
    }
    Result.First = Places[Value.First];
    Result.Last = Places[Value.Last];
    return Result;
  }

private:
  /// Whether clauses ask for a number of teams or threads, which may be
  /// computed.
  bool hasBlockClauses() const {
    return any_of(ArrayRef({abi::LaunchTeams, abi::LaunchThreadLimit}),
                  [&](unsigned Operand) {
                    auto *C = dyn_cast<ConstantInt>(
                        Site.Call->getArgOperand(Operand));
                    return !C || !C->isZero();
                  });
  }

  const LaunchSite &Site;
  const RegionInfo *Region;
  const KernelWords &Words;

  /// Makes of the leaf \p T, if it is a word behind the arguments, that word,
  /// as a number without a sign; what comes before is added to \p Terms.
  bool addWord(RangeTerm &T, std::vector<RangeTerm> &Terms) const {
    const uint64_t Number =
        static_cast<uint64_t>(T.Value) - Site.EntryOfArgument.size();
    if (T.Kind != RangeTerm::Argument || Number >= Words.size())
      return false;
    const KernelWord &W = Words[Number];
    if (W.IsPointer || !isPowerOf2_64(W.Size))
      return false;
    RangeTerm Word;
    Word.Kind = RangeTerm::Word;
    Word.Bits = static_cast<uint8_t>(8 * W.Size);
    Word.Value = W.Argument;
    Word.Path = W.Path;
    Word.Path.push_back(static_cast<int64_t>(W.Offset));
    if (!isReadable(Word, Site, Region))
      return false;
    if (Word.Bits == T.Bits) {
      T = std::move(Word);
      return true;
    }
    RangeTerm Extended;
    Extended.Kind = RangeTerm::ZExt;
    Extended.Bits = T.Bits;
    Extended.Left = Terms.size();
    Terms.push_back(std::move(Word));
    T = std::move(Extended);
    return true;
  }
};

} // namespace

/// \p Choice without what the launch cannot know; empty if that leaves nothing
/// to choose.
static VersionChoice knownPart(const LaunchSite &Site, const RegionInfo *Region,
                               const KernelWords &Words,
                               const VersionChoice &Choice) {
  const HostTerms Terms(Site, Region, Words);
  VersionChoice Known;
  for (const LaunchDemands &All : Choice) {
    LaunchDemands &Mine = Known.emplace_back();
    for (const LaunchDemand &D : All)
      if (auto Value = Terms.of(D.Value))
        Mine.push_back({std::move(*Value), D.Least, D.Most});
    if (Mine.empty())
      return {};
  }
  return Known;
}

/// The region identifier of the kernel \p Name, a copy of that of \p Site's
/// kernel: libomptarget finds kernels by them. Null if \p Site's is not as
/// Clang makes it.
static GlobalVariable *regionOfVersion(const LaunchSite &Site,
                                       const std::string &Name) {
  Module &M = *Site.Call->getModule();
  const std::string IdName = abi::RegionIdPrefix + Name + abi::RegionIdSuffix;
  if (GlobalVariable *Known = M.getGlobalVariable(IdName, true))
    return Known;
  auto *Id = dyn_cast<GlobalVariable>(
      Site.Call->getArgOperand(abi::LaunchRegionId)->stripPointerCasts());
  GlobalVariable *Entry = M.getGlobalVariable(
      (abi::OffloadEntryPrefix + Site.KernelName).str(), true);
  if (!Id || !Entry)
    return nullptr;
  auto Copy = [&](GlobalVariable &Of, const Twine &NewName, Constant *Init) {
    auto *New = new GlobalVariable(M, Of.getValueType(), Of.isConstant(),
                                   Of.getLinkage(), Init, NewName, &Of);
    New->copyAttributesFrom(&Of);
    if (Of.hasComdat())
      New->setComdat(M.getOrInsertComdat(New->getName()));
    return New;
  };
  GlobalVariable *NewId = Copy(*Id, IdName, Id->getInitializer());
  Constant *Fields = entryWith(*Entry, Name, NewId);
  if (!Fields) {
    NewId->eraseFromParent();
    return nullptr;
  }
  Copy(*Entry, abi::OffloadEntryPrefix + Name, Fields);
  return NewId;
}

/// Emits whether \p Choice, whose values the ranges from \p Values on are, is
/// for the staged version.
static Value *emitChoice(IRBuilder<> &B, const VersionChoice &Choice,
                         Value *Values) {
  Value *Any = B.getFalse();
  unsigned Number = 0;
  auto Load = [&](unsigned At) {
    return B.CreateLoad(B.getInt64Ty(),
                        B.CreateConstGEP1_64(B.getInt64Ty(), Values, At));
  };
  for (const LaunchDemands &Demands : Choice) {
    Value *All = B.getTrue();
    for (const LaunchDemand &D : Demands) {
      Value *First = Load(2 * Number), *Last = Load(2 * Number + 1);
      ++Number;
      Value *Met = B.CreateAnd(
          B.CreateICmpSGE(First,
                          ConstantInt::getSigned(B.getInt64Ty(), D.Least)),
          B.CreateICmpSLE(First,
                          ConstantInt::getSigned(B.getInt64Ty(), D.Most)));
      // Else it is not known.
      Value *Unknown = B.CreateICmpNE(First, Last);
      All = B.CreateAnd(All, B.CreateOr(Met, Unknown));
    }
    Any = B.CreateOr(Any, All);
  }
  return Any;
}

bool chooseVersion(const LaunchSite &Site, const RegionInfo *Region,
                   StringRef Name, const KernelWords &Words,
                   const VersionChoice &Choice) {
  const VersionChoice Known = knownPart(Site, Region, Words, Choice);
  const bool Chooses =
      isa<SelectInst>(Site.Call->getArgOperand(abi::LaunchRegionId));
  if (Known.empty() || Chooses)
    return false;
  GlobalVariable *Unstaged =
      regionOfVersion(Site, (Name + UnstagedSuffix).str());
  if (!Unstaged)
    return false;
  std::vector<AccessRange> Ranges;
  for (const LaunchDemands &Demands : Known)
    for (const LaunchDemand &D : Demands)
      Ranges.push_back(D.Value);

  CallInst *Call = Site.Call;
  BasicBlock &Entry = Call->getFunction()->getEntryBlock();
  IRBuilder<> Allocas(&Entry, Entry.getFirstInsertionPt());
  auto Array = [&](Type *Of, uint64_t Length, const Twine &Name) {
    return Allocas.CreateAlloca(ArrayType::get(Of, Length), nullptr, Name);
  };
  Value *Arguments = Array(Allocas.getPtrTy(), placeOfBlockThreads(Site) + 1,
                           "ferry.arguments");
  Value *Values =
      Array(Allocas.getInt64Ty(), 2 * Ranges.size(), "ferry.values");
  IRBuilder<> B(Call);
  storeRangeArguments(Site, Ranges, B, Arguments);
  B.CreateCall(emitRanges(*Call->getModule(), Ranges), {Arguments, Values});
  Call->setArgOperand(abi::LaunchRegionId,
                      B.CreateSelect(emitChoice(B, Known, Values),
                                     Call->getArgOperand(abi::LaunchRegionId),
                                     Unstaged, "ferry.version"));
  return true;
}

} // namespace ferry
