//===- WalkEmitter.cpp - Walks through planes -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was, one iteration after the other:
//
//   load A[p - 1, i, j], load A[p, i, j - 1], load A[p, i, j], ...
//   load A[p + 1, i, j]
//   ...                                  ; the iteration
//
// A thread now goes through some planes at one row and column:
//
//   walk.begin:                          ; if there are no guards
//     %before.0 = load A[p0 - 1, i, j]
//     %own.0 = load A[p0, i, j]
//   walk:                                ; for p from p0 on
//     %before = phi [ %before.0, ... ], [ %own, ... ]
//     %own = phi [ %own.0, ... ], [ %behind, ... ]
//     %behind = load A[p + 1, i, j]
//     load A[p, i, j - 1], ...           ; what is read of one plane only
//     ...                                ; the iteration
//
// where addresses are a step apart from plane to plane, and the index is
// divided once for a tile. With guards, each iteration asks them: if they are
// met, it loads %before and %own itself unless the last iteration has them (it
// met them, too); else it is done as it was. Where %own is not read, but
// %before and %behind are, the first iteration loads it for the second one.
//
// Why a correct program stays correct, beside what SpaceEmitter.h and
// StencilSpaceEmitter.h say:
//
// - An iteration that meets the guards executes all of the fields' loads, so
//   whatever it loads, it would load itself, before it writes anything; or, of
//   what it does not read, a later iteration of the walk would, which is asked
//   to exist. With guards nothing is loaded for others.
// - A value that is kept was loaded by an iteration of the same thread from the
//   address that the own load has. If an iteration in between, of this thread
//   or another, wrote there, it and the own one would access the same memory
//   and one would write: of two iterations that a program cannot know to be
//   one thread's, that is a data race.
// - Threads do not wait for each other, and nothing is shared.
//
// Requires: what findPlan() found. Refuses nothing.
//
// Source of the idea: streaming along the slowest dimension with a queue of
// registers is the usual way to write such stencils for GPUs by hand
// (P. Micikevicius, 3D Finite Difference Computation on GPUs using CUDA, 2009).
//
//===----------------------------------------------------------------------===//

#include "WalkPlan.h"
#include "stage/stencils/StencilSpaceEmitter.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

namespace {

class WalkEmitter : StencilSpaceEmitter {
public:
  WalkEmitter(Function &F, const WalkPlan &Plan, ScalarEvolution &SE)
      : StencilSpaceEmitter(F, Plan.Nest, WalkPlan::Shape, Plan.MaxThreads,
                            /*Async=*/false, SE),
        Plan(Plan) {
    for (const StencilField &Field : N.Fields)
      Runs.push_back(Field.planeRuns());
  }

  using SpaceEmitter::run;

private:
  /// What goes from one iteration of a walk to the next.
  struct State {
    SmallVector<Value *, 8> Rows;     ///< addresses of the fields' rows
    SmallVector<Value *, 4> Accesses; ///< those that have a step
    SmallVector<Value *, 16> Kept;    ///< values of the fields
  };

  const WalkPlan &Plan;
  SmallVector<std::vector<PlaneRun>, 2> Runs;       ///< of the fields
  SmallVector<Value *, 2> RowStrides, PlaneStrides; ///< i64, of the fields
  /// Those of N.Accesses that have a step from plane to plane, and that, i64.
  SmallVector<std::pair<const StencilAccess *, Value *>, 4> Stepping;
  Value *I, *J; ///< the thread's, i64

  Value *worthwhile(IRBuilder<> &B, unsigned Number) override;
  Value *areMetInside(IRBuilder<> &B);
  Value *requirements(IRBuilder<> &B) override;
  BasicBlock *emitTile(BasicBlock *From) override;

  /// Makes \p It the thread's iteration of the walk's plane.
  void begin(Iteration &It) const { It.I = I, It.J = J; }
  /// Calls \p Do(Field, Run, Row): for each run of each field, in order; Row is
  /// the number of its row's address in State::Rows.
  void
  forEachRun(function_ref<void(unsigned, const PlaneRun &, unsigned)> Do) const;
  State firstAddresses(IRBuilder<> &B);
  Value *load(IRBuilder<> &B, const State &S, unsigned Field,
              const PlaneRun &Run, unsigned Row, int Plane,
              Value *Further = nullptr);
  void keepNothing(State &S);
  void fill(IRBuilder<> &B, State &S);
  void fillGaps(IRBuilder<> &B, State &S, Value *End);
  unsigned iterationsToFill() const;
  void phis(IRBuilder<> &B, const State &From, BasicBlock *Entering, State &To);
  static void addIncoming(const State &Phis, const State &From,
                          BasicBlock *Leaving);
  void readAll(IRBuilder<> &B, State &S, Iteration &It);
  void step(IRBuilder<> &B, State &S);
  void ask(IRBuilder<> &B, State &S, Value *Fits, Value *Read,
           BasicBlock *Plain);
  BasicBlock *emitIteration(BasicBlock *From, State *S, BasicBlock *Next);
  Value *join(IRBuilder<> &B, State &S, Value *Read, BasicBlock *ReadEnd,
              BasicBlock *PlainEnd);
  BasicBlock *emitWalk(BasicBlock *From, Value *Fits, Value *End);
};

} // namespace

