//===- Table.cpp - Shared memory and ModuleInfo ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// placeShared: @tile = internal addrspace(3) global [32 x double]
//   %p = getelementptr [32 x double], ptr addrspace(3) @tile, i64 0, i64 %i
// becomes
//   %tile = getelementptr i8, ptr %block.shared, i64 4096
//   %p = getelementptr [32 x double], ptr addrspace(3) %tile, i64 0, i64 %i
//
// writeTable: @ferry_sim_module and what it refers to. The structures are those
// of engine/SimABI.h, field by field.
//
//===----------------------------------------------------------------------===//

#include "Translate.h"
#include "simulator/LambdaPlaces.h"
#include "simulator/RegionThreads.h"
#include "support/ExecutionMode.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"

#include <map>

using namespace llvm;

namespace ferry::sim {

// --- Shared memory -----------------------------------------------------------

namespace {

/// Gives each shared variable its offset. Those that one kernel alone uses lie
/// where those of others do: a block runs one.
class SharedPlacer {
public:
  SharedPlacer(Module &M, Translation &T) : M(M), T(T) {}

  void run() {
    SmallVector<Constant *, 16> Shared;
    for (GlobalVariable &G : M.globals())
      if (G.getAddressSpace() == 3)
        Shared.push_back(&G);
    convertUsersOfConstantsToInstructions(Shared);
    MapVector<Function *, SmallVector<GlobalVariable *, 4>> OfKernels;
    for (Constant *C : Shared) {
      auto &G = *cast<GlobalVariable>(C);
      if (G.isDeclaration())
        continue;
      if (Function *Kernel = onlyKernel(G))
        OfKernels[Kernel].push_back(&G);
      else
        T.SharedBytes = place(G, T.SharedBytes);
    }
    // As if the kernel had no others: at a line's beginning.
    const uint64_t Common = alignTo(T.SharedBytes, 128);
    for (const auto &[Kernel, Own] : OfKernels) {
      uint64_t End = Common;
      for (GlobalVariable *G : Own)
        End = place(*G, End);
      T.SharedBytes = std::max(T.SharedBytes, End);
    }
    // Arrays of unknown size are dynamic shared memory, behind all others.
    T.SharedBytes = alignTo(T.SharedBytes, 16);
    for (Constant *G : Shared)
      if (cast<GlobalVariable>(G)->isDeclaration())
        replace(*cast<GlobalVariable>(G), {T.SharedBytes, 0, Align(1)});
    for (Constant *G : Shared)
      cast<GlobalVariable>(G)->eraseFromParent();
  }

private:
  Module &M;
  Translation &T;
  DenseMap<Function *, Instruction *> Bases;

  /// The kernel that uses \p G, if no other function does; else null.
  Function *onlyKernel(GlobalVariable &G) const {
    Function *Kernel = nullptr;
    for (User *U : G.users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (!I || (Kernel && I->getFunction() != Kernel))
        return nullptr;
      Kernel = I->getFunction();
    }
    return is_contained(T.Kernels, Kernel) && !T.RuntimeState.contains(&G)
               ? Kernel
               : nullptr;
  }

  /// Places \p G at \p Begin or behind it. \returns where it ends.
  uint64_t place(GlobalVariable &G, uint64_t Begin) {
    const DataLayout &DL = M.getDataLayout();
    const Align Alignment =
        DL.getValueOrABITypeAlignment(G.getAlign(), G.getValueType());
    const uint64_t Offset = alignTo(Begin, Alignment);
    const uint64_t Size = DL.getTypeAllocSize(G.getValueType());
    replace(G, {Offset, Size, Alignment});
    // The stack of the runtime holds variables of the program.
    if (T.RuntimeState.contains(&G) && !G.getName().contains("SmartStack"))
      T.RuntimeRanges.push_back({Offset, Size});
    return Offset + Size;
  }

