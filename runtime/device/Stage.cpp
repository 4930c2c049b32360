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

#define FERRY_DEVICE extern "C" __attribute__((always_inline, nothrow))

typedef unsigned long long u64;
typedef long long i64;
typedef unsigned u32;

typedef __attribute__((address_space(3))) char *SharedPtr;

//===----------------------------------------------------------------------===//
// The target
//===----------------------------------------------------------------------===//

#define INLINE static inline __attribute__((always_inline))

#if defined(__NVPTX__)

INLINE constexpr u32 warpSize() { return 32; }
INLINE u32 threadInBlock() { return __nvvm_read_ptx_sreg_tid_x(); }
INLINE u32 threadsOfBlock() { return __nvvm_read_ptx_sreg_ntid_x(); }
INLINE u32 blockInGrid() { return __nvvm_read_ptx_sreg_ctaid_x(); }
INLINE u32 blocksOfGrid() { return __nvvm_read_ptx_sreg_nctaid_x(); }
INLINE u32 lane() { return threadInBlock() & 31; }

/// How many threads this warp has: the last one of a block may lack some.
INLINE u32 threads() {
  u32 Count = __nvvm_read_ptx_sreg_ntid_x() - (threadInBlock() & ~31u);
  return Count >= 32 ? 32 : Count;
}
INLINE u32 members() { return ~0u >> (32 - threads()); }

/// Waits for the block; what its threads wrote before, all of them see.
INLINE void barrier() { __syncthreads(); }
/// The same; whether \p B holds for all threads of the block.
INLINE bool allOfBlock(bool B) { return __nvvm_bar0_and(B); }
/// Waits for the warp; what its threads wrote before, all of them see.
INLINE void meet() { __nvvm_bar_warp_sync(members()); }
INLINE u64 ballot(bool B) { return __nvvm_vote_ballot_sync(members(), B); }
INLINE bool anyOf(bool B) { return __nvvm_vote_any_sync(members(), B); }
INLINE u32 fromLane(u32 Value, u32 Lane) {
  return __nvvm_shfl_sync_idx_i32(members(), Value, Lane, 31);
}

#elif defined(__AMDGCN__)

INLINE u32 warpSize() { return __builtin_amdgcn_wavefrontsize(); }
INLINE u32 threadInBlock() { return __builtin_amdgcn_workitem_id_x(); }
INLINE u32 threadsOfBlock() { return __builtin_amdgcn_workgroup_size_x(); }
INLINE u32 blockInGrid() { return __builtin_amdgcn_workgroup_id_x(); }
INLINE u32 blocksOfGrid() {
  return __builtin_amdgcn_grid_size_x() / threadsOfBlock();
}
INLINE u32 lane() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
INLINE u32 threads() {
  return __builtin_popcountll(__builtin_amdgcn_ballot_w64(true));
}
INLINE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__attribute__((address_space(3), loader_uninitialized)) static u32 All;
INLINE bool allOfBlock(bool B) {
  barrier();
  if (threadInBlock() == 0)
    All = 1;
  barrier();
  if (!B)
    All = 0;
  barrier();
  return All;
}
INLINE void meet() {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
}
INLINE u64 ballot(bool B) { return __builtin_amdgcn_ballot_w64(B); }
INLINE bool anyOf(bool B) { return ballot(B) != 0; }
INLINE u32 fromLane(u32 Value, u32 Lane) {
  return __builtin_amdgcn_ds_bpermute(Lane << 2, Value);
}

#else
#error "no staging on this target"
#endif

INLINE u64 fromLane(u64 Value, u32 Lane) {
  return (u64)fromLane((u32)(Value >> 32), Lane) << 32 |
         fromLane((u32)Value, Lane);
}
/// The first of \p Lanes; 0 if there is none.
INLINE u32 firstOf(u64 Lanes) { return Lanes ? __builtin_ctzll(Lanes) : 0; }

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

/// The number of the calling thread in its warp. Any thread may call it.
FERRY_DEVICE u32 __ferry_stage_lane() { return lane(); }

/// The number of the calling thread's warp in its block. Any thread may call
/// it.
FERRY_DEVICE u32 __ferry_stage_warp() { return threadInBlock() / warpSize(); }

/// How far the next thread's \p Row is from the caller's; 0 for the last
/// thread.
FERRY_DEVICE u64 __ferry_stage_distance(u64 Row) {
  bool Last = lane() + 1 == threads();
  return fromLane(Row, Last ? lane() : lane() + 1) - Row;
}

