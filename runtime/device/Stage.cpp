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

typedef __attribute__((address_space(1))) const char *GlobalPtr;
typedef __attribute__((address_space(3))) char *SharedPtr;

//===----------------------------------------------------------------------===//
// The target
//===----------------------------------------------------------------------===//

#define INLINE static inline __attribute__((always_inline))

#if defined(__NVPTX__)

INLINE constexpr u32 warpSize() { return 32; }
INLINE u32 threadInBlock() { return __nvvm_read_ptx_sreg_tid_x(); }
INLINE u32 lane() { return threadInBlock() & 31; }

/// The threads that this warp has: the last one of a block may lack some.
INLINE u32 members() {
  u32 First = threadInBlock() & ~31u;
  u32 Count = __nvvm_read_ptx_sreg_ntid_x() - First;
  return Count >= 32 ? ~0u : (1u << Count) - 1;
}

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
INLINE u32 lane() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
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
INLINE u32 firstOf(u64 Lanes) { return __builtin_ctzll(Lanes); }

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

/// The number of the calling thread in its block. Any thread may call it.
FERRY_DEVICE u32 __ferry_stage_thread() { return threadInBlock(); }

/// The number of the calling thread's warp in its block. Any thread may call
/// it.
FERRY_DEVICE u32 __ferry_stage_warp() { return threadInBlock() / warpSize(); }

/// Whether rows of \p Count iterations from \p Row on lie so far apart that
/// staging pays: most threads that want theirs (\p Want) are MinStride bytes or
/// more away from their neighbour.
FERRY_DEVICE bool __ferry_stage_pays(bool Want, u64 Row, u64 MinStride) {
  u64 Wanting = ballot(Want);
  u64 Next = fromLane(Row, lane() + 1 == warpSize() ? lane() : lane() + 1);
  i64 Distance = (i64)(Next - Row);
  bool Far = Want && lane() + 1 < warpSize() && (Wanting >> lane() >> 1 & 1) &&
             (u64)(Distance < 0 ? -Distance : Distance) >= MinStride;
  u32 Count = __builtin_popcountll(ballot(Far));
  return Count >= 4 && 2 * Count + 2 >= (u32)__builtin_popcountll(Wanting);
}

/// Whether all threads that want a row want this one.
FERRY_DEVICE bool __ferry_stage_same(bool Want, u64 Row) {
  u64 Wanting = ballot(Want);
  u64 First = fromLane(Row, Wanting ? firstOf(Wanting) : 0);
  return !anyOf(Want && Row != First);
}

/// Whether the rows that are wanted are those of the first threads, equally far
/// apart and alike in \p Count and \p Skew.
FERRY_DEVICE bool __ferry_stage_regular(bool Want, u64 Row, u64 Count,
                                        u32 Skew) {
  u64 Wanting = ballot(Want);
  u64 Row0 = fromLane(Row, 0), Stride = fromLane(Row, 1) - Row0;
  u64 Count0 = fromLane(Count, 0);
  u32 Skew0 = fromLane(Skew, 0);
  if (!(Wanting & 2))
    Stride = 0;
  bool Regular =
      Row == Row0 + lane() * Stride && Count == Count0 && Skew == Skew0;
  bool Broken = anyOf(Want && !Regular);
  return !(Wanting & (Wanting + 1)) && !Broken;
}

/// The largest \p Value of the warp.
FERRY_DEVICE u64 __ferry_stage_max(u64 Value) {
  for (u32 Distance = 1; Distance < warpSize(); Distance *= 2) {
    u64 Other = fromLane(Value, lane() ^ Distance);
    // A thread that is not there gives what is not defined.
#if defined(__NVPTX__)
    if (!(members() >> (lane() ^ Distance) & 1))
      Other = Value;
#endif
    Value = Other > Value ? Other : Value;
  }
  return Value;
}

/// How many steps of \p Step bytes before \p Row the sector of 32 bytes begins
/// that it lies in, when a whole number of steps fits into a sector; else 0.
/// Any thread may call it.
FERRY_DEVICE u32 __ferry_stage_skew(u64 Row, u64 Step) {
  bool Fits = Step && Step <= 32 && !(Step & (Step - 1));
  return Fits ? (u32)(Row & 31) / (u32)Step : 0;
}

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

/// A row of a tile: words [First, End) of it are wanted. Word w of the row is
/// in memory at w / Window * Step + w % Window * sizeof(word); when Dense, at
/// w * sizeof(word).
struct Shape {
  u32 Words;  ///< in a row of the tile
  u32 Pitch;  ///< bytes from one row of the tile to the next
  u32 Window; ///< words of one step
  bool Dense;
  u64 Step; ///< bytes from one iteration to the next
};

template <typename Word>
INLINE void copyWord(SharedPtr Tile, GlobalPtr Row, u32 Index, const Shape &S) {
  typedef __attribute__((address_space(1))) const Word *From;
  typedef __attribute__((address_space(3))) Word *To;
  u64 Offset =
      S.Dense ? (u64)Index * sizeof(Word)
              : Index / S.Window * S.Step + Index % S.Window * sizeof(Word);
  *(To)(Tile + Index * sizeof(Word)) = *(From)(Row + Offset);
}