  /// The block's shared memory, a value in \p F's entry block.
  Instruction *base(Function &F) {
    Instruction *&Base = Bases[&F];
    if (!Base) {
      auto *Lane = cast<Instruction>(laneContext(F));
      IRBuilder<> Builder(Lane->getNextNode());
      Builder.SetCurrentDebugLocation(DebugLoc());
      Base = Builder.CreateLoad(
          Builder.getPtrTy(),
          Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Lane,
                                             offsetof(LaneContext, Shared)));
    }
    return Base;
  }

  /// Replaces every use of \p G by its place in the block's shared memory.
  void replace(GlobalVariable &G, const SharedVariable &V) {
    DenseMap<Function *, Value *> Places;
    for (Use &U : make_early_inc_range(G.uses())) {
      auto *I = dyn_cast<Instruction>(U.getUser());
      if (!I)
        continue; // another variable's initial value
      Function &F = *I->getFunction();
      Value *&Place = Places[&F];
      if (!Place) {
        IRBuilder<> Builder(base(F)->getNextNode());
        Builder.SetCurrentDebugLocation(DebugLoc());
        Place = Builder.CreateAddrSpaceCast(
            Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), base(F),
                                               V.Offset),
            G.getType());
        T.SharedUses[&F].push_back(V);
      }
      U.set(Place);
    }
    // No address of shared memory is a constant: PTX refuses it as well.
    if (!G.use_empty())
      G.replaceAllUsesWith(Constant::getNullValue(G.getType()));
  }
};

} // namespace

Error placeShared(Module &M, Translation &T) {
  SharedPlacer(M, T).run();
  if (T.SharedBytes > MaxStaticShared)
    return createStringError(
        "the device code has " + Twine(T.SharedBytes) +
        " bytes of shared memory that several functions use; the simulator "
        "has " +
        Twine(MaxStaticShared) + ": split the program into shared libraries");
  return Error::success();
}

// --- The table ---------------------------------------------------------------

namespace {

class TableWriter {
public:
  TableWriter(Module &M, Translation &T)
      : M(M), T(T), C(M.getContext()), I8(Type::getInt8Ty(C)),
        I32(Type::getInt32Ty(C)), I64(Type::getInt64Ty(C)),
        Ptr(PointerType::get(C, 0)) {}

  void write() {
    // The variables of the program, before the table adds its own.
    Constant *Globals = globals();
    Constant *Kernels = kernels();
    const SmallVector<Constant *, 16> Lambdas = lambdas();
    auto *Info = record(
        {number(I32, ABIVersion), number(I32, T.Architecture),
         number(I32, T.SharedBytes), number(I32, T.Instructions.size()),
         instructions(), number(I32, T.Kernels.size()), number(I32, NumGlobals),
         Kernels, Globals, runtimeState(), number(I32, T.RuntimeRanges.size()),
         number(I32, Lambdas.size()), array(Lambdas, "ferry.lambdas"),
         number(I32, T.CodeBytes.size()), codeBytes(), text(features())});
    auto *G = variable(Info, ModuleSymbol);
    G->setLinkage(GlobalValue::ExternalLinkage);
  }

private:
  Module &M;
  Translation &T;
  LLVMContext &C;
  Type *I8, *I32, *I64, *Ptr;
  unsigned NumGlobals = 0;
  StringMap<Constant *> Texts;

  static Constant *number(Type *T, uint64_t V) {
    return ConstantInt::get(T, V);
  }

  Constant *record(ArrayRef<Constant *> Fields) {
    return ConstantStruct::getAnon(C, Fields);
  }

  GlobalVariable *variable(Constant *Value, StringRef Name) {
    return new GlobalVariable(M, Value->getType(), true,
                              GlobalValue::PrivateLinkage, Value, Name);
  }

  Constant *array(ArrayRef<Constant *> Elements, StringRef Name) {
    if (Elements.empty())
      return ConstantPointerNull::get(cast<PointerType>(Ptr));
    auto *Type = ArrayType::get(Elements.front()->getType(), Elements.size());
    return variable(ConstantArray::get(Type, Elements), Name);
  }

