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
  u32 Steps;  ///< in a row of the tile
  u32 Pitch;  ///< bytes from one row of the tile to the next
  u32 Window; ///< words read in one step
  bool Dense;
  u64 Step; ///< bytes from one step to the next
};

/// The rows of a warp that are Stride bytes apart and alike in Count, their
/// number of steps. Thread t's tile begins skew(t) steps before step Position
/// of its row: that which makes the rows Skew0, Skew0 + SkewStride, ... begin
/// with a sector. No skews when SkewStep is 0.
struct RegularRows {
  u32 Rows;
  u64 Row0, Stride, Count, Position;
  u64 Skew0, SkewStride, SkewStep;

  u32 skew(u32 Row) const { return skewOf(Skew0 + Row * SkewStride, SkewStep); }
  bool anySkew() const { return SkewStep && ((Skew0 | SkewStride) & 31); }
  /// Whether it is these rows that the skews make begin with a sector. Rows of
  /// another stream may have the first one in common with them.
  bool areSkewedThemselves() const {
    return Skew0 == Row0 && SkewStride == Stride;
  }
};

template <typename Word> INLINE void copy(SharedPtr To, u64 From) {
  typedef __attribute__((address_space(1))) const Word *Source;
  typedef __attribute__((address_space(3))) Word *Target;
  *(Target)To = *(Source)From;
}

template <typename Word>
INLINE void copyWord(u32 Row, u64 From, u32 Index, const Shape &S) {
  u64 Offset = Index * sizeof(Word);
  if (!S.Dense)
    Offset = Index / S.Window * S.Step + Index % S.Window * sizeof(Word);
  copy<Word>(S.Tile + Row * S.Pitch + Index * sizeof(Word), From + Offset);
}

/// Copies 16 bytes, of words of 4 or 8, to At + Next in a row, from From +
/// Next.
template <typename Word>
INLINE void copyWide(u32 Row, u64 From, u32 At, u32 Next, const Shape &S) {
  typedef Word Wide __attribute__((vector_size(16)));
  typedef Word Narrow __attribute__((vector_size(16), aligned(sizeof(Word))));
  typedef __attribute__((address_space(1))) const Wide *Source;
  typedef __attribute__((address_space(3))) Narrow *Target;
  *(Target)(S.Tile + Row * S.Pitch + At + Next) = *(Source)(From + Next);
}

/// All words of the rows are wanted, and all threads are there; with All set,
/// all rows, too.
template <typename Word, bool All>
INLINE void copyFull(const RegularRows &R, u32 Words, const Shape &S) {
  u64 First = R.Row0 + R.Position * S.Step;
  u32 RowBytes = Words * sizeof(Word);
  bool Sectors = S.Dense && R.SkewStep == sizeof(Word) &&
                 R.areSkewedThemselves() && S.Step == sizeof(Word) && All &&
                 (RowBytes == 32 || RowBytes == 64 || !(RowBytes % 128));
  if constexpr (sizeof(Word) == 4 || sizeof(Word) == 8)
    if (Sectors) {
      // Pieces of 128 bytes, the width of the banks, side by side.
      u32 Piece = RowBytes < 128 ? RowBytes : 128;
      u32 Threads = Piece / 16, Together = warpSize() / Threads;
      u32 Row = lane() / Threads, At = lane() % Threads * 16;
      u64 From = First + Row * R.Stride;
      for (u32 I = 0; I < Threads; ++I) {
        u64 Begin = (From & ~31ull) + At;
        for (u32 Next = 0; Next < RowBytes; Next += Piece)
          copyWide<Word>(Row + I * Together, Begin, At, Next, S);
        From += Together * R.Stride;
      }
      return;
    }
  if (Words <= warpSize() && warpSize() % Words == 0) {
    // A thread stays in its column. Rows that end with a sector are taken from
    // all parts of the tile at once, where odd pitches keep them in different
    // banks; others with their neighbours, with which they share sectors.
    u32 Together = warpSize() / Words, Column = lane() % Words;
    bool Apart = Words * sizeof(Word) % 32 == 0;
    u32 Row = lane() / Words * (Apart ? Words : 1), Next = Apart ? 1 : Together;
    u64 From = First + Row * R.Stride;
    for (u32 I = 0; I < Words; ++I) {
      if (All || Row < R.Rows)
        copyWord<Word>(Row, From - R.skew(Row) * S.Step, Column, S);
      Row += Next;
      From += Next * R.Stride;
    }
    return;
  }
  for (u32 I = 0; I < Words; ++I) {
    u32 At = lane() + I * warpSize(), Row = At / Words;
    if (All || Row < R.Rows)
      copyWord<Word>(Row, First + Row * R.Stride - R.skew(Row) * S.Step,
                     At % Words, S);
  }
}

