//===- KernelParameters.cpp - Captured words as parameters ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelParameters.h"
#include "DebugVersions.h"
#include "ferry/OffloadABI.h"
#include "support/AddressSpace.h"
#include "support/ExecutionMode.h"
#include "support/FunctionTypes.h"
#include "support/Retire.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

namespace {

class WordChooser {
public:
  /// \p Bytes: of all objects together, at most.
  explicit WordChooser(uint64_t Bytes) : Bytes(Bytes) {}

  KernelWords Words;
  std::vector<ObjectInMemory> InMemory;
  /// The names of the objects that have words, by argument and path.
  std::map<std::pair<unsigned, std::vector<int64_t>>, std::string> Objects;

  /// Adds the words of the object \p Name, of \p Size bytes with \p Layout, and
  /// of those that it refers to. \p Node tells what is used of it.
  void add(const PathNode &Node, const std::vector<LayoutItem> &Layout,
           uint64_t Size, unsigned Argument, const std::vector<int64_t> &Path,
           const std::string &Name) {
    std::optional<std::vector<Piece>> Pieces = piecesOf(Node, Size);
    if (!Pieces) {
      InMemory.push_back({Name, Node.Written ? Refusal::WrittenObject
                                             : Refusal::UnknownOffsets});
      return;
    }
    if (Words.size() + Pieces->size() > MaxWords || Size > Bytes) {
      InMemory.push_back({Name, Refusal::TooManyWords});
      return;
    }
    if (!Pieces->empty())
      Objects[{Argument, Path}] = Name;
    Bytes -= Size;
    for (const Piece &P : *Pieces)
      Words.push_back({Argument, Path, P.Offset, P.Size, isPointer(Node, P),
                       !Node.Changeable});
    for (const LayoutItem &I : Layout) {
      if (I.Kind != LayoutItem::Reference && I.Kind != LayoutItem::This)
        continue;
      auto Inner = Node.Members.find(static_cast<int64_t>(I.Offset));
      if (I.InUnion || Inner == Node.Members.end() || !Inner->second->Read)
        continue;
      std::vector<int64_t> InnerPath = Path;
      InnerPath.push_back(static_cast<int64_t>(I.Offset));
      if (is_contained(*Pieces, Piece{I.Offset, sizeof(void *)}))
        add(*Inner->second, I.Inner, I.Size, Argument, InnerPath, I.Name);
    }
  }

private:
  uint64_t Bytes;

  struct Piece {
    uint64_t Offset;
    uint64_t Size;
    bool operator==(const Piece &O) const {
      return Offset == O.Offset && Size == O.Size;
    }
  };

  /// The bytes that are read of an object of \p Size bytes, in pieces as they
  /// are read where that is possible; nothing if it has to stay in memory.
  static std::optional<std::vector<Piece>> piecesOf(const PathNode &Node,
                                                    uint64_t Size) {
    if (Node.Written || Node.Escapes || Node.ReadsElsewhere || Node.Cyclic ||
        !Node.Elements.empty())
      return std::nullopt;
    std::vector<Piece> Result;
    for (auto It = Node.Reads.begin(); It != Node.Reads.end();) {
      if (It->first < 0)
        return std::nullopt;
      auto Begin = static_cast<uint64_t>(It->first);
      uint64_t End = Begin + It->second;
      for (++It;
           It != Node.Reads.end() && static_cast<uint64_t>(It->first) < End;
           ++It)
        End = std::max(End, static_cast<uint64_t>(It->first) + It->second);
      if (End > Size || (End - Begin) / sizeof(void *) > MaxWords)
        return std::nullopt;
      for (; Begin < End; Begin += sizeof(void *))
        Result.push_back({Begin, std::min<uint64_t>(End - Begin, 8)});
    }
    return Result;
  }

  static bool isPointer(const PathNode &Node, const Piece &P) {
    return P.Size == sizeof(void *) && P.Offset % sizeof(void *) == 0 &&
           Node.Members.count(static_cast<int64_t>(P.Offset));
  }
};

} // namespace