/// Whether rows lie so far apart that staging pays: most threads that want
/// theirs (\p Want) are \p MinStride bytes or more from the next one's.
/// \p Distance is what __ferry_stage_distance() said.
FERRY_DEVICE bool __ferry_stage_pays(bool Want, u64 Distance, u64 MinStride) {
  u64 Wanting = ballot(Want);
  u64 Apart = (i64)Distance < 0 ? -Distance : Distance;
  bool Far = Want && (Wanting >> lane() >> 1 & 1) && Apart >= MinStride;
  u32 Count = __builtin_popcountll(ballot(Far));
  return Count >= 4 && 2 * Count + 2 >= (u32)__builtin_popcountll(Wanting);
}

/// Whether all threads that want a row want this one.
FERRY_DEVICE bool __ferry_stage_same(bool Want, u64 Row) {
  u64 First = fromLane(Row, firstOf(ballot(Want)));
  return !anyOf(Want && Row != First);
}

/// Whether the rows that are wanted are those of the first threads, \p Stride
/// apart from \p Row0 on and of \p Count0 steps.
FERRY_DEVICE bool __ferry_stage_regular(bool Want, u64 Row, u64 Count, u64 Row0,
                                        u64 Stride, u64 Count0) {
  u64 Wanting = ballot(Want);
  bool Regular = Row == Row0 + lane() * Stride && Count == Count0;
  bool Broken = anyOf(Want && !Regular);
  return !(Wanting & (Wanting + 1)) && !Broken;
}

/// \p Value of the warp's first thread.
FERRY_DEVICE u64 __ferry_stage_first(u64 Value) { return fromLane(Value, 0); }

/// The threads for which \p B holds, a bit for each.
FERRY_DEVICE u64 __ferry_stage_ballot(bool B) { return ballot(B); }

/// The number of threads for which \p B holds.
FERRY_DEVICE u32 __ferry_stage_count(bool B) {
  return __builtin_popcountll(ballot(B));
}

/// The largest \p Value of the warp.
FERRY_DEVICE u64 __ferry_stage_max(u64 Value) {
  u32 Threads = threads();
  for (u32 Distance = 1; Distance < warpSize(); Distance *= 2) {
    u64 Other = fromLane(Value, lane() + Distance);
    if (lane() + Distance < Threads && Other > Value)
      Value = Other;
  }
  return fromLane(Value, 0);
}

/// \p Value of the first thread with \p Want, 0 if there is none.
FERRY_DEVICE u64 __ferry_stage_wanted(bool Want, u64 Value) {
  u64 Wanting = ballot(Want);
  u64 Found = fromLane(Value, firstOf(Wanting));
  return Wanting ? Found : 0;
}

INLINE u32 skewOf(u64 Row, u64 Step) {
  bool Fits = Step && Step <= 32 && !(Step & (Step - 1));
  return Fits ? (u32)(Row & 31) / (u32)Step : 0;
}