  Constant *text(StringRef S) {
    Constant *&Known = Texts[S];
    if (!Known)
      Known = variable(ConstantDataArray::getString(C, S), "ferry.text");
    return Known;
  }

  Constant *instructions() {
    SmallVector<Constant *, 64> Rows;
    for (const TableEntry &E : T.Instructions)
      Rows.push_back(
          record({number(I8, static_cast<uint8_t>(E.Kind)),
                  number(I8, E.Runtime), number(I8, E.Size),
                  number(I8, E.Align), number(I8, E.Flags), number(I32, E.Line),
                  number(I32, E.Column), text(E.File), text(E.Function)}));
    return array(Rows, "ferry.instructions");
  }

  /// A function that calls \p F with the values that its argument points to.
  Function *entryOf(Function &F, SmallVectorImpl<Constant *> &Arguments) {
    const DataLayout &DL = M.getDataLayout();
    auto *Entry =
        Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr}, false),
                         GlobalValue::PrivateLinkage, "ferry.entry", M);
    IRBuilder<> Builder(BasicBlock::Create(C, "", Entry));
    SmallVector<Value *, 8> Values;
    for (Argument &A : F.args()) {
      Value *Address = Builder.CreateLoad(
          Ptr, Builder.CreateConstGEP1_64(Ptr, Entry->getArg(0), A.getArgNo()));
      Type *Passed = A.hasByValAttr() ? A.getParamByValType() : A.getType();
      Align Alignment = DL.getABITypeAlign(Passed);
      if (A.hasByValAttr())
        Alignment = A.getParamAlign().value_or(Alignment);
      Arguments.push_back(record({number(I32, DL.getTypeAllocSize(Passed)),
                                  number(I32, Alignment.value())}));
      Values.push_back(A.hasByValAttr() ? Address
                                        : Builder.CreateLoad(Passed, Address));
    }
    for (Argument &A : F.args())
      F.removeParamAttr(A.getArgNo(), Attribute::ByVal);
    Builder.CreateCall(&F, Values);
    Builder.CreateRetVoid();
    return Entry;
  }

  Constant *kernels() {
    SmallVector<Constant *, 8> Rows;
    for (Function *F : T.Kernels) {
      SmallVector<Constant *, 8> Arguments;
      Constant *Entry = entryOf(*F, Arguments);
      auto [Line, File] = place(*F);
      const FunctionCost Cost = costOf(*F);
      auto Found = T.MaxThreads.find(F);
      unsigned MaxThreads = Found == T.MaxThreads.end() ? 1024 : Found->second;
      static_assert(AnyRegionThreads == KernelInfo::AnyRegionThreads);
      Rows.push_back(record(
          {text(F->getName()), Entry, array(Arguments, "ferry.arguments"),
           number(I32, Arguments.size()), number(I32, MaxThreads),
           number(I32, isGeneric(*F)), number(I32, regionThreads(*F)),
           number(I32, reachedShared(*F)), number(I32, Cost.Registers),
           number(I32, Cost.LocalBytes), number(I32, Line), text(File)}));
    }
    return array(Rows, "ferry.kernels");
  }

  /// With what \p F calls: registers are the most of a function, local memory
  /// is the sum, as if all were called at once.
  FunctionCost costOf(const Function &F) const {
    FunctionCost Sum;
    SmallPtrSet<const Function *, 16> Seen{&F};
    SmallVector<const Function *, 16> Left{&F};
    while (!Left.empty()) {
      const Function *Next = Left.pop_back_val();
      const FunctionCost Own = T.Costs.lookup(Next);
      Sum.Registers = std::max(Sum.Registers, Own.Registers);
      Sum.LocalBytes += Own.LocalBytes;
      for (const Instruction &I : llvm::instructions(*Next))
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (const Function *Callee = Call->getCalledFunction())
            if (!Callee->isDeclaration() && Seen.insert(Callee).second)
              Left.push_back(Callee);
    }
    return Sum;
  }

  /// Whether \p F is in generic mode, as written: or turned into SPMD since.
  static bool isGeneric(const Function &F) {
    auto Mode = executionMode(F);
    return Mode && (*Mode & omp::OMP_TGT_EXEC_MODE_GENERIC);
  }

  /// The source line of kernel \p F. Clang's names end in _l and the line.
  static std::pair<unsigned, StringRef> place(const Function &F) {
    unsigned Line = 0;
    StringRef Digits = F.getName().rsplit("_l").second;
    if (Digits.getAsInteger(10, Line))
      Line = 0;
    const DISubprogram *Program = F.getSubprogram();
    return {Line, Program ? Program->getFilename() : ""};
  }

  /// The bytes of the shared variables that kernel \p F, or what it or what it
  /// refers to refers to, uses: as if it had no others.
  uint64_t reachedShared(Function &F) const {
    SmallPtrSet<const Value *, 32> Seen;
    std::map<uint64_t, SharedVariable> Shared; // by offset
    SmallVector<const User *, 32> Work{&F};
    auto AddOperands = [&](const User &U) {
      for (const Value *Operand : U.operands())
        if (isa<Constant>(Operand) && Seen.insert(Operand).second)
          Work.push_back(cast<User>(Operand));
    };
    while (!Work.empty()) {
      const User *U = Work.pop_back_val();
      AddOperands(*U);
      auto *G = dyn_cast<Function>(U);
      if (!G)
        continue;
      for (const Instruction &I : llvm::instructions(*G))
        AddOperands(I);
      if (auto Found = T.SharedUses.find(G); Found != T.SharedUses.end())
        for (const SharedVariable &V : Found->second)
          Shared.insert({V.Offset, V});
    }
    uint64_t Bytes = 0;
    for (const auto &[Offset, V] : Shared)
      Bytes = alignTo(Bytes, V.Alignment) + V.Size;
    return Bytes;
  }

  Constant *globals() {
    SmallVector<Constant *, 16> Rows;
    for (GlobalVariable &G : M.globals()) {
      if (G.isDeclaration() || G.getName().starts_with("llvm.") ||
          G.getName().starts_with("ferry."))
        continue;
      // Sectors are counted as if variables began where allocations do.
      G.setAlignment(std::max(G.getAlign().valueOrOne(), Align(32)));
      Rows.push_back(record(
          {text(G.getName()),
           ConstantExpr::getPointerBitCastOrAddrSpaceCast(&G, Ptr),
           number(I64, M.getDataLayout().getTypeAllocSize(G.getValueType()))}));
    }
    NumGlobals = Rows.size();
    return array(Rows, "ferry.globals");
  }

  Constant *runtimeState() {
    SmallVector<Constant *, 16> Rows;
    for (auto [Offset, Size] : T.RuntimeRanges)
      Rows.push_back(record({number(I32, Offset), number(I32, Offset + Size)}));
    return array(Rows, "ferry.runtime");
  }

  SmallVector<Constant *, 16> lambdas() {
    SmallVector<Constant *, 16> Rows;
    for (const LambdaPlace &L : lambdaPlaces(M))
      Rows.push_back(
          record({number(I32, L.Number), number(I32, L.Line), text(L.File)}));
    return Rows;
  }

  Constant *codeBytes() {
    SmallVector<Constant *, 64> Rows;
    for (unsigned Bytes : T.CodeBytes)
      Rows.push_back(number(I32, Bytes));
    return array(Rows, "ferry.code");
  }

  std::string features() const { return join(T.Features, " "); }
};

} // namespace

void writeTable(Module &M, Translation &T) { TableWriter(M, T).write(); }

} // namespace ferry::sim