KernelWords chooseWords(const RegionInfo &Region, ArrayRef<PathNode> Paths,
                        ObjectPlace Place) {
  if (Region.UnifiedSharedMemory || Region.SeveralTargets ||
      Place == ObjectPlace::None)
    return {};
  WordChooser Chooser(Place == ObjectPlace::Shared ? MaxSharedBytes
                                                   : UINT64_MAX);
  for (const CaptureInfo &C : Region.Captures)
    if (!C.IsPointer && C.Argument < Paths.size() && Paths[C.Argument].Read &&
        (C.IsPrivate || !C.Layout.empty()))
      Chooser.add(Paths[C.Argument], C.Layout, C.Size, C.Argument, {}, C.Name);
  return std::move(Chooser.Words);
}

std::vector<ObjectInMemory> objectsInMemory(const RegionInfo &Region,
                                            ArrayRef<PathNode> Paths,
                                            const KernelWords *Taken) {
  WordChooser Chooser(UINT64_MAX);
  for (const CaptureInfo &C : Region.Captures)
    if (!C.IsPointer && C.Argument < Paths.size() && Paths[C.Argument].Read &&
        !C.Layout.empty())
      Chooser.add(Paths[C.Argument], C.Layout, C.Size, C.Argument, {}, C.Name);
  std::vector<ObjectInMemory> Result = std::move(Chooser.InMemory);
  for (const auto &[Object, Name] : Chooser.Objects)
    if (Taken && none_of(*Taken, [&Object = Object](const KernelWord &W) {
          return W.Argument == Object.first && W.Path == Object.second;
        }))
      Result.push_back({Name, Refusal::TooManyWords});
  return Result;
}

