// The functions of runtime/device/Stage.cpp, called by whole warps and by warps
// that lack threads, against what each of them is to say and to copy.
// The blocks have 50 threads, or one.
//
// RUN: %sim_cxx -O2 %s -o %t
// RUN: %ferry_sim --strict --quiet -- %t | FileCheck %s
// CHECK: {{^}}0 of {{[1-9][0-9]*}} answers wrong
// CHECK: {{^}}0 of {{[1-9][0-9]*}} words wrong
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#pragma omp begin declare target
#ifdef __NVPTX__
#include "../../runtime/device/Stage.cpp"

// A tile for each of two warps.
constexpr int TileBytes = 16384;
[[clang::loader_uninitialized]] __attribute__((address_space(3))) char
    Tiles[2 * TileBytes];
#endif

struct Result {
  long Checked, Wrong;
};

struct Checker {
  Result R = {0, 0};
  template <class T, class U>
  void expect(T Is, U Should) {
    ++R.Checked;
    R.Wrong += Is != static_cast<T>(Should);
  }
};

#ifdef __NVPTX__
static void checkAnswers(Checker &C, int Threads) {
  unsigned Lane = __ferry_stage_lane(), Warp = __ferry_stage_warp();
  unsigned InWarp = Threads - 32 * Warp < 32 ? Threads - 32 * Warp : 32;
  unsigned Last = InWarp - 1;
  C.expect(Warp * 32 + Lane, __ferry_stage_thread());
  C.expect(__ferry_stage_threads(), Threads);
  C.expect(__ferry_stage_block(), 0);
  C.expect(__ferry_stage_blocks(), 1);

  unsigned Thread = __ferry_stage_thread();
  C.expect(__ferry_stage_all(true), true);
  C.expect(__ferry_stage_all(Thread + 1 != unsigned(Threads)), false);
  C.expect(__ferry_stage_all(Thread == 0), Threads == 1);

  C.expect(__ferry_stage_any(false), false);
  C.expect(__ferry_stage_any(Lane == Last), true);
  u64 All = ~u64(0) >> (64 - InWarp), NotFirst = All & ~u64(1);
  C.expect(__ferry_stage_ballot(true), All);
  C.expect(__ferry_stage_ballot(Lane != 0), NotFirst);
  C.expect(__ferry_stage_count(All), InWarp);
  C.expect(__ferry_stage_count(0), 0);
  C.expect(__ferry_stage_first_lane(NotFirst), Last ? 1 : 0);
  C.expect(__ferry_stage_first_lane(0), 0);
  u64 Value = 7 * u64(Lane) << 32 | (100 - Lane);
  C.expect(__ferry_stage_from8(Value, Last), 7 * u64(Last) << 32 | (100 - Last));
  C.expect(__ferry_stage_from4(100 - Lane, Last), 100 - Last);
  C.expect(__ferry_stage_max(Lane << 25), Last << 25);
  C.expect(__ferry_stage_max(100 - Lane), 100);

  auto Same = [](bool Want, u64 Row) {
    u64 Lanes = __ferry_stage_ballot(Want);
    return __ferry_stage_same(__ferry_stage_first_lane(Lanes), Want, Row);
  };
  C.expect(Same(true, 5), true);
  C.expect(Same(false, Lane), true);
  C.expect(Same(true, u64(Lane == Last) << 40), Last == 0);
  C.expect(Same(Lane != Last, Lane == Last), true);

  auto Regular = [&](bool Want, u64 Row, u32 Steps) {
    u64 Lanes = __ferry_stage_ballot(Want);
    u32 First = __ferry_stage_first_lane(Lanes);
    return __ferry_stage_regular(Lanes, First, Want, Row, Steps,
                                 1000 + 24 * First, 24, 9);
  };
  u64 Row = 1000 + 24 * Lane;
  C.expect(Regular(true, Row, 9), true);
  C.expect(Regular(Lane < 3, Lane < 3 ? Row : 0, Lane < 3 ? 9 : 0), true);
  C.expect(Regular(Lane != 0, Row, 9), true);
  C.expect(Regular(Lane != 0, Row + (Lane == Last), 9), InWarp == 1);
  C.expect(Regular(Lane == Last, Row, 9), true);
  C.expect(Regular(Lane != 1, Row, 9), InWarp <= 2);
  C.expect(Regular(true, Row + (Lane == Last), 9), false);
  C.expect(Regular(true, Row, Lane == Last ? 8 : 9), false);
}

