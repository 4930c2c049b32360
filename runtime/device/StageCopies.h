//===- StageCopies.h - Copies of tiles by a warp ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DEVICE_STAGECOPIES_H
#define FERRY_DEVICE_STAGECOPIES_H

#include "StageTarget.h"

namespace {

template <unsigned Size> struct WordOf;
template <> struct WordOf<1> {
  typedef unsigned char T;
};
template <> struct WordOf<2> {
  typedef unsigned short T;
};
template <> struct WordOf<4> {
  typedef unsigned T;
};
template <> struct WordOf<8> {
  typedef u64 T;
};
template <> struct WordOf<16> {
  typedef unsigned T __attribute__((vector_size(16)));
};

/// \p Value, of which the compiler knows nothing any more: what is made of it
/// is not computed before the loop over tiles, where all its multiples would
/// take registers as long as the kernel runs.
template <typename Int> INLINE Int hidden(Int Value) {
#ifdef __AMDGCN__
  asm volatile("" : "+v"(Value));
#else
  if constexpr (sizeof(Int) == 8)
    asm volatile("" : "+l"(Value));
  else
    asm volatile("" : "+r"(Value));
#endif
  return Value;
}

/// A tile, and where its words are in memory: word w of a row at
/// w / Window * Step + w % Window * sizeof(word) when Dense is false, else at
/// w * sizeof(word).
struct Shape {
  SharedPtr Tile;
  u32 MostSteps; ///< in a row of a whole tile, a constant
  u32 Steps;     ///< in one of this tile: as many, or half of them
  u32 Pitch;     ///< bytes from one row of the tile to the next
  u32 Window;    ///< words read in one step
  bool Dense;
  u64 Step; ///< bytes from one step to the next

  Shape with(u32 KnownPitch) const {
    Shape S = *this;
    S.Pitch = KnownPitch;
    return S;
  }
};

/// The rows of threads next to each other that are Stride bytes apart and alike
/// in Count, their number of steps. The tile begins with step Position. The
/// threads NoFirst, NoLast, counted from the first of them, do not read their
/// first, their last step; Count is more than 2 if there are any. A dense row
/// has less than 2^31 bytes.
struct RegularRows {
  u32 Rows;
  u64 Row0, Stride;
  u32 Count, Position;
  u64 NoFirst, NoLast;

  /// The first step that is read of a row, and the one behind the last.
  u32 firstStep(u32 Row) const { return NoFirst >> Row & 1; }
  u32 endStep(u32 Row) const { return Count - (u32)(NoLast >> Row & 1); }
};

template <typename Word> INLINE Word load(GlobalPtr From) {
  typedef __attribute__((address_space(1))) const Word *Source;
  return *(Source)From;
}
template <typename Word> INLINE void store(SharedPtr To, Word Value) {
  typedef __attribute__((address_space(3))) Word *Target;
  *(Target)To = Value;
}

/// Copies \p Batch words, each from where \p From() says to where \p To() says.
/// \p Async: only starts that. Otherwise one wait for memory serves them all.
template <typename Word, bool Async, u32 Batch, typename FromFn, typename ToFn>
INLINE void copyBatch(FromFn &From, ToFn &To) {
  if constexpr (Async) {
#pragma unroll
    for (u32 I = 0; I < Batch; ++I)
      startCopy<sizeof(Word)>(To(), From());
  } else {
    Word Values[Batch];
#pragma unroll
    for (u32 I = 0; I < Batch; ++I)
      Values[I] = load<Word>(From());
#pragma unroll
    for (u32 I = 0; I < Batch; ++I)
      store<Word>(To(), Values[I]);
  }
}

/// Where word \p Index of a tile's row is, whose first word is at \p From.
template <typename Word>
INLINE GlobalPtr placeOf(GlobalPtr From, u32 Index, const Shape &S) {
  if (S.Dense)
    return From + Index * sizeof(Word);
  return From + (Index / S.Window * S.Step + Index % S.Window * sizeof(Word));
}

template <typename Word>
INLINE SharedPtr inTile(u32 Row, u32 Index, const Shape &S) {
  return S.Tile + Row * S.Pitch + Index * sizeof(Word);
}

/// Where the word is, from the beginning of its row, that a tile has at
/// \p Column. If the row, which is read from step \p First to before \p End,
/// has none there, its nearest one: that may be copied, and nobody uses it.
template <typename Word>
INLINE u64 nearestOf(const RegularRows &R, u32 First, u32 End, u32 Column,
                     const Shape &S) {
  auto Clamp = [](u32 Low, u32 At, u32 High) -> u64 {
    return At < Low ? Low : At < High ? At : High - 1;
  };
  if (S.Dense) {
    u32 PerStep = (u32)S.Step / sizeof(Word);
    return Clamp(First * PerStep, R.Position * PerStep + Column,
                 End * PerStep + (S.Window - PerStep)) *
           sizeof(Word);
  }
  return Clamp(First, R.Position + Column / S.Window, End) * S.Step +
         Column % S.Window * sizeof(Word);
}

/// How the threads of a warp share the words of a tile's rows: each stays in
/// one of so many columns, and Together rows are copied at a time.
struct Columns {
  u32 Shift, Together;