std::string nameWithWords(StringRef Kernel, const KernelWords &Words) {
  if (Words.empty())
    return Kernel.str();
  std::string Text;
  raw_string_ostream OS(Text);
  for (const KernelWord &W : Words) {
    OS << W.Argument;
    for (int64_t Step : W.Path)
      OS << ">" << Step;
    OS << "+" << W.Offset << ":" << W.Size << (W.IsPointer ? "p;" : ";");
  }
  return (Kernel + KernelWordsSuffix +
          utohexstr(xxh3_64bits(OS.str()), true, 16))
      .str();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

ObjectPlace placeOfObjects(const Function &Kernel) {
  const Module &M = *Kernel.getParent();
  if (!mayTakeWords(Triple(M.getTargetTriple())))
    return ObjectPlace::None;
  switch (executionMode(Kernel).value_or(omp::OMPTgtExecModeFlags(0))) {
  case omp::OMP_TGT_EXEC_MODE_SPMD:
    return ObjectPlace::Stack;
  case omp::OMP_TGT_EXEC_MODE_GENERIC:
    return ObjectPlace::Shared;
  default:
    return ObjectPlace::None;
  }
}

namespace {

/// Writes the beginning of a kernel that builds its captured objects.
class ObjectBuilder {
public:
  ObjectBuilder(Function &Kernel, const RegionInfo &Region,
                const KernelWords &Words, ObjectPlace Place)
      : Kernel(Kernel), Words(Words), Region(Region), Place(Place),
        FirstWord(static_cast<unsigned>(Kernel.arg_size() - Words.size())),
        Allocas(&Kernel.getEntryBlock(),
                Kernel.getEntryBlock().getFirstInsertionPt()),
        B(begin(Kernel)->getParent(), begin(Kernel)) {}

  void run() {
    for (unsigned I = 0; I < Words.size();) {
      const unsigned Argument = Words[I].Argument;
      buildRoot(Argument, I);
      while (I < Words.size() && Words[I].Argument == Argument)
        ++I;
    }
  }

private:
  Function &Kernel;
  const KernelWords &Words;
  const RegionInfo &Region;
  const ObjectPlace Place;
  unsigned FirstWord;
  IRBuilder<> Allocas;
  IRBuilder<> B;

  /// Where the kernel's own work begins: behind the call that all threads begin
  /// with, and the branch on what it returns. Before it, the kernel at most
  /// stores its parameters. A bare kernel has no such call.
  static BasicBlock::iterator begin(Function &Kernel) {
    BasicBlock &Entry = Kernel.getEntryBlock();
    for (Instruction &I : Entry)
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const Function *F = Call->getCalledFunction();
            F && F->getName() == "__kmpc_target_init")
          if (auto *Br = dyn_cast<BranchInst>(Entry.getTerminator()))
            return Br->getSuccessor(0)->getFirstInsertionPt();
    return Entry.getFirstNonPHIOrDbgOrAlloca();
  }

  void buildRoot(unsigned Argument, unsigned First) {
    const CaptureInfo *Capture = nullptr;
    for (const CaptureInfo &C : Region.Captures)
      if (C.Argument == Argument)
        Capture = &C;
    // Behind the launch environment.
    llvm::Argument *Given = Kernel.getArg(Argument + 1);
    // Null is what it is where the words count.
    for (Attribute::AttrKind Kind :
         {Attribute::NonNull, Attribute::Dereferenceable})
      Given->removeAttr(Kind);
    SmallVector<Use *> Uses;
    for (Use &U : Given->uses())
      Uses.push_back(&U);
    Value *Object = allocate(Capture->Size, Capture->Align, Given->getType());
    Value *Mapped = Capture->IsPrivate ? nullptr : Given;
    Value *Used = choose(Allocas, Object, Mapped, First);
    for (Use *U : Uses)
      U->set(Used);
    build(Object, Capture->Size, Mapped, First, Align(Capture->Align),
          Capture->Layout);
  }

  /// Memory for an object, as a pointer of type \p Ty.
  Value *allocate(uint64_t Size, uint64_t Alignment, Type *Ty) {
    constexpr StringLiteral Name = "ferry.object";
    auto *Bytes = ArrayType::get(Allocas.getInt8Ty(), Size);
    if (Place == ObjectPlace::Shared) {
      auto *Object = new GlobalVariable(
          *Kernel.getParent(), Bytes, /*isConstant=*/false,
          GlobalValue::InternalLinkage, PoisonValue::get(Bytes), Name, nullptr,
          GlobalValue::NotThreadLocal, SharedMemory);
      Object->setAlignment(Align(Alignment));
      return ConstantExpr::getAddrSpaceCast(Object, Ty);
    }
    AllocaInst *Object = Allocas.CreateAlloca(Bytes, nullptr, Name);
    Object->setAlignment(Align(Alignment));
    return Allocas.CreateAddrSpaceCast(Object, Ty);
  }

  /// What the kernel uses: \p Object, whose words begin at \p First, or, if it
  /// is there and may be changed meanwhile, the one at \p Mapped.
  Value *choose(IRBuilder<> &At, Value *Object, Value *Mapped,
                unsigned First) const {
    if (!Mapped || Words[First].ReadOnce)
      return Object;
    return At.CreateSelect(At.CreateIsNotNull(Mapped, "ferry.mapped"), Mapped,
                           Object, "ferry.used");
  }

  /// Fills \p Object, of \p Size bytes and aligned to \p A, with the words from
  /// \p First on, or, if there is \p Mapped, it is not null and read once, with
  /// what is there; and what it refers to.
  void build(Value *Object, uint64_t Size, Value *Mapped, unsigned First,
             Align A, const std::vector<LayoutItem> &Layout) {
    const std::vector<int64_t> &Path = Words[First].Path;
    unsigned Last = First;
    while (Last < Words.size() &&
           Words[Last].Argument == Words[First].Argument &&
           Words[Last].Path == Path)
      ++Last;
    SmallVector<Value *> Values;
    for (unsigned I = First; I < Last; ++I)
      Values.push_back(Kernel.getArg(FirstWord + I));
    if (Mapped && Words[First].ReadOnce)
      loadIfMapped(Mapped, A, ArrayRef(Words).slice(First, Last - First),
                   Values);
    uint64_t End = 0;
    for (unsigned I = First; I < Last; ++I) {
      const KernelWord &W = Words[I];
      Value *V = Values[I - First];
      if (unsigned Inner = innerOf(I, Last))
        V = buildInner(V, Inner, Layout);
      clear(Object, End, W.Offset, A);
      storePiece(V, at(Object, W.Offset), commonAlignment(A, W.Offset), W.Size);
      End = W.Offset + W.Size;
    }
    clear(Object, End, Size, A);
  }

  /// Writes zeros to the bytes [\p Begin, \p End) of \p Object in shared
  /// memory: the kernel may copy all of it, and what nobody has written there
  /// counts as an error to tools that look for such reads. They are plain
  /// stores, of which LLVM knows that one thread has to do them.
  void clear(Value *Object, uint64_t Begin, uint64_t End, Align A) {
    if (Place != ObjectPlace::Shared)
      return;
    for (uint64_t Size; Begin < End; Begin += Size) {
      Size = std::min<uint64_t>(End - Begin, sizeof(void *));
      storePiece(B.getInt64(0), at(Object, Begin), commonAlignment(A, Begin),
                 Size);
    }
  }

  /// The first word of the object behind the reference that word \p I is, if
  /// its words follow, from \p From on, else 0.
  unsigned innerOf(unsigned I, unsigned From) const {
    std::vector<int64_t> Path = Words[I].Path;
    Path.push_back(static_cast<int64_t>(Words[I].Offset));
    for (unsigned J = From;
         J < Words.size() && Words[J].Argument == Words[I].Argument; ++J)
      if (Words[J].Path == Path)
        return J;
    return 0;
  }

  /// The object behind the reference \p Given, whose words begin at \p First.
  Value *buildInner(Value *Given, unsigned First,
                    const std::vector<LayoutItem> &Layout) {
    const LayoutItem *Item = nullptr;
    for (const LayoutItem &I : Layout)
      if (static_cast<int64_t>(I.Offset) == Words[First].Path.back() &&
          (I.Kind == LayoutItem::Reference || I.Kind == LayoutItem::This))
        Item = &I;
    Value *Object = allocate(Item->Size, Item->Align, Given->getType());
    build(Object, Item->Size, Given, First, Align(Item->Align), Item->Inner);
    return choose(B, Object, Given, First);
  }

  Value *at(Value *Object, uint64_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Object, Offset);
  }

  Type *typeOf(const KernelWord &W) {
    return W.IsPointer ? cast<Type>(B.getPtrTy()) : B.getInt64Ty();
  }

  /// Replaces \p Values, of \p Pieces of an object, by what is at \p Mapped if
  /// that is not null.
  void loadIfMapped(Value *Mapped, Align A, ArrayRef<KernelWord> Pieces,
                    SmallVectorImpl<Value *> &Values) {
    Value *IsMapped = B.CreateIsNotNull(Mapped, "ferry.mapped");
    BasicBlock *Before = B.GetInsertBlock();
    Instruction *Then = SplitBlockAndInsertIfThen(IsMapped, B.GetInsertPoint(),
                                                  /*Unreachable=*/false);
    B.SetInsertPoint(Then);
    SmallVector<Value *> Loaded;
    for (const KernelWord &W : Pieces)
      Loaded.push_back(
          loadPiece(at(Mapped, W.Offset), commonAlignment(A, W.Offset), W));
    BasicBlock *Memory = Then->getParent();
    BasicBlock *Join = Memory->getSingleSuccessor();
    B.SetInsertPoint(Join, Join->begin());
    for (auto [V, L] : zip_equal(Values, Loaded)) {
      PHINode *Phi = B.CreatePHI(V->getType(), 2, "ferry.word");
      Phi->addIncoming(V, Before);
      Phi->addIncoming(L, Memory);
      V = Phi;
    }
    B.SetInsertPoint(Join, Join->getFirstNonPHIOrDbgOrAlloca());
  }

  /// Calls \p Do(offset, integer type) for the powers of two that make \p Size
  /// bytes.
  template <typename Fn> void forEachPart(uint64_t Size, Fn Do) {
    for (uint64_t At = 0, Part = 8; At < Size; At += Part) {
      while (Part > Size - At)
        Part /= 2;
      Do(At, B.getIntNTy(static_cast<unsigned>(8 * Part)));
    }
  }

  Value *loadPiece(Value *Pointer, Align A, const KernelWord &W) {
    if (W.IsPointer)
      return B.CreateAlignedLoad(B.getPtrTy(), Pointer, A);
    Value *Sum = nullptr;
    forEachPart(W.Size, [&](uint64_t Part, IntegerType *Ty) {
      Value *V =
          B.CreateAlignedLoad(Ty, at(Pointer, Part), commonAlignment(A, Part));
      V = B.CreateShl(B.CreateZExt(V, B.getInt64Ty()), 8 * Part);
      Sum = Sum ? B.CreateOr(Sum, V) : V;
    });
    return Sum;
  }

  void storePiece(Value *V, Value *Pointer, Align A, uint64_t Size) {
    if (V->getType()->isPointerTy()) {
      B.CreateAlignedStore(V, Pointer, A);
      return;
    }
    forEachPart(Size, [&](uint64_t Part, IntegerType *Ty) {
      B.CreateAlignedStore(B.CreateTrunc(B.CreateLShr(V, 8 * Part), Ty),
                           at(Pointer, Part), commonAlignment(A, Part));
    });
  }
};

} // namespace