/// A thread's steps from First to Count.
struct Row {
  u64 At;
  u32 Count, First = 0;
};

/// Waits for the copies that the thread has started.
static void waitForCopies() {
  __nvvm_cp_async_commit_group();
  __nvvm_cp_async_wait_group(0);
}

template <class Word>
struct Copies {
  Checker &C;
  SharedPtr Tile;
  u32 Steps, Window, StepWords; ///< words read in a step, and from step to step
  u32 Pitch;
  bool Halved = false; ///< the tile is half as long as the largest

  bool dense() const { return Window >= StepWords; }
  u32 perStep() const { return dense() ? StepWords : Window; }
  u32 words() const { return Steps * perStep() + Window - perStep(); }
  static const Word *source(u64 Address) {
    return reinterpret_cast<const Word *>(Address);
  }

  void clear() {
    for (u32 I = __ferry_stage_lane(); I < TileBytes; I += threads())
      Tile[I] = 0x55;
    __ferry_stage_meet();
  }
  bool isClear(u32 Index) {
    for (u32 I = 0; I < sizeof(Word); ++I)
      if (Tile[__ferry_stage_lane() * Pitch + Index * sizeof(Word) + I] != 0x55)
        return false;
    return true;
  }
  bool holds(u32 Index, const Word *From) {
    const char *Bytes = reinterpret_cast<const char *>(From);
    for (u32 I = 0; I < sizeof(Word); ++I)
      if (Tile[__ferry_stage_lane() * Pitch + Index * sizeof(Word) + I] != Bytes[I])
        return false;
    return true;
  }

  /// The words of a row in units of 16 bytes.
  u32 paddedWords() const {
    constexpr u32 InUnit = 16 / sizeof(Word);
    return (words() + InUnit - 1) / InUnit * InUnit;
  }
  /// Whether a word that nobody wants is as it was, or what the row has there
  /// or next to it.
  bool isUnusedOf(const Row &R, u32 Position, u32 Index) {
    if (isClear(Index))
      return true;
    u64 First = u64(R.First) * StepWords, I = u64(Position) * StepWords + Index;
    u64 Last = (u64(R.Count) - 1) * StepWords + Window - 1;
    return holds(Index, source(R.At) + (I < First ? First : I < Last ? I : Last));
  }

  /// The thread's tile from step \p Position on has what is wanted of it, and
  /// nothing else was touched: but for the words of \p Regular rows' tiles that
  /// nobody wants.
  void check(const Row &R, bool Wants, u32 Position, bool Regular) {
    __ferry_stage_meet();
    for (u32 Index = words(); Index < Pitch / sizeof(Word); ++Index)
      C.expect(Regular && Wants && Index < paddedWords()
                   ? isUnusedOf(R, Position, Index)
                   : isClear(Index),
               true);
    if (u32 I = 32 * Pitch + __ferry_stage_lane(); I < TileBytes)
      C.expect(Tile[I] == 0x55, true);
    for (u32 Index = 0; Index < words(); ++Index) {
      // The steps that read the word.
      bool Wanted = false;
      u64 From = 0;
      for (u32 Column = 0; Column < Steps; ++Column) {
        u32 First = Column * perStep();
        u32 Step = Position + Column;
        if (Index < First || Index >= First + Window || Step >= R.Count ||
            Step < R.First)
          continue;
        Wanted = true;
        From = R.At + u64(Step) * StepWords * sizeof(Word) +
               (Index - First) * sizeof(Word);
      }
      if (Wants && Wanted)
        C.expect(holds(Index, source(From)), true);
      else if (!Regular)
        C.expect(isClear(Index), true);
      else if (Wants && dense())
        C.expect(isUnusedOf(R, Position, Index), true);
    }
    __ferry_stage_meet();
  }

