//===- NestPanels.cpp - Parts of a nest's operands in shared memory -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A panel has Depth iterations of the inner loop for the rows or columns of a
// tile. It lies in shared memory as in global memory, along k or along the rows
// or columns, so that it can be copied in chunks of 16 bytes:
//
//     br %regular, %copy.regular, %copy
//   copy.regular:                        ; addresses are known from the first
//     br %whole, %copy.direct, %copy.steps       ; panel of the tile
//   copy.direct:
//     br %inside, %copy.inside, %copy.edge
//   copy.inside:
//     br %aligned, %copy.chunks, %copy.places
//   copy.edge:                           ; what is beyond repeats the last
//   copy.steps:                          ; as many as are left
//   copy:                                ; each address anew
//
// PanelLayout describes it. A thread reads several elements at once too.
//
//===----------------------------------------------------------------------===//

#include "NestEmitter.h"
#include "stage/common/GpuTarget.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Where \p Stream begins in the panels that lie \p Offset bytes into shared
/// memory.
Value *NestVersion::panel(IRBuilder<> &B, unsigned Stream, Value *Offset) {
  unsigned Before = 0;
  for (unsigned I = 0; I < Stream; ++I)
    Before += Tiles.Panels[I].Bytes;
  return B.CreatePtrAdd(B.CreatePtrAdd(&Shared, B.getInt64(Before)), Offset);
}

/// Where the thread's first row of \p Panel, of \p Stream, lies.
Value *NestVersion::threadPart(IRBuilder<> &B, unsigned Stream, Value *Panel) {
  const NestOperand &S = N.Streams[Stream];
  if (S.By == NestOperand::ByK)
    return Panel;
  Value *Group = S.By == NestOperand::ByRow ? RowThread : ColumnThread;
  return B.CreatePtrAdd(
      Panel, B.CreateMul(Group, B.getInt64(Tiles.Panels[Stream].GroupPitch)));
}

/// From the thread's first row of the panel to row \p PanelRow of its own.
unsigned NestVersion::offset(unsigned Stream, unsigned PanelRow) const {
  const PanelLayout &P = Tiles.Panels[Stream];
  return PanelRow / P.Group * P.GroupPitch * Shape.ColumnsOfThreads +
         PanelRow % P.Group * P.RowPitch;
}

/// Reads what the thread needs of \p Stream in step \p Step of \p Together,
/// which begin at \p At, or knows it already.
void NestVersion::read(IRBuilder<> &B, unsigned Stream, Value *At,
                       unsigned Step, unsigned Together) {
  const NestOperand &S = N.Streams[Stream];
  const PanelLayout &P = Tiles.Panels[Stream];
  const unsigned AlongK = S.AlongK ? std::min(P.Vector, Together) : 1;
  const unsigned PanelRows = S.AlongK ? 1 : P.Vector;
  const unsigned Length = AlongK * PanelRows;
  const unsigned All = Tiles.panelRowsOfThread(S);
  Elements.resize(N.Streams.size());
  Values &Of = Elements[Stream];
  if (Step % AlongK != 0) {
    // Behind each element is the one of the next step.
    std::rotate(Of.begin(), Of.begin() + All, Of.end());
    return;
  }
  Type *One = S.Load->getType();
  Type *Ty = Length > 1 ? FixedVectorType::get(One, Length) : One;
  Of.assign(size_t(All) * AlongK, nullptr);
  for (unsigned PanelRow = 0; PanelRow < All; PanelRow += PanelRows) {
    Value *From = B.CreatePtrAdd(At, B.getInt64(offset(Stream, PanelRow) +
                                                uint64_t(Step) * P.StepPitch));
    LoadInst *Load = B.CreateAlignedLoad(Ty, From, Align(S.Size * Length));
    for (unsigned E = 0; E < Length; ++E)
      Of[S.AlongK ? E * All + PanelRow : PanelRow + E] =
          Length > 1 ? B.CreateExtractElement(Load, E) : Load;
  }
}

