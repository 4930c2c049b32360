//===- DeviceEvidence.cpp - What the device's code uses -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the device's object:
//
//   @__ferry_uses_5e6a... = weak_odr constant [n x i8] c"FERRY-USES:412:{...}"
//
// As a constant that other objects may name it survives every assembler and
// linker that device code goes through, and stands in cubins, ELF objects and
// what the simulator runs as these very bytes. Bitcode, which link-time
// optimisation of device code leaves, is read instead of searched.
//
//===----------------------------------------------------------------------===//

#include "DeviceEvidence.h"
#include "ferry/OffloadABI.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace ferry {

/// Before the text of an object's evidence.
static constexpr StringLiteral Mark = "FERRY-USES:";
static constexpr StringLiteral VariablePrefix = "__ferry_uses_";

//===----------------------------------------------------------------------===//
// Access paths as JSON
//===----------------------------------------------------------------------===//

/// Calls \p Field(key, member) for every plain member of \p Node.
template <typename NodeT, typename Fn>
static void forEachFlag(NodeT &Node, Fn Field) {
  Field("read", Node.Read);
  Field("written", Node.Written);
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

/// Pairs of {offset, size}. A size of UINT64_MAX is written as -1.
template <typename Pairs> static json::Array pairsToJSON(const Pairs &List) {
  json::Array Result;
  for (auto [Offset, Size] : List)
    Result.push_back(json::Array{Offset, static_cast<int64_t>(Size)});
  return Result;
}

static json::Object rangeToJSON(const AccessRange &Range) {
  json::Array Terms;
  for (const RangeTerm &T : Range.Terms)
    Terms.push_back(json::Array{static_cast<unsigned>(T.Kind), T.Bits, T.Value,
                                T.Left, T.Right, json::Array(T.Path)});
  return json::Object{{"terms", std::move(Terms)},
                      {"first", Range.First},
                      {"last", Range.Last}};
}

static json::Object nodeToJSON(const PathNode &Node) {
  json::Object Result;
  forEachFlag(Node, [&](StringRef Key, bool Is) {
    if (Is)
      Result[Key] = true;
  });
  forEachBound(Node, [&](StringRef Key, int64_t Value, int64_t None) {
    if (Value != None)
      Result[Key] = Value;
  });
  if (Node.Shift)
    Result["shift"] = *Node.Shift;
  if (Node.Range)
    Result["range"] = rangeToJSON(*Node.Range);
  if (!Node.Comparisons.empty())
    Result["compared"] = json::Array(Node.Comparisons);
  if (!Node.ComparedAt.empty())
    Result["comparedAt"] = json::Array(Node.ComparedAt);
  if (!Node.IntegerReads.empty())
    Result["integers"] = pairsToJSON(Node.IntegerReads);
  if (!Node.Reads.empty())
    Result["reads"] = pairsToJSON(Node.Reads);
  if (!Node.Members.empty()) {
    json::Array Members;
    for (const auto &[Offset, Inner] : Node.Members)
      Members.push_back(json::Array{Offset, nodeToJSON(*Inner)});
    Result["members"] = std::move(Members);
  }
  if (!Node.Elements.empty()) {
    json::Array Elements;
    for (const auto &[Place, Inner] : Node.Elements) {
      json::Array Indices;
      for (const PathIndex &I : Place.Indices)
        Indices.push_back(json::Array{I.Stride, I.Count});
      Elements.push_back(
          json::Array{Place.Offset, std::move(Indices), nodeToJSON(*Inner)});
    }
    Result["elements"] = std::move(Elements);
  }
  return Result;
}

json::Value toJSON(ArrayRef<PathNode> Paths) {
  json::Array Result;
  for (const PathNode &Root : Paths)
    Result.push_back(nodeToJSON(Root));
  return Result;
}

namespace {

/// Reads nodes; Ok turns false at anything that is not as it was written.
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
    forEachTuple(*O, "members", 2, [&](const json::Array &Member) {
      read(Member[1], Node.member(integer(Member[0])));
    });
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

private:
  unsigned FirstComparison;

  void fail() { Ok = false; }

  int64_t integer(const json::Value &V) {
    std::optional<int64_t> Number = V.getAsInteger();
    Ok &= Number.has_value();
    return Number.value_or(0);
  }

  /// A place among the first \p Number terms of a table.
  uint32_t place(const json::Value *V, size_t Number) {
    int64_t At = V ? integer(*V) : -1;
    Ok &= At >= 0 && static_cast<uint64_t>(At) < Number;
    return Ok ? static_cast<uint32_t>(At) : 0;
  }

  AccessRange range(const json::Object &O) {
    AccessRange Range;
    forEachTuple(O, "terms", 6, [&](const json::Array &Tuple) {
      RangeTerm T;
      int64_t Kind = integer(Tuple[0]), Bits = integer(Tuple[1]);
      Ok &= Kind >= 0 && Kind <= RangeTerm::Given && Bits > 0 && Bits <= 64;
      T.Kind = static_cast<RangeTerm::KindTy>(Kind);
      T.Bits = static_cast<uint8_t>(Bits);
      T.Value = integer(Tuple[2]);
      if (const json::Array *Path = Tuple[5].getAsArray())
        for (const json::Value &Step : *Path)
          T.Path.push_back(integer(Step));
      Ok &= T.Kind != RangeTerm::Word || !T.Path.empty();
      if (!T.isLeaf()) {
        T.Left = place(&Tuple[3], Range.Terms.size());
        T.Right = T.hasRight() ? place(&Tuple[4], Range.Terms.size()) : 0;
      }
      Range.Terms.push_back(std::move(T));
    });
    Range.First = place(O.get("first"), Range.Terms.size());
    Range.Last = place(O.get("last"), Range.Terms.size());
    return Range;
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

std::optional<KernelPaths> pathsFromJSON(const json::Value &V,
                                         unsigned FirstComparison) {
  const json::Array *Roots = V.getAsArray();
  if (!Roots)
    return std::nullopt;
  NodeReader Reader(FirstComparison);
  KernelPaths Paths(Roots->size());
  for (auto [Root, Node] : zip_equal(*Roots, Paths))
    Reader.read(Root, Node);
  if (!Reader.Ok)
    return std::nullopt;
  return Paths;
}

//===----------------------------------------------------------------------===//
// In the device's module
//===----------------------------------------------------------------------===//

static json::Array toJSON(const KernelWords &Words) {
  json::Array Result;
  for (const KernelWord &W : Words)
    Result.push_back(json::Array{W.Argument, json::Array(W.Path), W.Offset,
                                 W.Size, W.IsPointer});
  return Result;
}

static std::optional<KernelWords> wordsFromJSON(const json::Array &List) {
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

void writeEvidence(Module &M, const EvidenceTable &Kernels) {
  json::Object Object;
  for (const auto &[Name, Kernel] : Kernels)
    Object[Name] = json::Object{{"paths", toJSON(ArrayRef(Kernel.Paths))},
                                {"words", toJSON(Kernel.Words)}};
  std::string JSON;
  raw_string_ostream(JSON) << json::Value(std::move(Object));
  std::string Text = (Mark + Twine(JSON.size()) + ":" + JSON).str();
  Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text,
                                                 /*AddNull=*/false);
  auto *G = new GlobalVariable(
      M, Bytes->getType(), /*isConstant=*/true, GlobalValue::WeakODRLinkage,
      Bytes, VariablePrefix + Twine::utohexstr(xxh3_64bits(Text)));
  G->setVisibility(GlobalValue::ProtectedVisibility);
  G->setAlignment(Align(1));
  appendToCompilerUsed(M, {G});
}

//===----------------------------------------------------------------------===//
// In the host's module
//===----------------------------------------------------------------------===//

SmallVector<std::string> evidenceIn(MemoryBufferRef Image) {
  SmallVector<std::string> Texts;
  auto Search = [&](StringRef Bytes) {
    for (size_t At = 0; (At = Bytes.find(Mark, At)) != StringRef::npos;) {
      At += Mark.size();
      StringRef Rest = Bytes.drop_front(At);
      uint64_t Size;
      if (!Rest.consumeInteger(10, Size) && Rest.consume_front(":") &&
          Size <= Rest.size())
        Texts.push_back(Rest.take_front(Size).str());
    }
  };
  if (identify_magic(Image.getBuffer()) != file_magic::bitcode) {
    Search(Image.getBuffer());
    return Texts;
  }
  LLVMContext Context;
  auto M = getLazyBitcodeModule(Image, Context);
  if (!M) {
    consumeError(M.takeError());
    return Texts;
  }
  for (const GlobalVariable &G : (*M)->globals())
    if (G.getName().starts_with(VariablePrefix) && G.hasInitializer())
      if (auto *Data = dyn_cast<ConstantDataSequential>(G.getInitializer()))
        Search(Data->getRawDataValues());
  return Texts;
}

/// The device images that Clang embedded in \p M.
static SmallVector<object::OffloadFile> embeddedImages(const Module &M) {
  SmallVector<object::OffloadFile> Images;
  for (const GlobalVariable &G : M.globals()) {
    if (G.getSection() != ".llvm.offloading" || !G.hasInitializer())
      continue;
    auto *Data = dyn_cast<ConstantDataSequential>(G.getInitializer());
    if (!Data)
      continue;
    // Where the data lies need not be aligned as the reader wants it.
    auto Copy = MemoryBuffer::getMemBufferCopy(Data->getRawDataValues());
    consumeError(
        object::extractOffloadBinaries(Copy->getMemBufferRef(), Images));
  }
  return Images;
}

DeviceEvidence DeviceEvidence::read(const Module &M) {
  DeviceEvidence Result;
  for (const object::OffloadFile &File : embeddedImages(M)) {
    const object::OffloadBinary &Binary = *File.getBinary();
    if (Binary.getOffloadKind() != object::OFK_OpenMP)
      continue;
    // An image without evidence counts, and so nothing is known for all.
    ++Result.NumImages;
    Result.Elsewhere |= Triple(Binary.getTriple()).getArch() !=
                        Triple(M.getTargetTriple()).getArch();
    // What the simulator runs has it twice: as data, and in the code it
    // carries.
    std::set<std::string> Texts;
    for (std::string &Text :
         evidenceIn(MemoryBufferRef(Binary.getImage(), "device image")))
      if (Texts.insert(Text).second)
        Result.add(Text);
  }
  return Result;
}

DeviceEvidence DeviceEvidence::of(EvidenceTable Kernels) {
  DeviceEvidence Result;
  Result.NumImages = 1;
  for (auto &[Name, Kernel] : Kernels)
    Result.add(Name, std::move(Kernel));
  return Result;
}

void DeviceEvidence::add(StringRef Text) {
  Expected<json::Value> V = json::parse(Text);
  if (!V) {
    consumeError(V.takeError());
    return;
  }
  // Numbers of comparisons in one image are far below this.
  const unsigned FirstComparison = NumImages << 24;
  if (const json::Object *Object = V->getAsObject())
    for (const auto &[Name, Value] : *Object) {
      const json::Object *Kernel = Value.getAsObject();
      const json::Value *Roots = Kernel ? Kernel->get("paths") : nullptr;
      const json::Array *List = Kernel ? Kernel->getArray("words") : nullptr;
      if (!Roots || !List)
        continue;
      auto Paths = pathsFromJSON(*Roots, FirstComparison);
      auto Words = wordsFromJSON(*List);
      if (Paths && Words)
        add(Name.str(), {std::move(*Paths), std::move(*Words)});
    }
}

void DeviceEvidence::add(const std::string &Name, KernelEvidence Evidence) {
  auto [It, First] = Kernels.try_emplace(Name);
  Kernel &K = It->second;
  if (K.LastImage != NumImages)
    ++K.NumImages;
  K.LastImage = NumImages;
  if (First) {
    static_cast<KernelEvidence &>(K) = std::move(Evidence);
    return;
  }
  // Not only the words differ where the parameters do.
  K.Differs |=
      K.Words != Evidence.Words || K.Paths.size() != Evidence.Paths.size();
  for (auto [Mine, Theirs] : zip(K.Paths, Evidence.Paths))
    Mine.merge(Theirs);
}

const KernelEvidence *DeviceEvidence::find(StringRef Name) const {
  auto It = Kernels.find(Name);
  return It != Kernels.end() && It->second.NumImages == NumImages &&
                 !It->second.Differs
             ? &It->second
             : nullptr;
}

std::vector<StringRef> DeviceEvidence::kernelsWithWords() const {
  std::vector<StringRef> Names;
  for (const auto &[Name, K] : Kernels)
    if (!K.Words.empty())
      Names.push_back(Name);
  return Names;
}

std::vector<StringRef> DeviceEvidence::conflicts() const {
  std::vector<StringRef> Names;
  for (const auto &[Name, K] : Kernels)
    if (K.Differs || (!K.Words.empty() && K.NumImages != NumImages))
      Names.push_back(Name);
  return Names;
}

} // namespace ferry