  void copy(bool Async, bool Regular, u32 Rows, u64 Row0, u64 Stride, u64 Count,
            u64 NoFirst, u64 NoLast, u32 Position, const Row &R, u32 First,
            u32 End) {
    u64 Step = u64(StepWords) * sizeof(Word);
    u64 Mine = R.At + Position * Step;
#define COPY(Name, Size, Is)                                                   \
  if constexpr (sizeof(Word) == Size)                                          \
    if (Async == Is)                                                           \
      __ferry_stage_##Name##Size(Tile, Regular, Rows, Row0, Stride, Count,     \
                                 NoFirst, NoLast, Position, Mine, First, End,  \
                                 Halved ? 2 * Steps : Steps, Steps,            \
                                 Halved ? 0 : Pitch, Halved ? Pitch : 0,       \
                                 Window, dense(), Step);
    COPY(rows, 1, false) COPY(rows, 2, false) COPY(rows, 4, false)
    COPY(rows, 8, false) COPY(rows, 16, false) COPY(start, 4, true)
    COPY(start, 8, true) COPY(start, 16, true)
#undef COPY
    if (Async)
      waitForCopies();
  }

  /// Rows of \p Count steps, \p Stride words apart, of the first \p Rows threads;
  /// copied as that, or as if nothing were known of them. The first one's first
  /// step and the last one's last step may be such as nobody reads.
  void rows(bool Async, u64 Begin, u32 Rows, u32 Count, u32 Stride,
            bool Regular, bool SkipFirst = false, bool SkipLast = false) {
    u64 NoFirst = SkipFirst ? 1 : 0;
    u64 NoLast = SkipLast ? u64(1) << (Rows - 1) : 0;
    u64 StrideBytes = u64(Stride) * sizeof(Word);
    Row R{Begin + __ferry_stage_lane() * StrideBytes, Count, 0};
    R.First = NoFirst >> __ferry_stage_lane() & 1;
    R.Count -= NoLast >> __ferry_stage_lane() & 1;
    bool Wants = __ferry_stage_lane() < Rows;
    for (u32 Position = 0; Position < Count; Position += Steps) {
      clear();
      u32 Left = Wants ? Count - Position : 0;
      copy(Async, Regular, Rows, Begin, StrideBytes, Count, NoFirst, NoLast,
           Position, R, 0, Left < Steps ? Left : Steps);
      check(R, Wants, Position, Regular);
    }
  }
};

/// Rows that begin at multiples of 16 bytes and others, in tiles that do, whole
/// and halved: those that can be are copied by 16 bytes.
template <class Word>
static void checkAlignments(Checker &C, SharedPtr Tile, const char *Data,
                            u64 Bytes) {
  constexpr u32 InUnit = 16 / sizeof(Word);
  for (bool Halved : {false, true})
    for (u32 Window : {1, 3})
      for (u32 StepWords : {1, 2}) {
        Copies<Word> Copy{C, Tile, Halved ? 16u : 32u, Window, StepWords, 0};
        Copy.Halved = Halved;
        Copy.Pitch = (Copy.paddedWords() * sizeof(Word)) | 16;
        if (32 * Copy.Pitch > TileBytes)
          continue;
        for (u32 Count : {37, 64})
          for (u32 Uneven : {0, 1})    // of the distance between rows
            for (u32 Misaligned : {0, 1}) { // of the first one
              u32 Needed = (Count - 1) * StepWords + Window;
              u32 Stride =
                  (Needed + InUnit - 1) / InUnit * InUnit + Uneven;
              u64 Begin = reinterpret_cast<u64>(Data) +
                          Misaligned * sizeof(Word);
              if (u64(32 * Stride) * sizeof(Word) + 16 > Bytes)
                continue;
              for (bool Async : {false, true}) {
                if (Async && sizeof(Word) < 4)
                  continue;
                Copy.rows(Async, Begin, threads(), Count, Stride, true);
                Copy.rows(Async, Begin, threads(), Count, Stride, true, true,
                          true);
              }
            }
      }
}