/// How many steps of \p Step bytes before \p Row the sector of 32 bytes begins
/// that it lies in, when a whole number of steps fits into a sector; else 0.
/// Any thread may call it.
FERRY_DEVICE u32 __ferry_stage_skew(u64 Row, u64 Step) {
  return skewOf(Row, Step);
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

/// A tile, and where its words are in memory: word w of a row at
/// w / Window * Step + w % Window * sizeof(word) when Dense is false, else at
/// w * sizeof(word).
struct Shape {
  SharedPtr Tile;
  u32 Steps;  ///< in a row of the tile, at most
  u32 Length; ///< of these, now: Steps, or half of them
  u32 Pitch;  ///< bytes from one row of the tile to the next
  u32 Window; ///< words read in one step
  bool Dense;
  u64 Step; ///< bytes from one step to the next
};

/// The rows of a warp that are Stride bytes apart and alike in Count, their
/// number of steps. Thread t's tile begins skew(t) steps before step Position
/// of its row: that which makes the rows Skew0, Skew0 + SkewStride, ... begin
/// with a sector. No skews when SkewStep is 0. The threads NoFirst, NoLast do
/// not read their first, their last step; Count is more than 2 if there are
/// any.
struct RegularRows {
  u32 Rows;
  u64 Row0, Stride, Count, Position;
  u64 Skew0, SkewStride, SkewStep;
  u64 NoFirst, NoLast;

  u32 skew(u32 Row) const { return skewOf(Skew0 + Row * SkewStride, SkewStep); }
  bool anySkew() const { return SkewStep && ((Skew0 | SkewStride) & 31); }
  /// Whether the skews make these rows begin with sectors, though they may be
  /// another stream's.
  bool beginWithSectors() const {
    return !(((Skew0 ^ Row0) | (SkewStride ^ Stride)) & 31);
  }
  /// The first step that is read of a row, and the one behind the last.
  u64 firstStep(u32 Row) const { return NoFirst >> Row & 1; }
  u64 endStep(u32 Row) const { return Count - (NoLast >> Row & 1); }
  /// Where they are in the row at \p Its, of \p Size bytes for a step.
  u64 begin(u64 Its, u32 Row, u64 Size) const {
    return Its + firstStep(Row) * Size;
  }
  u64 end(u64 Its, u32 Row, u64 Size) const {
    return Its + endStep(Row) * Size;
  }
  /// The 16 bytes in the row that are nearest to those at \p At.
  u64 wideIn(u64 Its, u32 Row, u64 At, u64 Size) const {
    u64 Low = (begin(Its, Row, Size) + 15) & ~15ull;
    u64 High = (end(Its, Row, Size) & ~15ull) - 16;
    return At < Low ? Low : At > High ? High : At;
  }
};

template <typename Word> INLINE Word load(u64 From) {
  typedef __attribute__((address_space(1))) const Word *Source;
  return *(Source)From;
}
/// Stores with the alignment of an \p Aligned.
template <typename Aligned, typename Word>
INLINE void store(SharedPtr To, Word Value) {
  typedef Word T __attribute__((aligned(alignof(Aligned))));
  typedef __attribute__((address_space(3))) T *Target;
  *(Target)To = Value;
}
template <typename Word> INLINE void copy(SharedPtr To, u64 From) {
  store<Word>(To, load<Word>(From));
}

/// Words that a thread has under way: one wait for memory serves them all.
constexpr u32 Batch = 8;

/// Copies \p Number words in their order: each from where \p From() says to
/// where \p To() says.
template <typename Word, typename Aligned = Word, u32 Most = Batch,
          typename FromFn, typename ToFn>
INLINE void copyBatches(u32 Number, FromFn &From, ToFn &To) {
  for (; Number >= Most; Number -= Most) {
    Word Values[Most];
#pragma unroll
    for (u32 I = 0; I < Most; ++I)
      Values[I] = load<Word>(From());
#pragma unroll
    for (u32 I = 0; I < Most; ++I)
      store<Aligned>(To(), Values[I]);
  }
  if constexpr (Most > 1)
    copyBatches<Word, Aligned, Most / 2>(Number, From, To);
}

/// Places in a tile, from one to the next as many bytes further.
struct PlacesInTile {
  SharedPtr Next;
  u32 Bytes;
  __attribute__((always_inline)) SharedPtr operator()() {
    SharedPtr Here = Next;
    Next += Bytes;
    return Here;
  }
};

/// Where word \p Index of a tile's row is, whose first word is at \p From.
template <typename Word>
INLINE u64 placeOf(u64 From, u32 Index, const Shape &S) {
  u64 Offset = Index * sizeof(Word);
  if (!S.Dense)
    Offset = Index / S.Window * S.Step + Index % S.Window * sizeof(Word);
  return From + Offset;
}

template <typename Word>
INLINE SharedPtr inTile(u32 Row, u32 Index, const Shape &S) {
  return S.Tile + Row * S.Pitch + Index * sizeof(Word);
}

/// Where the word is that thread \p Row's tile has at \p Column. If the row
/// has none there, its nearest one: that may be copied, and nobody uses it.
template <typename Word>
INLINE u64 nearestOf(const RegularRows &R, u32 Row, u32 Column,
                     const Shape &S) {
  u64 Begin = R.Row0 + Row * R.Stride;
  i64 Skew = R.skew(Row);
  i64 First = R.firstStep(Row), End = R.endStep(Row);
  auto Clamp = [](i64 Low, i64 At, i64 High) {
    return At < Low ? Low : At < High ? At : High - 1;
  };
  if (S.Dense) {
    i64 PerStep = S.Step / sizeof(Word);
    i64 At = ((i64)R.Position - Skew) * PerStep + Column;
    return Begin +
           Clamp(First * PerStep, At, End * PerStep + (S.Window - PerStep)) *
               sizeof(Word);
  }
  i64 At = (i64)R.Position - Skew + Column / S.Window;
  return Begin + Clamp(First, At, End) * S.Step +
         Column % S.Window * sizeof(Word);
}

/// The tile's rows begin with sectors and have \p RowBytes; of the program's
/// rows, all words in them are wanted. \p All: all threads want a row.
/// \p Inside: all of the tile is in the rows.
template <typename Word, bool All, bool Inside>
INLINE void copySectors(const RegularRows &R, u32 RowBytes, const Shape &S) {
  typedef Word Wide __attribute__((vector_size(16)));
  // Pieces of 128 bytes, the width of the banks, side by side.
  u32 Piece = RowBytes < 128 ? RowBytes : 128;
  u32 Threads = Piece / 16, Together = warpSize() / Threads;
  u32 First = lane() / Threads, At = lane() % Threads * 16;
  u64 Next = Together * R.Stride, Ahead = R.Position * sizeof(Word);
  u64 Last = R.Row0 + (R.Rows - 1) * R.Stride;
  for (u32 Done = 0; Done < RowBytes; Done += Piece) {
    u32 Row = First;
    u64 Begin = R.Row0 + Row * R.Stride;
    auto From = [&] {
      bool Exists = All || Row < R.Rows;
      u64 Its = Exists ? Begin : Last;
      u64 Source = ((Its + Ahead) & ~31ull) + At + Done;
      if constexpr (!Inside)
        Source = R.wideIn(Its, Exists ? Row : R.Rows - 1, Source, sizeof(Word));
      Row += Together;
      Begin += Next;
      return Source;
    };
    PlacesInTile To{S.Tile + First * S.Pitch + At + Done, Together * S.Pitch};
    copyBatches<Wide, Word>(Threads, From, To);
  }
}

/// A part of what copySectors() leaves: the words of each row from \p Begin to
/// \p End, fewer than 16 bytes. A thread copies those of its own row, to a tile
/// of \p Words in a row. \p Any may be read instead.
template <typename Word>
INLINE void copyEnd(const RegularRows &R, u64 Begin, u64 End, u64 Any,
                    u32 Words, const Shape &S) {
  constexpr u32 Most = 16 / sizeof(Word) - 1;
  u64 TileBegin =
      (R.Row0 + lane() * R.Stride + R.Position * sizeof(Word)) & ~31ull;
  bool Wants = lane() < R.Rows;
  Word Values[Most];
#pragma unroll
  for (u32 I = 0; I < Most; ++I) {
    u64 At = Begin + I * sizeof(Word);
    Values[I] = load<Word>(Wants && At < End ? At : Any);
  }
#pragma unroll
  for (u32 I = 0; I < Most; ++I) {
    u64 At = Begin + I * sizeof(Word);
    u64 Column = (At - TileBegin) / sizeof(Word);
    if (Wants && At < End && Column < Words)
      store<Word>(inTile<Word>(lane(), Column, S), Values[I]);
  }
}

/// The words of each row before its first and behind its last piece of 16
/// bytes, where the tile has some.
template <typename Word>
INLINE void copyEnds(const RegularRows &R, u32 Words, const Shape &S) {
  u64 Its = R.Row0 + lane() * R.Stride;
  u64 Begin = R.begin(Its, lane(), sizeof(Word));
  u64 End = R.end(Its, lane(), sizeof(Word));
  u64 Any = R.Row0 + sizeof(Word); // of three steps at least
  // Others may have written something there.
  meet();
  if (!R.Position)
    copyEnd<Word>(R, Begin, (Begin + 15) & ~15ull, Any, Words, S);
  if (R.Position + S.Steps + 16 / sizeof(Word) >= R.Count)
    copyEnd<Word>(R, End & ~15ull, End, Any, Words, S);
}

/// All words of the rows are wanted, and all threads want a row. A row of the
/// tile has \p Words, a part of the warp's threads.
template <typename Word>
INLINE void copyParts(const RegularRows &R, u32 Words, const Shape &S) {
  // A thread stays in its column. Rows that end with a sector are taken from
  // all parts of the tile at once, where odd pitches keep them in different
  // banks; others with their neighbours, with which they share sectors.
  u32 Together = warpSize() / Words, Column = lane() % Words;
  bool Apart = Words * sizeof(Word) % 32 == 0;
  u32 Row = lane() / Words * (Apart ? Words : 1), Next = Apart ? 1 : Together;
  u64 Source = R.Row0 + R.Position * S.Step + Row * R.Stride;
  PlacesInTile To{inTile<Word>(Row, Column, S), Next * S.Pitch};
  auto From = [&] {
    u64 Here = placeOf<Word>(Source - R.skew(Row) * S.Step, Column, S);
    Row += Next;
    Source += Next * R.Stride;
    return Here;
  };
  copyBatches<Word>(Words, From, To);
}

/// Rows of \p Words words as they come. \p Used: those that some row has.
template <typename Word>
INLINE void copyNearest(const RegularRows &R, u32 Words, u32 Used,
                        const Shape &S) {
  if (Words >= Batch && Words <= warpSize() && warpSize() % Words == 0) {
    // A thread stays in its column.
    u32 Width = Batch;
    while (Width < Used)
      Width *= 2;
    u32 Together = warpSize() / Width, Column = lane() & (Width - 1);
    u32 Row = lane() / Width, Number = (R.Rows + Together - 1) / Together;
    PlacesInTile To{inTile<Word>(Row, Column, S), Together * S.Pitch};
    auto From = [&] {
      u32 Here = Row < R.Rows ? Row : R.Rows - 1;
      Row += Together;
      return nearestOf<Word>(R, Here, Column, S);
    };
    // There are Width times as many rows in the tile.
    copyBatches<Word>((Number + Batch - 1) / Batch * Batch, From, To);
    return;
  }
  u32 Source = lane(), Target = lane();
  auto From = [&] {
    u32 Row = Source / Words, Column = Source % Words;
    Source += warpSize();
    return nearestOf<Word>(R, Row < R.Rows ? Row : R.Rows - 1, Column, S);
  };
  auto To = [&] {
    u32 Row = Target / Words, Column = Target % Words;
    Target += warpSize();
    return inTile<Word>(Row, Column, S);
  };
  copyBatches<Word>((R.Rows * Words + warpSize() - 1) / warpSize(), From, To);
}

/// The same for a warp that lacks threads.
template <typename Word>
INLINE void copySlowly(const RegularRows &R, u32 Words, const Shape &S) {
  for (u32 At = lane(); At < R.Rows * Words; At += threads()) {
    u32 Row = At / Words, Column = At % Words;
    copy<Word>(inTile<Word>(Row, Column, S),
               nearestOf<Word>(R, Row, Column, S));
  }
}

template <typename Word>
INLINE void copyRegular(const RegularRows &R, u32 PerStep, const Shape &S) {
  if (!R.Rows || !R.Count)
    return;
  u32 Words = S.Steps * PerStep + (S.Window - PerStep);
  if (threads() != warpSize()) {
    copySlowly<Word>(R, Words, S);
    return;
  }
  bool Inside = (R.Position || !(R.anySkew() || R.NoFirst)) &&
                R.Position + S.Length + (R.NoLast != 0) <= R.Count;
  // Rows of few steps are passed over quickly.
  u64 Steps = R.Count + (R.anySkew() ? 31 : 0) - R.Position;
  u32 Longest = Steps < S.Length ? (u32)Steps : S.Length;
  bool Whole = S.Length == S.Steps, All = R.Rows == warpSize();
  u32 RowBytes = Words * sizeof(Word);
  if constexpr (sizeof(Word) == 4 || sizeof(Word) == 8)
    if (S.Dense && R.SkewStep == sizeof(Word) && R.beginWithSectors() &&
        S.Step == sizeof(Word) && R.Count >= 64 / sizeof(Word) &&
        (RowBytes == 64 || RowBytes == 128 || !(RowBytes % 256))) {
      if (!Inside) {
        u32 Used = (Longest * sizeof(Word) + 127) & ~127u;
        copySectors<Word, false, false>(R, Used < RowBytes ? Used : RowBytes,
                                        S);
        copyEnds<Word>(R, Words, S);
      } else if (!Whole) {
        copySectors<Word, false, true>(R, RowBytes / 2, S);
      } else if (All) {
        copySectors<Word, true, true>(R, RowBytes, S);
      } else {
        copySectors<Word, false, true>(R, RowBytes, S);
      }
      return;
    }
  if (Inside && Whole && All && Words <= warpSize() &&
      warpSize() % Words == 0) {
    copyParts<Word>(R, Words, S);
    return;
  }
  copyNearest<Word>(R, Words, Longest * PerStep + (S.Window - PerStep), S);
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
        Values[I] = load<Word>(
            placeOf<Word>(From[I], Column < Ends[I] ? Column : Ends[I] - 1, S));
      }
#pragma unroll
      for (u32 I = 0; I < Rows; ++I)
        if (Begin[I] + At < Ends[I])
          store<Word>(inTile<Word>(Row[I], Begin[I] + At, S), Values[I]);
    }
  }
}

