//===- Stage.cpp - What staged kernels call -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a warp meet, agree on what to stage and copy it together. The
// functions are built as bitcode for each target, embedded in the pass plugin,
// and linked into and inlined in modules with staged kernels only
// (passes/support/StageLibrary.cpp). docs/staging.md tells how they fit
// together.
//
// A "warp" is what the target calls that (32 threads) or a wavefront. All
// functions that are not marked otherwise must be called by every thread of the
// warp, also by those that want nothing; so none of them may stand behind && or
// in a branch that not all threads take. Pointers are generic or to global
// memory (address space 1) or shared memory (3); sizes are in bytes, `word`s
// are what one thread copies at a time.
//
//===----------------------------------------------------------------------===//

#include "StageCopies.h"

#define FERRY_DEVICE extern "C" __attribute__((always_inline, nothrow))

// The prototypes, which the passes have as well.
typedef void Void;
typedef bool I1;
typedef u32 I32;
typedef u64 I64;
#define FERRY_STAGE_FUNCTION(Kind, Name, Result, ...)                          \
  FERRY_DEVICE Result __ferry_stage_##Name(__VA_ARGS__);
#define FERRY_STAGE_COPY(Kind, Name, ...)                                      \
  FERRY_STAGE_FUNCTION(Kind, Name##1, Void, __VA_ARGS__)                       \
  FERRY_STAGE_FUNCTION(Kind, Name##2, Void, __VA_ARGS__)                       \
  FERRY_STAGE_FUNCTION(Kind, Name##4, Void, __VA_ARGS__)                       \
  FERRY_STAGE_FUNCTION(Kind, Name##8, Void, __VA_ARGS__)                       \
  FERRY_STAGE_FUNCTION(Kind, Name##16, Void, __VA_ARGS__)
#include "../include/ferry/StageFunctions.def"

//===----------------------------------------------------------------------===//
// Agreement
//===----------------------------------------------------------------------===//

/// Whether \p B holds for any thread of the warp.
FERRY_DEVICE bool __ferry_stage_any(bool B) {
  meet();
  return anyOf(B);
}

/// Waits for the warp. What its threads wrote before is visible after it.
FERRY_DEVICE void __ferry_stage_meet() { meet(); }

/// The number of the calling thread in its warp. Any thread may call it. What
/// is made of it is computed behind the call.
FERRY_DEVICE u32 __ferry_stage_lane() { return hidden(lane()); }

/// The number of the calling thread's warp in its block. Any thread may call
/// it.
FERRY_DEVICE u32 __ferry_stage_warp() { return threadInBlock() / warpSize(); }

/// \p Value; what is made of it is computed behind the call. Any thread may
/// call it.
FERRY_DEVICE u32 __ferry_stage_hidden4(u32 Value) { return hidden(Value); }
FERRY_DEVICE u64 __ferry_stage_hidden8(u64 Value) { return hidden(Value); }

/// The threads for which \p B holds, a bit for each.
FERRY_DEVICE u64 __ferry_stage_ballot(bool B) { return ballot(B); }

/// The number of \p Lanes. Any thread may call it.
FERRY_DEVICE u32 __ferry_stage_count(u64 Lanes) { return countOf(Lanes); }

/// The first of \p Lanes, 0 if there is none. Any thread may call it.
FERRY_DEVICE u32 __ferry_stage_first_lane(u64 Lanes) { return firstOf(Lanes); }

/// \p Value of thread \p Lane, which the warp has.
FERRY_DEVICE u32 __ferry_stage_from4(u32 Value, u32 Lane) {
  return fromLane(Value, Lane);
}
FERRY_DEVICE u64 __ferry_stage_from8(u64 Value, u32 Lane) {
  return fromLane(Value, Lane);
}

/// The largest \p Value of the warp.
FERRY_DEVICE u32 __ferry_stage_max(u32 Value) {
  u32 Threads = threads();
  for (u32 Distance = 1; Distance < warpSize(); Distance *= 2) {
    u32 Other = fromLane(Value, lane() + Distance);
    if (lane() + Distance < Threads && Other > Value)
      Value = Other;
  }
  return fromLane(Value, 0);
}

/// Whether all threads that want a row, those with \p Want, want this one, the
/// first of which is \p First.
FERRY_DEVICE bool __ferry_stage_same(u32 First, bool Want, u64 Row) {
  u64 Its = fromLane(Row, First);
  return !anyOf(Want && Row != Its);
}

/// Whether the rows that are wanted, by the threads \p Lanes, those with
/// \p Want, are those of threads next to each other, from \p First on, \p
/// Stride apart from \p Row0 on and of \p Steps0 steps.
FERRY_DEVICE bool __ferry_stage_regular(u64 Lanes, u32 First, bool Want,
                                        u64 Row, u32 Steps, u64 Row0,
                                        u64 Stride, u32 Steps0) {
  bool Regular = Row == Row0 + (lane() - First) * Stride && Steps == Steps0;
  bool Broken = anyOf(Want && !Regular);
  return areTogether(Lanes, First) && !Broken;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Waits for the block, all threads of which must call it.
FERRY_DEVICE void __ferry_stage_barrier() { barrier(); }

/// The same; whether \p B holds for all of them.
FERRY_DEVICE bool __ferry_stage_all(bool B) { return allOfBlock(B); }

/// The thread's number in its block, the threads of the block, the block's
/// number and the number of blocks. Any thread may call them.
FERRY_DEVICE u32 __ferry_stage_thread() { return threadInBlock(); }
FERRY_DEVICE u32 __ferry_stage_threads() { return threadsOfBlock(); }
FERRY_DEVICE u32 __ferry_stage_block() { return blockInGrid(); }
FERRY_DEVICE u32 __ferry_stage_blocks() { return blocksOfGrid(); }

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Copies what the threads want of their rows to the warp's \p Tile. \p Regular
/// is what __ferry_stage_regular() said; then \p Rows threads want the rows of
/// RegularRows, in a tile of Shape that begins with the first one's; the tile's
/// other words may hold anything afterwards. Otherwise steps [\p First, \p End)
/// of the caller's tile are wanted, whose step 0 is at \p Mine, which need not
/// be readable.
/// __ferry_stage_start...() may only start the copies (cp.async).
#define COPY_ROWS(Name, Size, Async)                                           \
  FERRY_DEVICE void __ferry_stage_##Name##Size(                                \
      SharedPtr Tile, bool Regular, u32 Rows, u64 Row0, u64 Stride, u32 Count, \
      u64 NoFirst, u64 NoLast, u32 Position, u64 Mine, u32 First, u32 End,     \
      u32 MostSteps, u32 Steps, u32 MostPitch, u32 HalfPitch, u32 Window,      \
      bool Dense, u64 Step) {                                                  \
    copyRows<Size, Async>(Tile, Regular, Rows, Row0, Stride, Count, NoFirst,   \
                          NoLast, Position, Mine, First, End, MostSteps,       \
                          Steps, MostPitch, HalfPitch, Window, Dense, Step);   \
  }
COPY_ROWS(rows, 1, false)
COPY_ROWS(rows, 2, false)
COPY_ROWS(rows, 4, false)
COPY_ROWS(rows, 8, false)
COPY_ROWS(rows, 16, false)

/// Copies words [\p First, \p End) of the one row that all threads have in
/// common, without gaps; all that it is given is the same in all threads.
/// __ferry_stage_start_one...() only starts the copies.
#define COPY_ONE(Name, Size, Copy)                                             \
  FERRY_DEVICE void __ferry_stage_##Name##Size(SharedPtr Tile, u64 Row,        \
                                               u32 First, u32 End) {           \
    Copy<Size>(Tile, Row, First, End);                                         \
  }
COPY_ONE(one, 1, copyOne)
COPY_ONE(one, 2, copyOne)
COPY_ONE(one, 4, copyOne)
COPY_ONE(one, 8, copyOne)
COPY_ONE(one, 16, copyOne)

#ifdef __NVPTX__
COPY_ROWS(start, 4, true)
COPY_ROWS(start, 8, true)
COPY_ROWS(start, 16, true)
COPY_ONE(start_one, 4, startOne)
COPY_ONE(start_one, 8, startOne)
COPY_ONE(start_one, 16, startOne)

/// Starts the copies of \p Words words of rows of a warp that lacks no thread:
/// those that are the calling one's, from \p From on to \p To. Its \p Rows rows
/// are \p Next bytes apart, their words are as Shape has it. The warp copies
/// \p Columns words of a row together, a power of two that divides \p Window or
/// is a multiple of it, or \p Dense holds.
#define START_PART(Size)                                                       \
  FERRY_DEVICE void __ferry_stage_start_part##Size(                            \
      SharedPtr To, u64 From, u64 Next, u32 Words, u32 Rows, u32 Columns,      \
      u32 Pitch, u32 Window, bool Dense, u64 Step) {                           \
    startPart<Size>(To, From, Next, Words, Rows, Columns, Pitch, Window,       \
                    Dense, Step);                                              \
  }
START_PART(4)
START_PART(8)
START_PART(16)

/// The same where \p Columns divide \p Words, and the thread would have
/// \p Rows rows if each thread of the warp had one; it has \p Own.
#define START_FULL(Size)                                                       \
  FERRY_DEVICE void __ferry_stage_start_full##Size(                            \
      SharedPtr To, u64 From, u64 Next, u32 Words, u32 Rows, u32 Own,          \
      u32 Columns, u32 Pitch, u32 Window, bool Dense, u64 Step) {              \
    startFull<Size>(To, From, Next, Words, Rows, Own, Columns, Pitch, Window,  \
                    Dense, Step);                                              \
  }
START_FULL(4)
START_FULL(8)
START_FULL(16)

/// Starts the copies of \p Words words, from \p From on, that only the calling
/// thread reads.
#define START_OWN(Size)                                                        \
  FERRY_DEVICE void __ferry_stage_start_own##Size(SharedPtr To, u64 From,      \
                                                  u32 Words) {                 \
    startOwn<Size>(To, From, Words);                                           \
  }
START_OWN(4)
START_OWN(8)
START_OWN(16)
#endif