  /// For \p Words of a row; at least 1 << \p Least columns.
  Columns(u32 Words, u32 Least) : Shift(Least) {
    while (1u << Shift < Words && 1u << Shift < warpSize())
      ++Shift;
    Together = warpSize() >> Shift;
  }
  u32 count() const { return 1u << Shift; }
};

/// Copies a column of a tile, \p Batch words at a time, where all threads want
/// a row: from \p Source, and so on in each \p Next bytes, to \p Target.
template <typename Word, bool Async, u32 Batch>
INLINE void copyColumn(const Columns &C, GlobalPtr Source, u64 Next,
                       SharedPtr Target, const Shape &S) {
  auto From = [&] {
    GlobalPtr Here = Source;
    Source += Next;
    return Here;
  };
  auto To = [&] {
    SharedPtr Here = Target;
    Target += C.Together * S.Pitch;
    return Here;
  };
  // There are as many rows as threads.
  for (u32 Done = 0; Done < C.count(); Done += Batch)
    copyBatch<Word, Async, Batch>(From, To);
}

/// Copies the first \p Used words of each row of the tile, where all threads
/// want a row and read all of it that is in the tile.
template <typename Word, bool Async>
INLINE void copyAll(const RegularRows &R, u32 Used, const Shape &S) {
  const Columns C(Used, Async ? 3 : 4);
  u32 Lane = hidden(lane());
  for (u32 Column = Lane & (C.count() - 1); Column < Used;
       Column += C.count()) {
    u32 Row = Lane >> C.Shift;
    u64 Source =
        R.Row0 + Row * R.Stride + nearestOf<Word>(R, 0, R.Count, Column, S);
    copyColumn<Word, Async, Async ? 8 : 16>(C, (GlobalPtr)Source,
                                            hidden(C.Together * R.Stride),
                                            inTile<Word>(Row, Column, S), S);
  }
}

/// Whether the rows' parts that are in tiles begin at multiples of 16 bytes, in
/// memory and in the tile.
INLINE bool isAligned(const RegularRows &R, const Shape &S) {
  return !((R.Row0 | R.Stride | S.Steps * S.Step | S.Pitch) & 15);
}

/// What copyAll() does, by 16 bytes. \p Used and \p Most, a constant, are in
/// bytes.
template <bool Async>
INLINE void copyWide(const RegularRows &R, u32 Used, u32 Most, const Shape &S) {
  typedef WordOf<16>::T Word;
  const Columns C((Most + 15) / 16, 3);
  u32 Lane = hidden(lane());
  u32 Row = Lane >> C.Shift;
  for (u32 Column = (Lane & (C.count() - 1)) * 16; Column < Used;
       Column += C.count() * 16) {
    u64 Source = R.Row0 + Row * R.Stride + (R.Position * (u32)S.Step + Column);
    copyColumn<Word, Async, 8>(C, (GlobalPtr)Source,
                               hidden(C.Together * R.Stride),
                               S.Tile + Row * S.Pitch + Column, S);
    if (Most <= C.count() * 16)
      break;
  }
}

/// Copies the first \p Used words of each row of the tile. \p Whole: no step of
/// the tile is one that some do not read.
template <typename Word, bool Async, bool Whole>
INLINE void copyColumns(const RegularRows &R, u32 Used, const Shape &S) {
  constexpr u32 Batch = Async ? 8 : 16;
  const Columns C(Used, Async ? 3 : 4);
  u32 Lane = hidden(lane());
  for (u32 Column = Lane & (C.count() - 1); Column < Used;
       Column += C.count()) {
    u32 Row = Lane >> C.Shift, Done = 0;
    u64 Begin = R.Row0 + Row * R.Stride, Next = hidden(C.Together * R.Stride);
    SharedPtr Target = inTile<Word>(Row, Column, S);
    auto To = [&] {
      SharedPtr Here = Target;
      Target += C.Together * S.Pitch;
      return Here;
    };
    // First those that all threads have, alike in what is read of them.
    u32 Sure = R.Rows / C.Together;
    GlobalPtr Source =
        (GlobalPtr)(Begin + nearestOf<Word>(R, 0, R.Count, Column, S));
    auto FromWhole = [&] {
      GlobalPtr Here = Source;
      Source += Next;
      return Here;
    };
    if (Whole && !Async && Sure >= Batch) {
      // The first and the last ones, with one wait, or two where they would
      // take so many registers that other warps had none: rows that are copied
      // twice cost less than asking for each. Asynchronous copies to the same
      // place would have no order.
      u32 Again = 2 * Batch - Sure, Read = 0, Written = 0;
      auto From = [&] {
        Source -= Read++ == Batch ? Again * Next : 0;
        return FromWhole();
      };
      auto ToTile = [&] {
        Target -= Written++ == Batch ? Again * C.Together * S.Pitch : 0;
        return To();
      };
      constexpr u32 AtOnce = sizeof(Word) < 8 ? 2 * Batch : Batch;
#pragma unroll
      for (u32 I = 0; I < 2 * Batch; I += AtOnce)
        copyBatch<Word, Async, AtOnce>(From, ToTile);
      Done = Sure;
    }
    if (Whole)
      for (; Done + Batch <= Sure; Done += Batch)
        copyBatch<Word, Async, Batch>(FromWhole, To);
    u32 Its = Row + Done * C.Together;
    Its = Its < R.Rows ? Its : R.Rows - 1;
    Begin = R.Row0 + Its * R.Stride;
    auto From = [&] {
      u32 First = Whole ? 0 : R.firstStep(Its);
      u32 End = Whole ? R.Count : R.endStep(Its);
      u64 Here = Begin + nearestOf<Word>(R, First, End, Column, S);
      // Threads without a row have another one's.
      bool Exists = Its + C.Together < R.Rows;
      Begin += Exists ? Next : 0;
      Its += Exists ? C.Together : 0;
      return (GlobalPtr)Here;
    };
    constexpr u32 Part = Async ? Batch / 2 : Batch; // without a wait for each
    for (; Done * C.Together < R.Rows; Done += Part)
      copyBatch<Word, Async, Part>(From, To);
  }
}

/// The same for a warp that lacks threads.
template <typename Word>
INLINE void copySlowly(const RegularRows &R, u32 Used, const Shape &S) {
  for (u32 At = lane(); At < R.Rows * Used; At += threads()) {
    u32 Row = At / Used, Column = At % Used;
    u64 From = R.Row0 + Row * R.Stride +
               nearestOf<Word>(R, R.firstStep(Row), R.endStep(Row), Column, S);
    store<Word>(inTile<Word>(Row, Column, S), load<Word>((GlobalPtr)From));
  }
}

template <typename Word, bool Async>
INLINE void copyRegular(const RegularRows &R, u32 PerStep, const Shape &S,
                        u32 MostPitch, u32 HalfPitch) {
  if (R.Position >= R.Count)
    return;
  u32 Left = R.Count - R.Position;
  u32 Steps = Left < S.Steps ? Left : S.Steps, Over = S.Window - PerStep;
  u32 Used = Steps * PerStep + Over;
  u32 Most = S.MostSteps * PerStep + Over;
  u32 Half = S.MostSteps / 2 * PerStep + Over;
  bool Whole = (R.Position || !R.NoFirst) && (Left > S.Steps || !R.NoLast);
  constexpr u32 Size = sizeof(Word);
  // The compiler knows how many words the most, or half of them, are.
  if (R.Rows == warpSize() && Whole) {
    if (Size >= 4 && Size < 16 && S.Dense && isAligned(R, S)) {
      // What fills the last 16 bytes has to be of the row, in the next step.
      bool More = Over * Size % 16 && Left > S.Steps && !R.NoLast;
      if (-(Used * Size) % 16 <= (More ? PerStep * Size : 0)) {
        if (S.Steps == S.MostSteps)
          copyWide<Async>(R, Used * Size, Most * Size, S.with(MostPitch));
        else
          copyWide<Async>(R, Used * Size, Half * Size, S.with(HalfPitch));
        return;
      }
    }
    if (Used > Half)
      copyAll<Word, Async>(R, Most, S);
    else
      copyAll<Word, Async>(R, Half, S);
  } else if (threads() != warpSize())
    copySlowly<Word>(R, Used, S);
  else if (!R.Rows)
    return;
  else if (!Whole)
    copyColumns<Word, Async, false>(R, Used, S);
  else if (Used > Half)
    copyColumns<Word, Async, true>(R, Most, S);
  else
    copyColumns<Word, Async, true>(R, Half, S);
}

/// Each thread wants words [First, End) of its own row, whose word 0 is at
/// Mine.
template <typename Word>
INLINE void copyAny(u64 Mine, u32 First, u32 End, const Shape &S) {
  constexpr u32 Rows = 4; // under way
  u32 Range = First << 16 | End, Threads = threads();
  for (u64 Left = ballot(First < End); Left;) {
    u64 From[Rows];
    u32 Row[Rows], Begin[Rows], Ends[Rows], Longest = 0;
#pragma unroll
    for (u32 I = 0; I < Rows; ++I) {
      // There is one at least, which may come again.
      Row[I] = Left || !I ? firstOf(Left) : Row[I - 1];
      Left &= Left - 1;
      From[I] = fromLane(Mine, Row[I]);
      u32 Its = fromLane(Range, Row[I]);
      Begin[I] = Its >> 16;
      Ends[I] = Its & 0xffff;
      u32 Length = Ends[I] - Begin[I];
      Longest = Length > Longest ? Length : Longest;
    }
    for (u32 At = lane(); At - lane() < Longest; At += Threads) {
      Word Values[Rows];
#pragma unroll
      for (u32 I = 0; I < Rows; ++I) {
        u32 Column = Begin[I] + At;
        Values[I] = load<Word>(placeOf<Word>(
            (GlobalPtr)From[I], Column < Ends[I] ? Column : Ends[I] - 1, S));
      }
#pragma unroll
      for (u32 I = 0; I < Rows; ++I)
        if (Begin[I] + At < Ends[I])
          store<Word>(inTile<Word>(Row[I], Begin[I] + At, S), Values[I]);
    }
  }
}

template <unsigned Size, bool Async>
INLINE void copyRows(SharedPtr Tile, bool Regular, u32 Rows, u64 Row0,
                     u64 Stride, u32 Count, u64 NoFirst, u64 NoLast,
                     u32 Position, u64 Mine, u32 First, u32 End, u32 MostSteps,
                     u32 Steps, u32 MostPitch, u32 HalfPitch, u32 Window,
                     bool Dense, u64 Step) {
  typedef typename WordOf<Size>::T Word;
  u32 Pitch = Steps == MostSteps ? MostPitch : HalfPitch;
  Shape S{Tile, MostSteps, Steps, Pitch, Window, Dense, Step};
  u32 PerStep = Dense ? (u32)Step / Size : Window;
  if (Regular) {
    copyRegular<Word, Async>(
        RegularRows{Rows, Row0, Stride, Count, Position, NoFirst, NoLast},
        PerStep, S, MostPitch, HalfPitch);
    return;
  }
  u32 Last = First < End ? End * PerStep + (Window - PerStep) : 0;
  copyAny<Word>(Mine, First * PerStep, Last, S);
}

template <unsigned Size>
INLINE void copyOne(SharedPtr Tile, u64 Row, u32 First, u32 End) {
  typedef typename WordOf<Size>::T Word;
  u32 Threads = threads();
  auto Copy = [&](u32 Column) {
    return load<Word>((GlobalPtr)Row + (u64)Column * Size);
  };
  // Two under way.
  for (u32 Column = First + lane(); Column < End; Column += 2 * Threads) {
    u32 Second = Column + Threads;
    Word One = Copy(Column), Other = Copy(Second < End ? Second : Column);
    store<Word>(Tile + Column * Size, One);
    if (Second < End)
      store<Word>(Tile + Second * Size, Other);
  }
}

#ifdef __NVPTX__
template <unsigned Size>
INLINE void startOne(SharedPtr Tile, u64 Row, u32 First, u32 End) {
  for (u32 Column = First + lane(); Column < End; Column += threads())
    startCopy<Size>(Tile + Column * Size, (GlobalPtr)Row + (u64)Column * Size);
}

template <unsigned Size>
INLINE void startFull(SharedPtr To, u64 From, u64 Next, u32 Words, u32 Rows,
                      u32 Own, u32 Columns, u32 Pitch, u32 Window, bool Dense,
                      u64 Step) {
  typedef typename WordOf<Size>::T Word;
  const Shape S{To, 0, 0, Pitch, Window, Dense, Step};
  GlobalPtr Source = (GlobalPtr)From;
  u32 Together = warpSize() / Columns; // rows
  Next = hidden(Next);
  for (u32 Done = 0; Done < Rows; ++Done) {
    if (Done < Own)
      for (u32 Index = 0; Index < Words; Index += Columns)
        startCopy<Size>(To + Index * Size, placeOf<Word>(Source, Index, S));
    Source += Next;
    To += Together * Pitch;
  }
}

template <unsigned Size>
INLINE void startPart(SharedPtr To, u64 From, u64 Next, u32 Words, u32 Rows,
                      u32 Columns, u32 Pitch, u32 Window, bool Dense,
                      u64 Step) {
  typedef typename WordOf<Size>::T Word;
  const Shape S{To, 0, 0, Pitch, Window, Dense, Step};
  u32 Together = warpSize() / Columns; // rows
  u32 Own = lane() & (Columns - 1);
#pragma unroll 1
  for (u32 Index = 0; Index + Own < Words; Index += Columns) {
    GlobalPtr Source = placeOf<Word>((GlobalPtr)From, Index, S);
    SharedPtr Target = To + Index * Size;
    auto CopyNext = [&] {
      startCopy<Size>(Target, Source);
      Source += Next;
      Target += Together * Pitch;
    };
    // Most threads have some more.
    constexpr u32 Batch = 4;
    u32 Left = Rows;
    for (; Left >= Batch; Left -= Batch)
#pragma unroll
      for (u32 I = 0; I < Batch; ++I)
        CopyNext();
#pragma unroll 1
    for (; Left; --Left)
      CopyNext();
  }
}

template <unsigned Size>
INLINE void startOwn(SharedPtr To, u64 From, u32 Words) {
#pragma unroll 1
  for (u32 Index = 0; Index < Words; ++Index)
    startCopy<Size>(To + Index * Size, (GlobalPtr)From + Index * Size);
}
#endif

} // namespace

#endif // FERRY_DEVICE_STAGECOPIES_H