template <unsigned Size>
INLINE void copyRows(SharedPtr Tile, bool Regular, u32 Rows, u64 Row0,
                     u64 Stride, u64 Count, u64 Skew0, u64 SkewStride,
                     u64 SkewStep, u64 NoFirst, u64 NoLast, u64 Position,
                     u64 Mine, u32 First, u32 End, u32 Steps, u32 Length,
                     u32 Pitch, u32 Window, bool Dense, u64 Step) {
  typedef typename WordOf<Size>::T Word;
  Shape S{Tile, Steps, Length, Pitch, Window, Dense, Step};
  u32 PerStep = Dense ? (u32)Step / Size : Window;
  if (Regular) {
    copyRegular<Word>(RegularRows{Rows, Row0, Stride, Count, Position, Skew0,
                                  SkewStride, SkewStep, NoFirst, NoLast},
                      PerStep, S);
    return;
  }
  u32 Last = First < End ? End * PerStep + (Window - PerStep) : 0;
  copyAny<Word>(Mine, First * PerStep, Last, S);
}

template <unsigned Size>
INLINE void copyOne(SharedPtr Tile, bool Want, u64 Row, u32 First, u32 End) {
  typedef typename WordOf<Size>::T Word;
  u64 From = fromLane(Row, firstOf(ballot(Want)));
  u32 Threads = threads();
  auto Copy = [&](u32 Column) { return load<Word>(From + (u64)Column * Size); };
  // Two under way.
  for (u32 Column = First + lane(); Column < End; Column += 2 * Threads) {
    u32 Second = Column + Threads;
    Word One = Copy(Column), Other = Copy(Second < End ? Second : Column);
    store<Word>(Tile + Column * Size, One);
    if (Second < End)
      store<Word>(Tile + Second * Size, Other);
  }
}

} // namespace