/// The rows are Row0, Row0 + Stride, ..., Count of them, all with the same
/// words wanted.
template <typename Word>
INLINE void copyRegular(SharedPtr Tile, u64 Row0, u64 Stride, u32 Count,
                        u32 First, u32 End, const Shape &S) {
  if (S.Words <= warpSize() && warpSize() % S.Words == 0) {
    // A thread stays in its column.
    u32 Column = lane() % S.Words, Rows = warpSize() / S.Words;
    if (Column < First || Column >= End)
      return;
    u32 Row = lane() / S.Words;
    SharedPtr To = Tile + Row * S.Pitch;
    u64 From = Row0 + Row * Stride;
    for (; Row < Count; Row += Rows) {
      copyWord<Word>(To, (GlobalPtr)From, Column, S);
      To += Rows * S.Pitch;
      From += Rows * Stride;
    }
    return;
  }
  u32 Total = Count * S.Words;
  for (u32 At = lane(); At < Total; At += warpSize()) {
    u32 Row = At / S.Words, Column = At % S.Words;
    if (Column >= First && Column < End)
      copyWord<Word>(Tile + Row * S.Pitch, (GlobalPtr)(Row0 + Row * Stride),
                     Column, S);
  }
}

/// Each thread wants words [First, End) of its own row.
template <typename Word>
INLINE void copyAny(SharedPtr Tile, u64 Mine, u32 First, u32 End,
                    const Shape &S) {
  u64 Wanting = ballot(First < End);
  u32 Range = First << 16 | End;
  // The threads go through the words of all rows, in the same number of steps.
  u32 Threads = __builtin_popcountll(ballot(true));
  for (u64 Left = Wanting; Left; Left &= Left - 1) {
    u32 Row = firstOf(Left);
    GlobalPtr From = (GlobalPtr)fromLane(Mine, Row);
    u32 Its = fromLane(Range, Row);
    for (u32 Column = (Its >> 16) + lane(); Column < (Its & 0xffff);
         Column += Threads)
      copyWord<Word>(Tile + Row * S.Pitch, From, Column, S);
  }
}

template <unsigned Size>
INLINE void copyRows(SharedPtr Tile, bool Regular, u64 Mine, u32 First, u32 End,
                     u32 Words, u32 Pitch, u32 Window, bool Dense, u64 Step) {
  typedef typename WordOf<Size>::T Word;
  Shape S{Words, Pitch, Window, Dense, Step};
  if (Regular) {
    u64 Wanting = ballot(First < End);
    u64 Row0 = fromLane(Mine, 0), Stride = fromLane(Mine, 1) - Row0;
    copyRegular<Word>(Tile, Row0, Stride, __builtin_popcountll(Wanting),
                      fromLane(First, 0), fromLane(End, 0), S);
    return;
  }
  copyAny<Word>(Tile, Mine, First, End, S);
}

template <unsigned Size>
INLINE void copyOne(SharedPtr Tile, bool Want, u64 Row, u32 First, u32 End,
                    u64 Step) {
  typedef typename WordOf<Size>::T Word;
  Shape S{0, 0, 1, Step == Size, Step};
  u64 Wanting = ballot(Want);
  GlobalPtr From = (GlobalPtr)fromLane(Row, Wanting ? firstOf(Wanting) : 0);
  u32 Threads = __builtin_popcountll(ballot(true));
  for (u32 Column = First + lane(); Column < End; Column += Threads)
    copyWord<Word>(Tile, From, Column, S);
}

} // namespace

/// Copies words [\p First, \p End) of each thread's row to its row of \p Tile,
/// the warp's. \p Mine is the address of word 0 of the caller's row, which need
/// not be readable when First is not 0. \p Regular is what
/// __ferry_stage_regular() said.
#define COPY_ROWS(Size)                                                        \
  FERRY_DEVICE void __ferry_stage_rows##Size(                                  \
      SharedPtr Tile, bool Regular, u64 Mine, u32 First, u32 End, u32 Words,   \
      u32 Pitch, u32 Window, bool Dense, u64 Step) {                           \
    copyRows<Size>(Tile, Regular, Mine, First, End, Words, Pitch, Window,      \
                   Dense, Step);                                               \
  }
COPY_ROWS(1)
COPY_ROWS(2)
COPY_ROWS(4)
COPY_ROWS(8)
COPY_ROWS(16)

/// Copies words [\p First, \p End), the same in all threads, of the one row
/// that all threads with \p Want have in common.
#define COPY_ONE(Size)                                                         \
  FERRY_DEVICE void __ferry_stage_one##Size(                                   \
      SharedPtr Tile, bool Want, u64 Row, u32 First, u32 End, u64 Step) {      \
    copyOne<Size>(Tile, Want, Row, First, End, Step);                          \
  }
COPY_ONE(1)
COPY_ONE(2)
COPY_ONE(4)
COPY_ONE(8)
COPY_ONE(16)
