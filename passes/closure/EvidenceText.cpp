//===- EvidenceText.cpp - Access paths and words as JSON ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EvidenceText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// Access paths
//===----------------------------------------------------------------------===//

/// Calls \p Field(key, member) for every plain member of \p Node.
template <typename NodeT, typename Fn>
static void forEachFlag(NodeT &Node, Fn Field) {
  Field("read", Node.Read);
  Field("written", Node.Written);
  Field("pointersStored", Node.PointersStored);
  Field("escapes", Node.Escapes);
  Field("cyclic", Node.Cyclic);
  Field("called", Node.Called);
  Field("readsElsewhere", Node.ReadsElsewhere);
}

template <typename NodeT, typename Fn>
static void forEachBound(NodeT &Node, Fn Field) {
  Field("begin", Node.Begin, INT64_MAX);
  Field("end", Node.End, INT64_MIN);
}

static void writeIntegers(json::OStream &J, ArrayRef<int64_t> List) {
  J.array([&] {
    for (int64_t I : List)
      J.value(I);
  });
}

/// Pairs of {offset, size}. A size of UINT64_MAX is written as -1.
template <typename Pairs>
static void writePairs(json::OStream &J, StringRef Key, const Pairs &List) {
  if (List.empty())
    return;
  J.attributeArray(Key, [&] {
    for (auto [Offset, Size] : List)
      writeIntegers(J, {Offset, static_cast<int64_t>(Size)});
  });
}

template <typename Set>
static void writeSet(json::OStream &J, StringRef Key, const Set &List) {
  if (List.empty())
    return;
  J.attributeArray(Key, [&] {
    for (auto Number : List)
      J.value(Number);
  });
}

/// A list of integers: of each term its kind and width, and what this kind has
/// of value, path with the number of its steps, and operands.
static void writeTerms(json::OStream &J, ArrayRef<RangeTerm> Terms) {
  J.attributeArray("terms", [&] {
    for (const RangeTerm &T : Terms) {
      J.value(static_cast<unsigned>(T.Kind));
      J.value(T.Bits);
      if (T.hasValue())
        J.value(T.Value);
      if (T.Kind == RangeTerm::Word) {
        J.value(T.Path.size());
        for (int64_t Step : T.Path)
          J.value(Step);
      }
      if (!T.isLeaf())
        J.value(T.Left);
      if (T.hasRight())
        J.value(T.Right);
    }
  });
}

static void writeRange(json::OStream &J, const AccessRange &Range) {
  writeTerms(J, Range.Terms);
  J.attribute("first", Range.First);
  J.attribute("last", Range.Last);
}

static void writeNode(json::OStream &J, const PathNode &Node) {
  J.objectBegin();
  forEachFlag(Node, [&](StringRef Key, bool Is) {
    if (Is)
      J.attribute(Key, true);
  });
  forEachBound(Node, [&](StringRef Key, int64_t Value, int64_t None) {
    if (Value != None)
      J.attribute(Key, Value);
  });
  if (Node.Shift)
    J.attribute("shift", *Node.Shift);
  if (Node.Range)
    J.attributeObject("range", [&] { writeRange(J, *Node.Range); });
  if (!Node.Certain.empty())
    J.attributeArray("certain", [&] {
      for (const CertainAccess &A : Node.Certain)
        J.object([&] {
          writeRange(J, A.Range);
          if (A.Word)
            J.attributeObject("word", [&] { writeRange(J, *A.Word); });
          J.attribute("size", A.Size);
          J.attribute("line", A.Line);
          J.attribute("file", json::fixUTF8(A.File));
        });
    });
  writeSet(J, "compared", Node.Comparisons);
  writeSet(J, "comparedAt", Node.ComparedAt);
  writePairs(J, "integers", Node.IntegerReads);
  writePairs(J, "reads", Node.Reads);
  if (!Node.Members.empty())
    J.attributeObject("members", [&] {
      for (const auto &[Offset, Inner] : Node.Members) {
        J.attributeBegin(itostr(Offset));
        writeNode(J, *Inner);
        J.attributeEnd();
      }
    });
  if (!Node.Elements.empty())
    J.attributeArray("elements", [&] {
      for (const auto &[Place, Inner] : Node.Elements)
        J.array([&, &Place = Place, &Inner = Inner] {
          J.value(Place.Offset);
          J.array([&] {
            for (const PathIndex &I : Place.Indices)
              writeIntegers(J, {static_cast<int64_t>(I.Stride),
                                static_cast<int64_t>(I.Count)});
          });
          writeNode(J, *Inner);
        });
    });
  J.objectEnd();
}