//===----------------------------------------------------------------------===//
// Which version
//===----------------------------------------------------------------------===//

Value *WalkEmitter::worthwhile(IRBuilder<> &B, unsigned Number) {
  if (Plan.Worth.empty())
    return nullptr;
  auto Wide = [&](Value *V) { return B.CreateZExt(V, I64); };
  if (Number == 0)
    return B.CreateICmpUGE(Wide(Space.PlaneSize), B.getInt64(Plan.MinOfPlane));
  if (Number > 1)
    return nullptr;
  Value *Columns = Wide(Space.Width);
  Value *OfTiles = B.CreateMul(ceilDiv(B, Columns, Shape.columns()),
                               B.getInt64(Shape.columns()));
  Value *Least = B.getInt64(UINT32_MAX);
  for (const WalkLaunch &L : reverse(Plan.Worth))
    Least = B.CreateSelect(
        B.CreateICmpUGE(B.CreateMul(Columns, B.getInt64(100)),
                        B.CreateMul(OfTiles, B.getInt64(L.MinFilled))),
        B.getInt64(L.MinIterations), Least);
  return B.CreateICmpUGE(Wide(Space.Total), Least);
}

/// Whether the guards are met within the volume, as they are if only its border
/// does not meet them: in the middle of a plane, or beside it, of two planes.
Value *WalkEmitter::areMetInside(IRBuilder<> &B) {
  auto Part = [&](Value *V, uint64_t Times, uint64_t By) {
    return B.CreateUDiv(B.CreateMul(V, B.getInt64(Times)), B.getInt64(By));
  };
  Value *Met = B.getTrue();
  for (uint64_t Thirds : {1, 2}) {
    P = Part(Planes, Thirds, 3);
    Value *Either = B.getFalse();
    for (uint64_t Column : {0, 1}) {
      Iteration It;
      It.I = Part(Height, 1, 2);
      It.J = B.CreateAdd(Part(Width, 1, 2), B.getInt64(Column));
      Value *Hold =
          guardsHold(B, It, [](const StencilGuard &) { return true; });
      Either = B.CreateOr(Either, B.CreateFreeze(Hold));
    }
    Met = B.CreateAnd(Met, Either);
  }
  P = nullptr;
  return Met;
}

Value *WalkEmitter::requirements(IRBuilder<> &B) {
  for (const StencilField &Field : N.Fields) {
    RowStrides.push_back(polynomial(B, Field.RowStride));
    PlaneStrides.push_back(polynomial(B, Field.PlaneStride));
  }
  for (const StencilAccess &A : N.Accesses)
    if (A.PlaneStride)
      Stepping.push_back({&A, polynomial(B, *A.PlaneStride)});
  // WalkPlan::depth()
  Value *Filling = B.CreateLShr(Total, B.getInt64(Log2_64(Plan.ThreadsToFill)));
  Value *Zeros = B.CreateBinaryIntrinsic(
      Intrinsic::ctlz, B.CreateOr(Filling, B.getInt64(1)), B.getTrue());
  Depth = B.CreateLShr(B.getInt64(uint64_t(1) << 63), Zeros);
  Depth = B.CreateBinaryIntrinsic(Intrinsic::umax, Depth,
                                  B.getInt64(WalkPlan::LeastDepth));
  Depth = least(B, Depth, B.getInt64(WalkPlan::MostDepth));
  Value *Hold = rangesHold(B);
  if (!N.Guards.empty() && !Plan.Worth.empty())
    Hold = B.CreateAnd(Hold, areMetInside(B));
  return Hold;
}

//===----------------------------------------------------------------------===//
// What a walk keeps
//===----------------------------------------------------------------------===//