Constant *entryWith(const GlobalVariable &Entry, StringRef Name,
                    Constant *Address) {
  auto *Fields = Entry.hasInitializer()
                     ? dyn_cast<ConstantStruct>(Entry.getInitializer())
                     : nullptr;
  const auto *Form = find_if(abi::Versions, [Fields](const abi::Version &V) {
    return Fields && Fields->getNumOperands() == V.EntryFields;
  });
  if (Form == std::end(abi::Versions))
    return nullptr;
  Module &M = *const_cast<GlobalVariable &>(Entry).getParent();
  Constant *Text = ConstantDataArray::getString(M.getContext(), Name);
  auto *NewName = new GlobalVariable(M, Text->getType(), /*isConstant=*/true,
                                     GlobalValue::InternalLinkage, Text,
                                     "ferry.entry_name");
  NewName->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  SmallVector<Constant *> Operands;
  for (const Use &U : Fields->operands())
    Operands.push_back(cast<Constant>(U));
  Operands[Form->EntryName] = NewName;
  if (Address)
    Operands[Form->EntryAddress] = Address;
  return ConstantStruct::get(Fields->getType(), Operands);
}

bool renameKernel(Module &M, StringRef Old, StringRef New) {
  bool Changed = false;
  auto Rename = [&](const Twine &From, const Twine &To) {
    GlobalVariable *G = M.getGlobalVariable(From.str(), /*AllowInternal=*/true);
    if (G) {
      G->setName(To);
      Changed = true;
    }
    return G;
  };
  for (StringRef Environment : {"_kernel_environment", "_dynamic_environment"})
    Rename(Old + Environment, New + Environment);
  Rename(abi::RegionIdPrefix + Old + abi::RegionIdSuffix,
         abi::RegionIdPrefix + New + abi::RegionIdSuffix);
  GlobalVariable *Entry =
      Rename(abi::OffloadEntryPrefix + Old, abi::OffloadEntryPrefix + New);
  Constant *Fields = Entry ? entryWith(*Entry, New, nullptr) : nullptr;
  if (!Fields)
    return Changed;
  Entry->setInitializer(Fields);
  return true;
}

Function *addParameters(Function &Kernel, const RegionInfo &Region,
                        const KernelWords &Words) {
  Module &M = *Kernel.getParent();
  LLVMContext &C = M.getContext();
  const ObjectPlace Place = placeOfObjects(Kernel);
  takeGenericPointers(Kernel);
  if (Place == ObjectPlace::Shared)
    inlineDebugVersion(Kernel);
  std::string Name = Kernel.getName().str();
  SmallVector<Type *> Types(Kernel.getFunctionType()->params());
  for (const KernelWord &W : Words)
    Types.push_back(W.IsPointer ? cast<Type>(PointerType::getUnqual(C))
                                : Type::getInt64Ty(C));
  Function *New = moveToParameters(Kernel, Types);
  const std::string NewName = nameWithWords(Name, Words);
  renameKernel(M, Name, NewName);
  Kernel.replaceAllUsesWith(New);
  retire(Kernel);
  New->setName(NewName);
  ObjectBuilder(*New, Region, Words, Place).run();
  return New;
}

} // namespace ferry