/// What has been read of \p Stream for the thread's \p PanelRow.
Value *NestVersion::element(unsigned Stream, unsigned PanelRow) const {
  return Elements[Stream]
                 [N.Streams[Stream].By == NestOperand::ByK ? 0 : PanelRow];
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

/// The address of an element in global memory.
Value *NestVersion::source(IRBuilder<> &B, const NestOperand &S,
                           Value *PanelRow, Value *K) {
  Iteration It;
  It.I = I0, It.J = J0, It.K = K;
  if (S.By != NestOperand::ByK) {
    bool IsRow = S.By == NestOperand::ByRow;
    Value *&Index = IsRow ? It.I : It.J, *One = B.getInt64(1);
    Value *Next = B.CreateAdd(B.CreateAdd(Index, PanelRow), One);
    Index = B.CreateSub(least(B, Next, IsRow ? Height : Width), One);
  }
  return value(B, S.Load->getPointerOperand(), It);
}

/// Whether two loops read \p PanelRow of a stream as one would. It is a sum of
/// multiples of both counters, so one step from an inner loop to the next
/// tells.
Value *NestVersion::isCollapsible(IRBuilder<> &B, unsigned Stream,
                                  Value *PanelRow) {
  const NestOperand &S = N.Streams[Stream];
  Value *Zero = B.getInt64(0);
  Value *Is = B.CreateICmpEQ(
      B.CreateSub(B.CreatePtrToInt(source(B, S, PanelRow, InnerTripCount), I64),
                  B.CreatePtrToInt(source(B, S, PanelRow, Zero), I64)),
      B.CreateMul(InnerTripCount, Copies[Stream].Distance));
  return B.CreateSelect(B.CreateICmpUGT(TripCount, InnerTripCount), Is,
                        B.getTrue());
}

/// Whether no index wraps in any panel for the chunk \p At. In as many bits as
/// it has, an index is a sum of multiples of k and of the row, so it is within
/// its bounds everywhere if it is for the first and the last of both.
Value *NestVersion::noneWraps(IRBuilder<> &B, unsigned Stream,
                              const Place &At) {
  const NestOperand &S = N.Streams[Stream];
  const unsigned Further = Tiles.Panels[Stream].Chunk - 1;
  Value *Panels = B.CreateUDiv(TripCount, B.getInt64(Tiles.Depth));
  Value *Behind =
      B.CreateMul(B.CreateSub(Panels, B.getInt64(1)), B.getInt64(Tiles.Depth));
  Value *None = B.getTrue();
  auto Require = [&](Value *PanelRows, Value *Steps) {
    Value *Is = source(B, S, B.CreateAdd(At.PanelRow, PanelRows),
                       B.CreateAdd(At.K, Steps));
    Value *Distance = B.CreateAdd(B.CreateMul(PanelRows, B.getInt64(S.Size)),
                                  B.CreateMul(Steps, Copies[Stream].Distance));
    None = B.CreateAnd(None,
                       B.CreateICmpEQ(Is, B.CreatePtrAdd(At.From, Distance)));
  };
  Value *Zero = B.getInt64(0), *Last = B.getInt64(Further);
  if (S.AlongK) {
    Require(Zero, B.CreateAdd(Behind, Last));
    return None;
  }
  Require(Zero, Behind);
  if (Further) {
    Require(Last, Zero);
    Require(Last, Behind);
  }
  return None;
}

/// The part with \p Number of a panel, of \p Chunk elements. Consecutive ones
/// are neighbours in global memory; From is left open.
NestVersion::Place NestVersion::place(IRBuilder<> &B, unsigned Stream,
                                      Value *Number, unsigned Chunk) {
  const NestOperand &S = N.Streams[Stream];
  const PanelLayout &P = Tiles.Panels[Stream];
  Value *Shift = sideBySide(B, Stream, Chunk);
  Value *Mask = B.CreateSub(B.CreateShl(B.getInt64(1), Shift), B.getInt64(1));
  Value *Inner = B.CreateMul(B.CreateAnd(Number, Mask), B.getInt64(Chunk));
  Value *Outer = B.CreateLShr(Number, Shift);
  Place At = {nullptr,
              S.AlongK ? Outer : Inner,
              S.AlongK ? Inner : Outer,
              nullptr,
              nullptr,
              nullptr};
  Value *Group = B.getInt64(P.Group);
  Value *Offset = B.CreateAdd(
      B.CreateMul(B.CreateUDiv(At.PanelRow, Group), B.getInt64(P.GroupPitch)),
      B.CreateMul(B.CreateURem(At.PanelRow, Group), B.getInt64(P.RowPitch)));
  At.To = B.CreateTrunc(
      B.CreateAdd(Offset, B.CreateMul(At.K, B.getInt64(P.StepPitch))), I32);
  return At;
}

/// The logarithm of how many parts of \p Chunk elements are neighbours in
/// global memory, as all lengths are powers of two.
Value *NestVersion::sideBySide(IRBuilder<> &B, unsigned Stream,
                               unsigned Chunk) {
  const NestOperand &S = N.Streams[Stream];
  const PanelLayout &P = Tiles.Panels[Stream];
  if (!S.AlongK && S.By == NestOperand::ByRow)
    return B.CreateBinaryIntrinsic(Intrinsic::cttz,
                                   B.CreateUDiv(TileRows, B.getInt64(Chunk)),
                                   B.getTrue());
  return B.getInt64(Log2_32((S.AlongK ? Tiles.Depth : P.Rows) / Chunk));
}

/// How many parts of \p Chunk elements \p Count steps (i32) of a stream are,
/// i32.
Value *NestVersion::chunksOf(IRBuilder<> &B, unsigned Stream, Value *Count,
                             unsigned Chunk) {
  const NestOperand &S = N.Streams[Stream];
  Value *PanelRows = S.By == NestOperand::ByRow
                         ? B.CreateTrunc(TileRows, I32)
                         : B.getInt32(Tiles.Panels[Stream].Rows);
  return B.CreateShl(S.AlongK ? PanelRows : Count,
                     B.CreateTrunc(sideBySide(B, Stream, Chunk), I32));
}

/// How many rows of the panel there are from \p PanelRow on.
Value *NestVersion::panelRowsFrom(IRBuilder<> &B, const NestOperand &S,
                                  Value *PanelRow) {
  Value *All = S.By == NestOperand::ByRow ? B.CreateSub(Height, I0)
                                          : B.CreateSub(Width, J0);
  return B.CreateBinaryIntrinsic(Intrinsic::usub_sat, All, PanelRow);
}

/// Makes \p At the same as \p First where the thread does not have it: that
/// costs less than a branch, at which copies through registers wait for memory.
void NestVersion::repeatFirst(IRBuilder<> &B, Place &At, const Place &First) {
  for (auto Part : {&Place::PanelRow, &Place::K, &Place::To})
    At.*Part = B.CreateSelect(At.Exists, At.*Part, First.*Part);
  At.Exists = First.Exists;
}

/// Finds where the places of \p Stream come from in a tile, \p Here being the
/// thread's number, and whether they do so in every panel: if the first one's
/// chunks are aligned, so are those a multiple of 16 bytes away.
void NestVersion::beginPlaces(IRBuilder<> &B, unsigned Stream, Value *Here) {
  const NestOperand &S = N.Streams[Stream];
  const PanelLayout &P = Tiles.Panels[Stream];
  Copying &C = Copies.emplace_back();
  if (!P.Places)
    return;
  Value *All =
      B.CreateZExt(chunksOf(B, Stream, B.getInt32(Tiles.Depth), P.Chunk), I64);
  for (unsigned I = 0; I < P.Places; ++I) {
    C.Places.push_back(place(B, Stream, Here, P.Chunk));
    if (P.SomeThreads)
      C.Places.back().Exists = B.CreateICmpULT(Here, All);
    if (P.SomeThreads && !Async && I)
      repeatFirst(B, C.Places.back(), C.Places.front());
    Here = B.CreateAdd(Here, NumThreads);
  }
  auto Number = [&](unsigned K) {
    return B.CreatePtrToInt(
        source(B, S, C.Places.front().PanelRow, B.getInt64(K)), I64);
  };
  C.Distance = S.AlongK && S.Follows ? B.getInt64(S.Size)
                                     : B.CreateSub(Number(1), Number(0));
  Value *Bits = B.CreateMul(C.Distance, B.getInt64(Tiles.Depth));
  C.Regular = N.Outer ? isCollapsible(B, Stream, C.Places.front().PanelRow)
                      : B.getTrue();
  C.Direct = B.getTrue();
  for (Place &At : C.Places) {
    // What is calculated for none may be poison.
    auto IfExists = [&](Value *Is, Value *Otherwise) {
      return At.Exists ? B.CreateSelect(At.Exists, Is, Otherwise) : Is;
    };
    const bool AcrossRows = !S.AlongK && P.Chunk > 1;
    // Instead of rows that are all beyond the end, the panel's first.
    if (AcrossRows)
      At.PanelRow =
          B.CreateSelect(B.CreateIsNull(panelRowsFrom(B, S, At.PanelRow)),
                         B.getInt64(0), At.PanelRow);
    At.From = source(B, S, At.PanelRow, At.K);
    if (S.MayWrap)
      C.Regular = B.CreateAnd(C.Regular,
                              IfExists(noneWraps(B, Stream, At), B.getTrue()));
    if (AcrossRows) {
      At.RowsLeft = B.CreateTrunc(
          least(B, panelRowsFrom(B, S, At.PanelRow), B.getInt64(P.Chunk)), I32);
      Value *All = B.CreateICmpEQ(At.RowsLeft, B.getInt32(P.Chunk));
      C.Direct = B.CreateAnd(C.Direct, IfExists(All, B.getTrue()));
    }
    Bits = B.CreateOr(Bits,
                      IfExists(B.CreatePtrToInt(At.From, I64), B.getInt64(0)));
  }
  C.Aligned = B.CreateICmpEQ(
      B.CreateAnd(Bits, B.getInt64(uint64_t(P.Chunk) * S.Size - 1)),
      B.getInt64(0));
}

/// Has all of \p Copies read before any of it writes: they wait for memory
/// together.
static void writeLast(BasicBlock &Copies) {
  SmallVector<Instruction *, 16> Stores;
  for (Instruction &I : Copies)
    if (isa<StoreInst>(I))
      Stores.push_back(&I);
  for (Instruction *Store : Stores)
    Store->moveBefore(Copies, Copies.end());
}

/// Has \p Copy emit what is done where \p Is holds, or always if it is null.
void NestVersion::copyIf(IRBuilder<> &B, Value *Is, function_ref<void()> Copy) {
  if (!Is)
    return Copy();
  BasicBlock *Begin = block("copy.place"), *Next = block("copied.place");
  B.CreateCondBr(Is, Begin, Next);
  B.SetInsertPoint(Begin);
  Copy();
  B.CreateBr(Next);
  B.SetInsertPoint(Next);
}

/// Copies \p Number elements of \p S one by one. Behind element \p Last (i32),
/// if it is given, that one is repeated.
void NestVersion::copyOneByOne(IRBuilder<> &B, const NestOperand &S,
                               Value *Source, Value *To, unsigned Number,
                               Value *Last) {
  for (unsigned E = 0; E < Number; ++E) {
    Value *Further = B.getInt64(uint64_t(E) * S.Size), *Behind = Further;
    if (Last && E)
      Behind = B.CreateMul(B.CreateZExt(least(B, B.getInt32(E), Last), I64),
                           B.getInt64(S.Size));
    copyElement(B, *S.Load, B.CreatePtrAdd(Source, Behind), S.Load->getAlign(),
                B.CreatePtrAdd(To, Further));
  }
}

/// Copies the chunk \p At of \p Stream, which is \p Offset bytes further in
/// memory than in the tile's first panel, if it is among \p Count steps (i32).
void NestVersion::copyPlace(IRBuilder<> &B, unsigned Stream, const Place &At,
                            Value *Panel, Value *Offset, Value *Count,
                            CopyKind Kind) {
  const NestOperand &S = N.Streams[Stream];
  const unsigned Chunk = Tiles.Panels[Stream].Chunk;
  Value *Step = nullptr, *Is = Async ? At.Exists : nullptr;
  if (Kind == CopyKind::FewSteps) {
    Step = B.CreateTrunc(At.K, I32);
    Value *IsStep = B.CreateICmpULT(Step, Count);
    Is = Is ? B.CreateAnd(Is, IsStep) : IsStep;
  }
  copyIf(B, Is, [&] {
    Value *Source = B.CreatePtrAdd(At.From, Offset);
    Value *To = B.CreatePtrAdd(Panel, B.CreateZExt(At.To, I64));
    if (Kind == CopyKind::Chunks)
      return copyBytes(B, *S.Load, Source, To, Chunk * S.Size);
    Value *Last = nullptr;
    if (Chunk > 1 && Kind != CopyKind::Elements)
      Last = B.CreateSub(S.AlongK ? B.CreateSub(Count, Step) : At.RowsLeft,
                         B.getInt32(1));
    copyOneByOne(B, S, Source, To, Chunk, Last);
  });
}

/// Copies the places of \p Stream in \p Count steps (i32) from \p First on. All
/// of them are whole, unless they are at the edge of what there are rows of,
/// or there are fewer steps than a panel has: then each has to be asked for.
BasicBlock *NestVersion::copyPlaces(BasicBlock *From, unsigned Stream,
                                    Value *Panel, Value *First, Value *Count,
                                    CopyKind Kind) {
  const Copying &C = Copies[Stream];
  IRBuilder<> B(From);
  Value *Offset = B.CreateMul(First, C.Distance);
  // Those that are not asynchronous exist all or none of them.
  copyIf(B, Async ? nullptr : C.Places.front().Exists, [&] {
    for (const Place &At : C.Places)
      copyPlace(B, Stream, At, Panel, Offset, Count, Kind);
    if (!Async && Kind != CopyKind::FewSteps)
      writeLast(*B.GetInsertBlock());
  });
  return B.GetInsertBlock();
}

/// Copies \p Count steps (i32) from \p First on of a stream to \p Panel, \p
/// Here being the thread's number. Consecutive threads take consecutive chunks
/// of memory.
BasicBlock *NestVersion::copyStream(BasicBlock *From, unsigned Stream,
                                    Value *Panel, Value *First, Value *Count,
                                    Value *Here) {
  const NestOperand &S = N.Streams[Stream];
  const PanelLayout &P = Tiles.Panels[Stream];
  const Copying &C = Copies[Stream];
  BasicBlock *Next = block("copied");
  IRBuilder<> B(From);
  auto Anew = [&](const Twine &Name, Value *Begin) {
    BasicBlock *Each = block(Name);
    copyElements(Each, Next, Stream, Panel, First, Count, Begin);
    return Each;
  };
  if (C.Places.empty()) {
    B.CreateBr(Anew("copy", Here));
    return Next;
  }
  BasicBlock *Regular = block("copy.regular"), *Direct = block("copy.direct"),
             *FewSteps = block("copy.steps"), *Rest = Next;
  if (P.MoreThanPlaces)
    Rest =
        Anew("copy.rest",
             B.CreateAdd(Here, B.CreateMul(NumThreads, B.getInt64(P.Places))));
  auto Copy = [&](BasicBlock *Begin, CopyKind Kind) {
    BranchInst::Create(Rest,
                       copyPlaces(Begin, Stream, Panel, First, Count, Kind));
  };
  Value *Whole = B.CreateICmpEQ(Count, B.getInt32(Tiles.Depth));
  // Numbers that may wrap were asked of whole panels.
  if (S.MayWrap || N.Outer)
    B.CreateCondBr(S.MayWrap ? B.CreateAnd(C.Regular, Whole) : C.Regular,
                   Regular, Anew("copy", Here));
  else
    B.CreateBr(Regular);
  BranchInst::Create(Direct, FewSteps, Whole, Regular);
  Copy(FewSteps, CopyKind::FewSteps);
  if (!match(C.Direct, m_One())) {
    BasicBlock *Edge = block("copy.edge"), *Inside = block("copy.inside");
    BranchInst::Create(Inside, Edge, C.Direct, Direct);
    Copy(Edge, CopyKind::Edge);
    Direct = Inside;
  }
  if (P.Chunk == 1) {
    Copy(Direct, CopyKind::Elements);
    return Next;
  }
  BasicBlock *Chunks = block("copy.chunks"), *Places = block("copy.places");
  BranchInst::Create(Chunks, Places, C.Aligned, Direct);
  Copy(Chunks, CopyKind::Chunks);
  Copy(Places, CopyKind::Elements);
  return Next;
}

/// The same, element by element, from chunk \p Begin on, then goes to \p Next.
/// The thread has the same chunks, as others may copy theirs at once. Rows
/// beyond the end repeat the last.
void NestVersion::copyElements(BasicBlock *From, BasicBlock *Next,
                               unsigned Stream, Value *Panel, Value *First,
                               Value *Count, Value *Begin) {
  const NestOperand &S = N.Streams[Stream];
  const unsigned Chunk = Tiles.Panels[Stream].Chunk;
  BasicBlock *Head = block("copy.next"), *Body = block("copy.begin"),
             *Copy = block("copy.element"), *End = block("copied.element");
  IRBuilder<> B(From);
  Value *None = B.CreateIsNull(Count);
  Value *All =
      B.CreateSelect(None, B.getInt32(0), chunksOf(B, Stream, Count, Chunk));
  All = B.CreateZExt(All, I64);
  B.CreateBr(Head);

  B.SetInsertPoint(Head);
  PHINode *Turn = phi(B, B.getInt64(0), From);
  Value *Chunks =
      B.CreateMul(B.CreateUDiv(Turn, B.getInt64(Chunk)), NumThreads);
  Value *Number = B.CreateAdd(Begin, Chunks);
  B.CreateCondBr(B.CreateICmpULT(Number, All), Body, Next);

  B.SetInsertPoint(Body);
  Value *Element = B.CreateAdd(B.CreateMul(Number, B.getInt64(Chunk)),
                               B.CreateURem(Turn, B.getInt64(Chunk)));
  Place At = place(B, Stream, Element, 1);
  B.CreateCondBr(B.CreateICmpULT(At.K, B.CreateZExt(Count, I64)), Copy, End);

  B.SetInsertPoint(Copy);
  copyElement(B, *S.Load, source(B, S, At.PanelRow, B.CreateAdd(First, At.K)),
              S.Load->getAlign(),
              B.CreatePtrAdd(Panel, B.CreateZExt(At.To, I64)));
  B.CreateBr(End);

  B.SetInsertPoint(End);
  Turn->addIncoming(B.CreateAdd(Turn, B.getInt64(1)), End);
  B.CreateBr(Head);
}

/// Copies \p Count steps (i32) from \p First on of all streams, or begins to.
BasicBlock *NestVersion::copyPanel(BasicBlock *From, Value *Offset,
                                   Value *First, Value *Count, Value *Here) {
  for (unsigned I = 0; I < N.Streams.size(); ++I) {
    IRBuilder<> B(From);
    From = copyStream(From, I, panel(B, I, Offset), First, Count, Here);
  }
  IRBuilder<> B(From);
  commitCopies(B);
  return From;
}

} // namespace ferry