/// Some of the words are wanted; one for each step, and few enough that a
/// thread can stay in its column.
template <typename Word>
INLINE void copyColumns(const RegularRows &R, u32 Words, const Shape &S) {
  u32 Together = warpSize() / Words;
  u32 Row = lane() / Words, Column = lane() % Words;
  u64 Step = R.Position + Column;
  u64 From = R.Row0 + Row * R.Stride + R.Position * S.Step;
  // Steps before the first one are very late ones.
  if (R.areSkewedThemselves() && R.SkewStep == sizeof(Word) && S.Dense) {
    u64 Here = Step * sizeof(Word), End = R.Count * sizeof(Word);
    SharedPtr To = S.Tile + Row * S.Pitch + Column * sizeof(Word);
    From = R.Row0 + Row * R.Stride;
    for (u32 I = 0; I < Words; ++I) {
      u64 Offset = Here - (From & 31);
      if (Row + I * Together < R.Rows && Offset < End)
        copy<Word>(To + I * Together * S.Pitch, From + Offset);
      From += Together * R.Stride;
    }
    return;
  }
  for (u32 I = 0; I < Words; ++I) {
    u32 Skew = R.skew(Row);
    if (Row < R.Rows && Step - Skew < R.Count)
      copyWord<Word>(Row, From - Skew * S.Step, Column, S);
    Row += Together;
    From += Together * R.Stride;
  }
}

template <typename Word>
INLINE void copyRegular(const RegularRows &R, u32 PerStep, const Shape &S) {
  u32 Words = S.Steps * PerStep + (S.Window - PerStep);
  if (threads() == warpSize() && (R.Position || !R.anySkew()) &&
      R.Position + S.Steps <= R.Count) {
    if (R.Rows == warpSize())
      copyFull<Word, true>(R, Words, S);
    else
      copyFull<Word, false>(R, Words, S);
    return;
  }
  if (R.Count > Words && PerStep == 1 && S.Window == 1 && Words <= warpSize() &&
      warpSize() % Words == 0 && threads() == warpSize()) {
    copyColumns<Word>(R, Words, S);
    return;
  }
  // Step k is wanted when 0 <= k < Count; words behind the last step's, too.
  // Rows of few steps are passed over quickly: no more words than there are.
  u64 Steps = R.Count + (R.anySkew() ? 31 : 0) - R.Position;
  u32 Longest = Steps < S.Steps ? (u32)Steps : S.Steps;
  u32 Used = Longest * PerStep + (S.Window - PerStep);
  u64 First = R.Row0 + R.Position * S.Step;
  u32 Row = lane() / Used, Column = lane() % Used;
  u32 Together = threads();
  while (Row < R.Rows) {
    u32 Skew = R.skew(Row), Begin = R.Position ? 0 : Skew;
    i64 End = R.Count + Skew - R.Position;
    if (End > 0 && Column >= Begin * PerStep &&
        Column < End * PerStep + (S.Window - PerStep))
      copyWord<Word>(Row, First + Row * R.Stride - Skew * S.Step, Column, S);
    for (Column += Together; Column >= Used; Column -= Used)
      ++Row;
  }
}

/// Each thread wants words [First, End) of its own row, whose word 0 is at
/// Mine.
template <typename Word>
INLINE void copyAny(u64 Mine, u32 First, u32 End, const Shape &S) {
  u64 Wanting = ballot(First < End);
  u32 Range = First << 16 | End;
  u32 Threads = threads();
  for (u64 Left = Wanting; Left; Left &= Left - 1) {
    u32 Row = firstOf(Left);
    u64 From = fromLane(Mine, Row);
    u32 Its = fromLane(Range, Row);
    for (u32 Column = (Its >> 16) + lane(); Column < (Its & 0xffff);
         Column += Threads)
      copyWord<Word>(Row, From, Column, S);
  }
}

template <unsigned Size>
INLINE void copyRows(SharedPtr Tile, bool Regular, u32 Rows, u64 Row0,
                     u64 Stride, u64 Count, u64 Skew0, u64 SkewStride,
                     u64 SkewStep, u64 Position, u64 Mine, u32 First, u32 End,
                     u32 Steps, u32 Pitch, u32 Window, bool Dense, u64 Step) {
  typedef typename WordOf<Size>::T Word;
  Shape S{Tile, Steps, Pitch, Window, Dense, Step};
  u32 PerStep = Dense ? (u32)Step / Size : Window;
  if (Regular) {
    copyRegular<Word>(RegularRows{Rows, Row0, Stride, Count, Position, Skew0,
                                  SkewStride, SkewStep},
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
  for (u32 Column = First + lane(); Column < End; Column += Threads)
    copy<Word>(Tile + Column * Size, From + (u64)Column * Size);
}

} // namespace

/// Copies what the threads want of their rows to the warp's \p Tile. \p Regular
/// is what __ferry_stage_regular() said; then \p Rows threads want the rows of
/// RegularRows, in a tile of Shape. Otherwise steps [\p First, \p End) of the
/// caller's tile are wanted, whose step 0 is at \p Mine, which need not be
/// readable.
#define COPY_ROWS(Size)                                                        \
  FERRY_DEVICE void __ferry_stage_rows##Size(                                  \
      SharedPtr Tile, bool Regular, u32 Rows, u64 Row0, u64 Stride, u64 Count, \
      u64 Skew0, u64 SkewStride, u64 SkewStep, u64 Position, u64 Mine,         \
      u32 First, u32 End, u32 Steps, u32 Pitch, u32 Window, bool Dense,        \
      u64 Step) {                                                              \
    copyRows<Size>(Tile, Regular, Rows, Row0, Stride, Count, Skew0,            \
                   SkewStride, SkewStep, Position, Mine, First, End, Steps,    \
                   Pitch, Window, Dense, Step);                                \
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