void WalkEmitter::forEachRun(
    function_ref<void(unsigned, const PlaneRun &, unsigned)> Do) const {
  int Row = -1;
  for (unsigned Field = 0; Field < Runs.size(); ++Field) {
    const PlaneRun *Last = nullptr;
    for (const PlaneRun &Run : Runs[Field]) {
      if (!Last || Last->Row != Run.Row)
        ++Row;
      Last = &Run;
      Do(Field, Run, Row);
    }
  }
}

/// The addresses in the walk's first plane.
WalkEmitter::State WalkEmitter::firstAddresses(IRBuilder<> &B) {
  SmallVector<Value *, 8> Pointers;
  for (const StencilField &Field : N.Fields)
    Pointers.push_back(Field.Loads[0].Load->getPointerOperand());
  for (auto [Access, Step] : Stepping)
    Pointers.push_back(Access->Pointer);
  Iteration First;
  begin(First);
  const auto Addresses = addressesIn(B, First, Pointers);
  State S;
  forEachRun([&](unsigned Field, const PlaneRun &Run, unsigned Row) {
    if (Row == S.Rows.size())
      S.Rows.push_back(
          B.CreatePtrAdd(Addresses[Field],
                         B.CreateMul(RowStrides[Field], B.getInt64(Run.Row))));
  });
  append_range(S.Accesses, drop_begin(Addresses, N.Fields.size()));
  return S;
}

/// Emits a load of what \p Run reads of plane \p Plane, or so many planes
/// \p Further.
Value *WalkEmitter::load(IRBuilder<> &B, const State &S, unsigned Field,
                         const PlaneRun &Run, unsigned Row, int Plane,
                         Value *Further) {
  const StencilField &F = N.Fields[Field];
  const StencilLoad &Own = *find_if(F.Loads, [&](const StencilLoad &L) {
    return L.Plane == Plane && L.Row == Run.Row && L.Column == Run.Column;
  });
  Value *Address = S.Rows[Row];
  // Those of the next plane are the next iteration's.
  if (Plane)
    Address = B.CreatePtrAdd(
        Address, B.CreateMul(PlaneStrides[Field], B.getInt64(Plane)));
  if (Further)
    Address =
        B.CreatePtrAdd(Address, B.CreateMul(PlaneStrides[Field], Further));
  if (Run.Column)
    Address = B.CreatePtrAdd(Address,
                             B.getInt64(int64_t(Run.Column) * int64_t(F.Size)));
  auto *Load = cast<LoadInst>(Own.Load->clone());
  forgetContext(*Load);
  Load->setOperand(LoadInst::getPointerOperandIndex(), Address);
  B.Insert(Load);
  Load->setDebugLoc(Own.Load->getDebugLoc());
  return Load;
}

/// As if no iteration was before.
void WalkEmitter::keepNothing(State &S) {
  S.Kept.clear();
  forEachRun([&](unsigned Field, const PlaneRun &Run, unsigned) {
    S.Kept.append(Run.length(),
                  PoisonValue::get(N.Fields[Field].Loads[0].Load->getType()));
  });
}

/// Loads what an iteration reads that the iterations before would have kept.
void WalkEmitter::fill(IRBuilder<> &B, State &S) {
  unsigned At = 0;
  forEachRun([&](unsigned Field, const PlaneRun &Run, unsigned Row) {
    for (int Plane = Run.first(); Plane < Run.last(); ++Plane, ++At)
      if (Run.readUpTo(Plane) == Plane)
        S.Kept[At] = load(B, S, Field, Run, Row, Plane);
  });
}

/// Loads what the first iteration of a walk up to plane \p End does not read,
/// for the one that does, if there is one; else what the first one reads.
void WalkEmitter::fillGaps(IRBuilder<> &B, State &S, Value *End) {
  unsigned At = 0;
  forEachRun([&](unsigned Field, const PlaneRun &Run, unsigned Row) {
    for (int Plane = Run.first(); Plane < Run.last(); ++Plane, ++At) {
      const int Reads = Run.readUpTo(Plane);
      if (Reads == Plane)
        continue;
      Value *Reader = B.CreateAdd(P, B.getInt64(Plane - Reads));
      Value *Further = B.CreateSelect(B.CreateICmpULT(Reader, End),
                                      B.getInt64(Plane - Reads), B.getInt64(0));
      S.Kept[At] = load(B, S, Field, Run, Row, Reads, Further);
    }
  });
}

