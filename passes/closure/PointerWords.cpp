//===- PointerWords.cpp - The pointers of an object that are used ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointerWords.h"
#include "ferry/LaunchPlan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace ferry {

namespace {

constexpr int64_t WordSize = sizeof(void *);

/// An index with more values is not taken apart where others are.
constexpr uint64_t MaxWords = 65536;

/// Words whose number is not known, or too large: from First on, Stride bytes
/// apart, below Limit.
struct Repeat {
  int64_t First;
  uint64_t Stride;
  int64_t Limit = INT64_MAX;
  SmallVector<WordUse, 1> Uses = {};

  bool holds(int64_t Offset) const {
    return Offset >= First && Offset < Limit &&
           static_cast<uint64_t>(Offset - First) % Stride == 0;
  }
};

class Collector {
public:
  Collector(const std::vector<LayoutItem> *Layout, uint64_t Size)
      : Layout(Layout), Size(Size) {
    if (Layout)
      for (const LayoutItem &I : *Layout)
        if (I.Kind != LayoutItem::VirtualBase)
          Items.try_emplace(static_cast<int64_t>(I.Offset), &I);
  }

  std::vector<PointerWords> run(const PathNode &Node) {
    for (const auto &[Offset, N] : Node.Members)
      if (N->used() || N->Called)
        add(Offset, {N.get(), std::nullopt});
    for (const auto &[Place, N] : Node.Elements)
      if (N->used())
        addElement(Place, *N);
    joinOverlapping();
    addIntegerReads(Node);
    return results();
  }

private:
  const std::vector<LayoutItem> *Layout;
  uint64_t Size;
  DenseMap<int64_t, const LayoutItem *> Items; ///< the first at each offset
  std::map<int64_t, SmallVector<WordUse, 1>> Words;
  std::vector<Repeat> Repeats;

  void add(int64_t Offset, WordUse Use) {
    if (!Layout ||
        (Offset >= 0 && static_cast<uint64_t>(Offset) + sizeof(void *) <= Size))
      Words[Offset].push_back(Use);
  }

  void addElement(const PathPlace &Place, const PathNode &N) {
    if (Place.bounded() && Place.combinations() <= MaxWords)
      Place.forEach([&](int64_t Offset) { add(Offset, {&N, Place.Offset}); });
    else if (!addByLayout(Place, N))
      addRepeats(Place, N);
  }

  /// Adds the members of the layout that \p Place may lead to.
  bool addByLayout(const PathPlace &Place, const PathNode &N) {
    auto Stride = static_cast<int64_t>(Place.unboundedStride());
    if (!Layout || !Stride || Place.combinations() > MaxWords)
      return false;
    bool Found = false;
    SmallVector<int64_t> Residues;
    Place.forEach([&](int64_t Offset) {
      Residues.push_back((Offset % Stride + Stride) % Stride);
    });
    sort(Residues);
    Residues.erase(unique(Residues), Residues.end());
    for (const LayoutItem &I : *Layout) {
      auto Offset = static_cast<int64_t>(I.Offset);
      if (Items.lookup(Offset) != &I ||
          !is_contained(Residues, Offset % Stride))
        continue;
      // Arithmetic on pointers leads neither from a reference to another, nor
      // to what may be a number.
      if (Offset != Place.Offset &&
          (I.Kind != LayoutItem::Pointer || I.InUnion))
        continue;
      add(Offset, {&N, Place.Offset});
      Found = true;
    }
    return Found;
  }

  /// Adds what the layout does not show.
  void addRepeats(const PathPlace &Place, const PathNode &N) {
    PathPlace Others = Place;
    PathIndex Main{Place.unboundedStride(), 0};
    if (Main.Stride == 0)
      Main = *max_element(Place.Indices,
                          [](auto &A, auto &B) { return A.Count < B.Count; });
    erase_if(Others.Indices,
             [&](const PathIndex &I) { return I.Count == 0 || I == Main; });
    if (Others.combinations() > MaxWords) {
      for (const PathIndex &I : Others.Indices)
        Main.Stride = std::gcd(Main.Stride, I.Stride);
      Main.Count = 0;
      Others.Indices.clear();
    }
    const auto Stride = static_cast<int64_t>(Main.Stride);
    Others.forEach([&](int64_t Offset) {
      Repeat R{Offset, Main.Stride};
      if (Main.Count)
        R.Limit = Offset + static_cast<int64_t>(Main.Count) * Stride;
      else
        R.First = (Offset % Stride + Stride) % Stride;
      if (Layout)
        R.Limit = std::min(R.Limit, static_cast<int64_t>(Size) - WordSize + 1);
      R.Uses.push_back({&N, Place.Offset});
      Repeats.push_back(std::move(R));
    });
  }