/// Tiles that a whole warp copies, in a ring of two: full ones, and what is left
/// of rows behind the first, which each thread may copy by itself.
template <class Word>
static void checkFull(Checker &C, SharedPtr Tile, const char *Data) {
  constexpr u32 Size = sizeof(Word);
  for (u32 Steps : {8, 32})
    for (u32 Window : {1, 2, 4})
      for (u32 StepWords : {Window, Window + 3}) {
        u32 Words = Steps * Window, Stride = 2 * Steps * StepWords + 5;
        Copies<Word> Copy{C, Tile, Steps, Window, StepWords, 0};
        Copy.Pitch = (Words | 1) * Size;
        const u32 InTiles = 32 * Copy.Pitch;
        if (2 * InTiles > TileBytes)
          continue;
        const u64 Begin = reinterpret_cast<u64>(Data);
        auto Check = [&](u32 Left, bool Own, u32 Rows = 32) {
          const u32 Number = Left ? 1 : 0;
          const bool Full = Left == 0 || (Left == Steps && Rows == 32);
          Row R{Begin + __ferry_stage_lane() * u64(Stride) * Size, Steps + Left, 0};
          Copy.Tile = Tile;
          Copy.clear();
          Copy.Tile = Tile + Number * InTiles;
          const u32 FirstRow = __ferry_stage_lane() / 8,
                    Column = __ferry_stage_lane() % 8;
          u64 From = Begin + (u64(FirstRow) * Stride + u64(Number * Steps) * StepWords +
                              Column / Window * StepWords + Column % Window) * Size;
          SharedPtr To = Copy.Tile + FirstRow * Copy.Pitch + Column * Size;
          const u64 Next = u64(32 / 8) * Stride * Size;
          const u32 OwnRows = (Rows + 32 / 8 - 1 - FirstRow) / (32 / 8);
#define COPY(Bytes)                                                            \
  if constexpr (Size == Bytes) {                                               \
    if (Own)                                                                   \
      __ferry_stage_start_own##Bytes(                                          \
          Copy.Tile + __ferry_stage_lane() * Copy.Pitch,                       \
          R.At + Number * Words * Size, (Left ? Left : Steps) * Window);       \
    else if (Full)                                                             \
      __ferry_stage_start_full##Bytes(To, From, Next, Words, 32 / 4, OwnRows,  \
                                      8, Copy.Pitch, Window, Copy.dense(),     \
                                      StepWords * Size);                       \
    else                                                                       \
      __ferry_stage_start_part##Bytes(                                         \
          To, From, Next, (Left ? Left : Steps) * Window, OwnRows, 8,          \
          Copy.Pitch, Window, Copy.dense(), StepWords * Size);                 \
  }
          COPY(4) COPY(8) COPY(16)
#undef COPY
          waitForCopies();
          Copy.check(R, __ferry_stage_lane() < Rows, Number * Steps, false);
        };
        for (u32 Left : {0u, 1u, Steps - 1, Steps}) {
          Check(Left, /*Own=*/false);
          for (u32 Rows : {1, 8, 21, 31})
            Check(Left, /*Own=*/false, Rows);
          if (StepWords == Window)
            Check(Left, /*Own=*/true);
        }
      }
}