void writePaths(json::OStream &J, ArrayRef<PathNode> Paths) {
  J.array([&] {
    for (const PathNode &Root : Paths)
      writeNode(J, Root);
  });
}

namespace {

/// Reads nodes; Ok turns false at anything that is not as it was written. A
/// json::ObjectMapper would make it no shorter: most values are lists of
/// numbers by their place, which it does not know.
class NodeReader {
public:
  explicit NodeReader(unsigned FirstComparison)
      : FirstComparison(FirstComparison) {}

  bool Ok = true;

  void read(const json::Value &V, PathNode &Node) {
    const json::Object *O = V.getAsObject();
    if (!O)
      return fail();
    forEachFlag(Node, [&](StringRef Key, bool &Is) {
      Is = O->getBoolean(Key).value_or(false);
    });
    forEachBound(Node, [&](StringRef Key, int64_t &Value, int64_t None) {
      Value = O->getInteger(Key).value_or(None);
    });
    Node.Shift = O->getInteger("shift");
    if (const json::Object *Range = O->getObject("range"))
      Node.Range = range(*Range);
    if (const json::Array *Accesses = O->getArray("certain"))
      for (const json::Value &V : *Accesses)
        Node.Certain.push_back(certain(V));
    if (const json::Array *Numbers = O->getArray("compared"))
      for (const json::Value &Number : *Numbers)
        Node.Comparisons.insert(FirstComparison +
                                static_cast<unsigned>(integer(Number)));
    if (const json::Array *Distances = O->getArray("comparedAt"))
      for (const json::Value &Distance : *Distances)
        Node.ComparedAt.insert(integer(Distance));
    forEachTuple(*O, "integers", 2, [&](const json::Array &Pair) {
      Node.IntegerReads.push_back(
          {integer(Pair[0]), static_cast<uint64_t>(integer(Pair[1]))});
    });
    forEachTuple(*O, "reads", 2, [&](const json::Array &Pair) {
      Node.Reads.insert(
          {integer(Pair[0]), static_cast<uint64_t>(integer(Pair[1]))});
    });
    if (const json::Object *Members = O->getObject("members"))
      for (const auto &[Key, Inner] : *Members) {
        int64_t Offset;
        if (StringRef(Key).getAsInteger(10, Offset))
          return fail();
        read(Inner, Node.member(Offset));
      }
    forEachTuple(*O, "elements", 3, [&](const json::Array &Element) {
      PathPlace Place;
      Place.Offset = integer(Element[0]);
      if (const json::Array *Indices = Element[1].getAsArray())
        for (const json::Value &V : *Indices) {
          const json::Array *Index = V.getAsArray();
          if (!Index || Index->size() != 2)
            return fail();
          Place.Indices.push_back(
              {static_cast<uint64_t>(integer((*Index)[0])),
               static_cast<uint64_t>(integer((*Index)[1]))});
        }
      read(Element[2], Node.element(Place));
    });
  }

  AccessRange range(const json::Object &O) {
    AccessRange Range;
    const json::Array *Terms = O.getArray("terms");
    ArrayRef<json::Value> Rest;
    if (Terms && !Terms->empty())
      Rest = ArrayRef(Terms->data(), Terms->size());
    while (Ok && !Rest.empty())
      Range.Terms.push_back(term(Rest, Range.Terms.size()));
    Range.First = place(O.getInteger("first"), Range.Terms.size());
    Range.Last = place(O.getInteger("last"), Range.Terms.size());
    return Range;
  }

private:
  unsigned FirstComparison;

  void fail() { Ok = false; }

  int64_t integer(const json::Value &V) {
    std::optional<int64_t> Number = V.getAsInteger();
    Ok &= Number.has_value();
    return Number.value_or(0);
  }

  /// A place among the first \p Number terms of a table.
  uint32_t place(std::optional<int64_t> At, size_t Number) {
    Ok &= At && *At >= 0 && static_cast<uint64_t>(*At) < Number;
    return Ok ? static_cast<uint32_t>(*At) : 0;
  }

  /// The next of a list of integers, of which it is taken off.
  int64_t next(ArrayRef<json::Value> &List) {
    if (List.empty()) {
      fail();
      return 0;
    }
    const json::Value &First = List.front();
    List = List.drop_front();
    return integer(First);
  }