/// Copies what the threads want of their rows to the warp's \p Tile. \p Regular
/// is what __ferry_stage_regular() said; then \p Rows threads want the rows of
/// RegularRows, in a tile of Shape; the tile's other words may hold anything
/// afterwards. Otherwise steps [\p First, \p End) of the caller's tile are
/// wanted, whose step 0 is at \p Mine, which need not be readable.
#define COPY_ROWS(Size)                                                        \
  FERRY_DEVICE void __ferry_stage_rows##Size(                                  \
      SharedPtr Tile, bool Regular, u32 Rows, u64 Row0, u64 Stride, u64 Count, \
      u64 Skew0, u64 SkewStride, u64 SkewStep, u64 NoFirst, u64 NoLast,        \
      u64 Position, u64 Mine, u32 First, u32 End, u32 Steps, u32 Length,       \
      u32 Pitch, u32 Window, bool Dense, u64 Step) {                           \
    copyRows<Size>(Tile, Regular, Rows, Row0, Stride, Count, Skew0,            \
                   SkewStride, SkewStep, NoFirst, NoLast, Position, Mine,      \
                   First, End, Steps, Length, Pitch, Window, Dense, Step);     \
  }
COPY_ROWS(1)
COPY_ROWS(2)
COPY_ROWS(4)
COPY_ROWS(8)
COPY_ROWS(16)

/// Copies words [\p First, \p End), the same in all threads, of the one row
/// that all threads with \p Want have in common, without gaps.
#define COPY_ONE(Size)                                                         \
  FERRY_DEVICE void __ferry_stage_one##Size(SharedPtr Tile, bool Want,         \
                                            u64 Row, u32 First, u32 End) {     \
    copyOne<Size>(Tile, Want, Row, First, End);                                \
  }
COPY_ONE(1)
COPY_ONE(2)
COPY_ONE(4)
COPY_ONE(8)
COPY_ONE(16)