template <class Word>
static void checkCopies(Checker &C, const char *Data, u64 Bytes) {
  SharedPtr Tile = (SharedPtr)Tiles + __ferry_stage_warp() * TileBytes;
  u32 InWarp = threads();
  for (u32 Steps : {8, 32})
    for (u32 Window : {1, 2})
      for (u32 StepWords : {1, 3}) {
        Copies<Word> Copy{C, Tile, Steps, Window, StepWords, 0};
        Copy.Pitch = (Copy.words() | 1) * sizeof(Word);
        if (32 * Copy.Pitch > TileBytes)
          continue;
        for (u32 Count : {1, 31, 64})
          for (u32 Rows : {InWarp, InWarp / 2}) {
            u32 Needed = (Count - 1) * StepWords + Window;
            for (u32 Gap : {0u, StepWords}) {
              u32 Stride = Needed + Gap;
              // The last row ends with the memory.
              u64 Length = u64((Rows ? Rows - 1 : 0) * Stride + Needed) * sizeof(Word);
              if (Length > Bytes)
                continue;
              u64 Begin = reinterpret_cast<u64>(Data) + Bytes - Length;
              for (bool Async : {false, true}) {
                if (Async && sizeof(Word) < 4)
                  continue;
                for (bool Regular : {true, false})
                  Copy.rows(Async, Begin, Rows, Count, Stride, Regular);
                // What is skipped lies before or behind the memory.
                if (Count <= 2 || !Rows)
                  continue;
                u64 Step = StepWords * sizeof(Word);
                Copy.rows(Async, Begin + Step, Rows, Count, Stride, true, false,
                          true);
                Copy.rows(Async, reinterpret_cast<u64>(Data) - Step, Rows,
                          Count, Stride, true, true, false);
              }
            }
          }
      }
  if (sizeof(Word) == 4 || sizeof(Word) == 8)
    checkAlignments<Word>(C, Tile, Data, Bytes);
  if constexpr (sizeof(Word) >= 4)
    if (InWarp == 32)
      checkFull<Word>(C, Tile, Data);
  // One row for all.
  Copies<Word> Copy{C, Tile, 32, 1, 1, 0};
  u64 Row0 = reinterpret_cast<u64>(Data) + 16;
  for (bool Async : {false, true}) {
    if (Async && sizeof(Word) < 4)
      continue;
    Copy.clear();
#define COPY(Name, Size, Is)                                                   \
  if constexpr (sizeof(Word) == Size)                                          \
    if (Async == Is)                                                           \
      __ferry_stage_##Name##Size(Tile, Row0, 3, 29);
    COPY(one, 1, false) COPY(one, 2, false) COPY(one, 4, false)
    COPY(one, 8, false) COPY(one, 16, false) COPY(start_one, 4, true)
    COPY(start_one, 8, true) COPY(start_one, 16, true)
#undef COPY
    if (Async)
      waitForCopies();
    __ferry_stage_meet();
    for (u32 I = 0; I < 32; ++I)
      C.expect(I < 3 || I >= 29 ? Copy.isClear(I)
                                : Copy.holds(I, Copy.source(Row0) + I),
               true);
    __ferry_stage_meet();
  }
}

static void add(Result &To, const Result &R) {
  __atomic_fetch_add(&To.Checked, R.Checked, __ATOMIC_RELAXED);
  __atomic_fetch_add(&To.Wrong, R.Wrong, __ATOMIC_RELAXED);
}

static void checkAll(const char *Data, long Bytes, int Threads, Result &Answers,
                     Result &Words) {
  Checker A, W;
  checkAnswers(A, Threads);
  checkCopies<WordOf<1>::T>(W, Data, Bytes);
  checkCopies<WordOf<2>::T>(W, Data, Bytes);
  checkCopies<WordOf<4>::T>(W, Data, Bytes);
  checkCopies<WordOf<8>::T>(W, Data, Bytes);
  checkCopies<WordOf<16>::T>(W, Data, Bytes);
  add(Answers, A.R);
  add(Words, W.R);
}
#else
static void checkAll(const char *, long, int, Result &, Result &) {}
#endif
#pragma omp end declare target

int main() {
  // The bytes that are copied, on the device in memory of just their length.
  constexpr long Bytes = 1 << 18;
  char *Data = static_cast<char *>(malloc(Bytes));
  for (long I = 0; I < Bytes; ++I)
    Data[I] = char(I * 37 + (I >> 8) * 11 + 1);
  Result Answers = {0, 0}, Words = {0, 0};
  for (int Threads : {50, 1}) {
#pragma omp target teams distribute parallel for num_teams(1) \
    thread_limit(Threads) map(to : Data[0 : Bytes]) map(tofrom : Answers, Words)
    for (int I = 0; I < Threads; ++I)
      checkAll(Data, Bytes, Threads, Answers, Words);
  }
  printf("%ld of %ld answers wrong\n", Answers.Wrong, Answers.Checked);
  printf("%ld of %ld words wrong\n", Words.Wrong, Words.Checked);
}