  RangeTerm term(ArrayRef<json::Value> &List, size_t Place) {
    RangeTerm T;
    int64_t Kind = next(List), Bits = next(List);
    Ok &=
        Kind >= 0 && Kind <= RangeTerm::BlockThreads && Bits > 0 && Bits <= 64;
    if (!Ok)
      return T;
    T.Kind = static_cast<RangeTerm::KindTy>(Kind);
    T.Bits = static_cast<uint8_t>(Bits);
    if (T.hasValue())
      T.Value = next(List);
    if (T.Kind == RangeTerm::Word) {
      int64_t Steps = next(List);
      Ok &= Steps > 0;
      for (int64_t I = 0; I < Steps && Ok; ++I)
        T.Path.push_back(next(List));
    }
    if (!T.isLeaf())
      T.Left = place(next(List), Place);
    if (T.hasRight())
      T.Right = place(next(List), Place);
    return T;
  }

  CertainAccess certain(const json::Value &V) {
    CertainAccess A;
    const json::Object *O = V.getAsObject();
    if (!O) {
      fail();
      return A;
    }
    A.Range = range(*O);
    if (const json::Object *Word = O->getObject("word"))
      A.Word = range(*Word);
    A.Size = static_cast<uint64_t>(O->getInteger("size").value_or(0));
    A.Line = static_cast<unsigned>(O->getInteger("line").value_or(0));
    A.File = O->getString("file").value_or("").str();
    return A;
  }

  template <typename Fn>
  void forEachTuple(const json::Object &O, StringRef Key, size_t Size, Fn Do) {
    const json::Array *List = O.getArray(Key);
    if (!List)
      return;
    for (const json::Value &V : *List) {
      const json::Array *Tuple = V.getAsArray();
      if (!Tuple || Tuple->size() != Size)
        return fail();
      Do(*Tuple);
    }
  }
};

} // namespace

std::optional<KernelPaths> readPaths(const json::Array &Roots,
                                     unsigned FirstComparison) {
  NodeReader Reader(FirstComparison);
  KernelPaths Paths(Roots.size());
  for (auto [Root, Node] : zip_equal(Roots, Paths))
    Reader.read(Root, Node);
  if (!Reader.Ok)
    return std::nullopt;
  return Paths;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

void writeWords(json::OStream &J, const KernelWords &Words) {
  J.array([&] {
    for (const KernelWord &W : Words)
      J.array([&] {
        J.value(W.Argument);
        writeIntegers(J, W.Path);
        J.value(W.Offset);
        J.value(W.Size);
        J.value(W.IsPointer);
      });
  });
}

std::optional<KernelWords> readWords(const json::Array &List) {
  KernelWords Words;
  for (const json::Value &V : List) {
    const json::Array *Tuple = V.getAsArray();
    if (!Tuple || Tuple->size() != 5)
      return std::nullopt;
    std::optional<int64_t> Argument = (*Tuple)[0].getAsInteger();
    const json::Array *Path = (*Tuple)[1].getAsArray();
    std::optional<int64_t> Offset = (*Tuple)[2].getAsInteger();
    std::optional<int64_t> Size = (*Tuple)[3].getAsInteger();
    std::optional<bool> IsPointer = (*Tuple)[4].getAsBoolean();
    if (!Argument || !Path || !Offset || !Size || !IsPointer)
      return std::nullopt;
    KernelWord &W = Words.emplace_back();
    W.Argument = static_cast<unsigned>(*Argument);
    for (const json::Value &Step : *Path)
      W.Path.push_back(Step.getAsInteger().value_or(-1));
    W.Offset = static_cast<uint64_t>(*Offset);
    W.Size = static_cast<uint64_t>(*Size);
    W.IsPointer = *IsPointer;
  }
  return Words;
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

void writeChoice(json::OStream &J, const VersionChoice &Choice) {
  J.array([&] {
    for (const LaunchDemands &All : Choice)
      J.array([&] {
        for (const LaunchDemand &D : All)
          J.object([&] {
            writeRange(J, D.Value);
            J.attribute("least", D.Least);
            J.attribute("most", D.Most);
          });
      });
  });
}

std::optional<VersionChoice> readChoice(const json::Array &List) {
  NodeReader Reader(/*FirstComparison=*/0);
  VersionChoice Choice;
  for (const json::Value &V : List) {
    const json::Array *All = V.getAsArray();
    if (!All)
      return std::nullopt;
    LaunchDemands &Demands = Choice.emplace_back();
    for (const json::Value &One : *All) {
      const json::Object *O = One.getAsObject();
      std::optional<int64_t> Least = O ? O->getInteger("least") : std::nullopt;
      std::optional<int64_t> Most = O ? O->getInteger("most") : std::nullopt;
      if (!Least || !Most)
        return std::nullopt;
      Demands.push_back({Reader.range(*O), *Least, *Most});
    }
  }
  if (!Reader.Ok)
    return std::nullopt;
  return Choice;
}

} // namespace ferry