/// How many iterations, one after the other, have to have read all of the
/// fields for the next one to have all that is kept.
unsigned WalkEmitter::iterationsToFill() const {
  unsigned Most = 1;
  forEachRun([&](unsigned, const PlaneRun &Run, unsigned) {
    if (Run.hasGaps())
      Most = std::max(Most, Run.length());
  });
  return Most;
}

/// Loads the rest of what iteration \p It reads of the fields, and gives it all
/// of that. What is kept becomes that for the next iteration.
void WalkEmitter::readAll(IRBuilder<> &B, State &S, Iteration &It) {
  unsigned At = 0;
  forEachRun([&](unsigned Field, const PlaneRun &Run, unsigned Row) {
    auto Is = [&](int Plane, Value *V) {
      for (const StencilLoad &L : N.Fields[Field].Loads)
        if (L.Plane == Plane && L.Row == Run.Row && L.Column == Run.Column)
          It.Map[L.Load] = V;
    };
    Value *Last = load(B, S, Field, Run, Row, Run.last());
    for (int Plane = Run.first(); Plane < Run.last(); ++Plane, ++At) {
      Is(Plane, S.Kept[At]);
      S.Kept[At] = Plane + 1 < Run.last() ? S.Kept[At + 1] : Last;
    }
    Is(Run.last(), Last);
  });
}

/// Takes addresses to the next plane.
void WalkEmitter::step(IRBuilder<> &B, State &S) {
  forEachRun(
      [&, Next = 0u](unsigned Field, const PlaneRun &, unsigned Row) mutable {
        if (Row == Next) {
          S.Rows[Row] = B.CreatePtrAdd(S.Rows[Row], PlaneStrides[Field]);
          ++Next;
        }
      });
  for (auto [Address, Access] : zip_equal(S.Accesses, Stepping))
    Address = B.CreatePtrAdd(Address, Access.second);
}

void WalkEmitter::phis(IRBuilder<> &B, const State &From, BasicBlock *Entering,
                       State &To) {
  auto Each = [&](ArrayRef<Value *> Values, SmallVectorImpl<Value *> &Phis) {
    Phis.clear();
    for (Value *V : Values)
      Phis.push_back(phi(B, V, Entering));
  };
  Each(From.Rows, To.Rows);
  Each(From.Accesses, To.Accesses);
  Each(From.Kept, To.Kept);
}

void WalkEmitter::addIncoming(const State &Phis, const State &From,
                              BasicBlock *Leaving) {
  auto Each = [&](ArrayRef<Value *> Values, ArrayRef<Value *> New) {
    for (auto [Phi, V] : zip_equal(Values, New))
      cast<PHINode>(Phi)->addIncoming(V, Leaving);
  };
  Each(Phis.Rows, From.Rows);
  Each(Phis.Accesses, From.Accesses);
  Each(Phis.Kept, From.Kept);
}

//===----------------------------------------------------------------------===//
// A walk
//===----------------------------------------------------------------------===//

/// Asks, at the beginning of an iteration, whether it reads all of the fields,
/// if \p Fits: if not it goes to \p Plain. If so, it loads what is kept, unless
/// as many iterations before it as it takes, \p Read, did so too.
void WalkEmitter::ask(IRBuilder<> &B, State &S, Value *Fits, Value *Read,
                      BasicBlock *Plain) {
  BasicBlock *Reads = block("walk.read"), *Fill = block("walk.fill"),
             *Filled = block("walk.filled");
  Iteration It;
  begin(It);
  Value *Hold = B.CreateLogicalAnd(
      Fits, guardsHold(B, It, [](const StencilGuard &) { return true; }));
  B.CreateCondBr(B.CreateFreeze(Hold), Reads, Plain);
  B.SetInsertPoint(Reads);
  B.CreateCondBr(B.CreateICmpEQ(Read, B.getInt32(iterationsToFill())), Filled,
                 Fill);
  B.SetInsertPoint(Fill);
  State New = S;
  fill(B, New);
  B.CreateBr(Filled);
  B.SetInsertPoint(Filled);
  for (auto [Value, Other] : zip_equal(S.Kept, New.Kept)) {
    PHINode *Either = phi(B, Value, Reads);
    Either->addIncoming(Other, Fill);
    Value = Either;
  }
}