  /// Gives each word all its uses: repeated words that overlap become one row,
  /// which has gaps where a word has more uses than the others.
  void joinOverlapping() {
    std::vector<Repeat> Joined;
    for (Repeat &R : Repeats) {
      for (size_t I = 0; I < Joined.size();) {
        if (!overlap(Joined[I], R)) {
          ++I;
          continue;
        }
        R = join(Joined[I], R);
        Joined.erase(Joined.begin() + static_cast<ptrdiff_t>(I));
        I = 0;
      }
      Joined.push_back(std::move(R));
    }
    Repeats.clear();
    for (const Repeat &R : Joined)
      takeOut(R);
  }

  static bool overlap(const Repeat &A, const Repeat &B) {
    const uint64_t Common = std::gcd(A.Stride, B.Stride);
    return A.First < B.Limit && B.First < A.Limit &&
           static_cast<uint64_t>(std::abs(A.First - B.First)) % Common == 0;
  }

  static Repeat join(const Repeat &A, const Repeat &B) {
    Repeat R{std::min(A.First, B.First), std::gcd(A.Stride, B.Stride),
             std::max(A.Limit, B.Limit)};
    R.Uses = A.Uses;
    R.Uses.append(B.Uses);
    return R;
  }

  /// Leaves out of \p R the words that have uses of their own.
  void takeOut(Repeat R) {
    const int64_t Limit = R.Limit;
    for (auto &[Offset, Uses] : Words) {
      if (!R.holds(Offset))
        continue;
      Uses.append(R.Uses);
      R.Limit = Offset;
      if (R.First < R.Limit)
        Repeats.push_back(R);
      R.First = Offset + static_cast<int64_t>(R.Stride);
      R.Limit = Limit;
    }
    if (R.First < R.Limit)
      Repeats.push_back(std::move(R));
  }

  /// Read as an integer: a pointer, unless the word is a union's.
  void addIntegerReads(const PathNode &Node) {
    if (!Layout)
      return;
    for (const LayoutItem &I : *Layout) {
      auto At = static_cast<int64_t>(I.Offset);
      if (I.Kind == LayoutItem::Pointer && !I.InUnion && !Words.count(At) &&
          any_of(Node.IntegerReads, [&](auto Read) {
            return Read.second == UINT64_MAX ||
                   (Read.first < At + WordSize &&
                    At < Read.first + static_cast<int64_t>(Read.second));
          }))
        Words[At];
    }
  }

  std::vector<PointerWords> results() {
    std::vector<PointerWords> Result;
    for (auto &[Offset, Uses] : Words)
      Result.push_back({Offset, 0, 1, Items.lookup(Offset), std::move(Uses)});
    for (Repeat &R : Repeats) {
      uint64_t Count = 0;
      if (R.Limit != INT64_MAX)
        Count = (static_cast<uint64_t>(R.Limit - R.First) + R.Stride - 1) /
                R.Stride;
      Result.push_back({R.First, R.Stride, Count, nullptr, std::move(R.Uses)});
    }
    joinRows(Result);
    sort(Result, [](const PointerWords &A, const PointerWords &B) {
      return A.Offset < B.Offset;
    });
    return Result;
  }
};

/// What has to be the same in all words of a row.
using RowKey = SmallVector<const PathNode *, 1>;

} // namespace

std::vector<PointerWords> usedPointers(const PathNode &Node,
                                       const std::vector<LayoutItem> *Layout,
                                       uint64_t Size) {
  return Collector(Layout, Size).run(Node);
}

void joinRows(std::vector<PointerWords> &Words) {
  constexpr size_t Shortest = PackedLimit / sizeof(void *) + 1;
  std::map<RowKey, std::vector<size_t>> Alike;
  for (size_t W = 0; W < Words.size(); ++W) {
    const PointerWords &P = Words[W];
    if (P.Stride || (P.Item && P.Item->Kind != LayoutItem::Pointer))
      continue;
    RowKey Key;
    for (const WordUse &U : P.Uses)
      Key.push_back(U.Node);
    Alike[Key].push_back(W);
  }
  std::vector<bool> Gone(Words.size());
  for (auto &[Key, Members] : Alike) {
    auto At = [&Words = Words, &M = Members](size_t I) {
      return Words[M[I]].Offset;
    };
    sort(Members,
         [&](size_t A, size_t B) { return Words[A].Offset < Words[B].Offset; });
    for (size_t I = 0, End; I < Members.size(); I = End) {
      for (End = I + 1;
           End < Members.size() &&
           (End == I + 1 || At(End) - At(End - 1) == At(I + 1) - At(I));)
        ++End;
      if (End - I < Shortest)
        continue;
      Words[Members[I]].Stride = static_cast<uint64_t>(At(I + 1) - At(I));
      Words[Members[I]].Count = End - I;
      for (size_t J = I + 1; J < End; ++J)
        Gone[Members[J]] = true;
    }
  }
  size_t At = 0;
  erase_if(Words, [&](const PointerWords &) { return Gone[At++]; });
}

} // namespace ferry