/// Emits the walk's iteration from \p From on, with the fields' values if \p S
/// is not null; leads to \p Next. Returns where it ends.
BasicBlock *WalkEmitter::emitIteration(BasicBlock *From, State *S,
                                       BasicBlock *Next) {
  IRBuilder<> B(From);
  Iteration It;
  begin(It);
  mapIteration(B, It);
  if (S) {
    mapGuards(It);
    for (auto [Access, Address] : zip_equal(Stepping, S->Accesses))
      It.Map[Access.first->Pointer] = Address;
    readAll(B, *S, It);
  }
  cloneBlocks(Blocks, It, Next);
  B.CreateBr(cast<BasicBlock>(It.Map[N.ThreadLoop->getHeader()]));
  return cast<BasicBlock>(It.Map[N.ThreadLoop->getLoopLatch()]);
}

/// Where an iteration that has read all of the fields ends, \p ReadEnd, and one
/// as it was, \p PlainEnd, what is kept for the next one. Returns how many have
/// read in a row, as far as that counts, after \p Read before it.
Value *WalkEmitter::join(IRBuilder<> &B, State &S, Value *Read,
                         BasicBlock *ReadEnd, BasicBlock *PlainEnd) {
  for (Value *&V : S.Kept) {
    PHINode *Either = phi(B, V, ReadEnd);
    Either->addIncoming(PoisonValue::get(V->getType()), PlainEnd);
    V = Either;
  }
  Value *InARow = B.getInt32(iterationsToFill());
  if (iterationsToFill() > 1) {
    IRBuilder<> AtEnd(ReadEnd->getTerminator());
    InARow = least(AtEnd, AtEnd.CreateAdd(Read, B.getInt32(1)), InARow);
  }
  PHINode *Now = phi(B, InARow, ReadEnd);
  Now->addIncoming(B.getInt32(0), PlainEnd);
  return Now;
}

/// Emits the walk of a thread that has iterations in the tile, up to the plane
/// \p End.
BasicBlock *WalkEmitter::emitWalk(BasicBlock *From, Value *Fits, Value *End) {
  const bool Asks = !N.Guards.empty() || !isa<Constant>(Fits);
  BasicBlock *Walk = block("walk"), *Next = block("walk.next"),
             *Done = block("walk.done");
  IRBuilder<> B(From);
  State Start = firstAddresses(B), S;
  keepNothing(Start);
  if (!Asks) {
    fill(B, Start);
    fillGaps(B, Start, End);
  }
  B.CreateBr(Walk);

  B.SetInsertPoint(Walk);
  PHINode *Plane = phi(B, P, From);
  P = Plane;
  phis(B, Start, From, S);
  const State Phis = S;
  PHINode *Read = nullptr; // iterations, in a row
  BasicBlock *Plain = nullptr;
  if (Asks) {
    Read = phi(B, B.getInt32(0), From);
    Plain = block("walk.plain");
    ask(B, S, Fits, Read, Plain);
  }
  BasicBlock *ReadEnd = emitIteration(B.GetInsertBlock(), &S, Next);
  B.SetInsertPoint(Next);
  if (Asks) {
    BasicBlock *PlainEnd = emitIteration(Plain, nullptr, Next);
    Read->addIncoming(join(B, S, Read, ReadEnd, PlainEnd), Next);
  }
  step(B, S);
  addIncoming(Phis, S, Next);
  Value *Following = B.CreateAdd(Plane, B.getInt64(1));
  Plane->addIncoming(Following, Next);
  B.CreateCondBr(B.CreateICmpULT(Following, End), Walk, Done);
  return Done;
}

BasicBlock *WalkEmitter::emitTile(BasicBlock *From) {
  IRBuilder<> B(From);
  Value *Across = B.getInt64(Shape.ColumnsOfThreads);
  I = B.CreateAdd(I0, B.CreateUDiv(Thread, Across));
  J = B.CreateAdd(J0, B.CreateURem(Thread, Across));
  Value *OfTile = least(B, Depth, B.CreateSub(Planes, P));
  Value *Fits = isNegativeNowhere(
      B, OfTile, least(B, TileRows, B.CreateSub(Height, I0)),
      least(B, B.getInt64(Shape.columns()), B.CreateSub(Width, J0)));
  Value *Exists =
      B.CreateAnd(B.CreateICmpULT(I, Height), B.CreateICmpULT(J, Width));
  Value *End = B.CreateAdd(P, OfTile);
  BasicBlock *Begin = block("walk.begin"), *Next = block("tile.next");
  B.CreateCondBr(Exists, Begin, Next);
  B.SetInsertPoint(emitWalk(Begin, Fits, End));
  B.CreateBr(Next);
  return Next;
}

void emit(const WalkPlan &Plan, const PlanContext &C) {
  WalkEmitter(C.Kernel, Plan, C.SE).run();
}

} // namespace ferry
