//===- RegionInfo.cpp - What the front end tells the passes ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionInfo.h"
#include "ferry/OffloadABI.h"
#include "support/Annotations.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Assumptions.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include <tuple>

using namespace llvm;

namespace ferry {

static constexpr StringLiteral Prefix = "ferry.region:";
static constexpr StringLiteral AssumptionPrefix = "ferry_region=";

/// Elements to which an array of pointers is expanded at most, and members of
/// an object in all.
static constexpr uint64_t MaxArrayElements = 65536;
static constexpr uint64_t MaxMembers = 262144;

static constexpr StringLiteral KindNames[] = {"pointer",  "reference", "this",
                                              "function", "virtual",   "array"};

/// Writes the flag \p Key if it is set.
static void writeFlag(json::OStream &J, StringRef Key, bool Is) {
  if (Is)
    J.attribute(Key, true);
}

static void writeText(json::OStream &J, StringRef Key, StringRef Text) {
  if (!Text.empty())
    J.attribute(Key, Text);
}

/// Writes the attribute "layout".
static void writeLayout(json::OStream &J, ArrayRef<LayoutItem> Items);

static void writeItem(json::OStream &J, const LayoutItem &I) {
  J.attribute("kind", KindNames[I.Kind]);
  J.attribute("offset", I.Offset);
  J.attribute("name", I.Name);
  writeFlag(J, "union", I.InUnion);
  if (I.Kind == LayoutItem::Reference || I.Kind == LayoutItem::This) {
    J.attribute("size", I.Size);
    J.attribute("align", I.Align);
    writeFlag(J, "const", I.Const);
    writeFlag(J, "recursive", I.Recursive);
  }
  if (I.Kind == LayoutItem::Array) {
    J.attribute("count", I.Count);
    J.attribute("stride", I.Stride);
  }
  if (!I.Inner.empty())
    writeLayout(J, I.Inner);
  if (I.Pointee)
    J.attribute("pointee", *I.Pointee);
}

static void writeLayout(json::OStream &J, ArrayRef<LayoutItem> Items) {
  J.attributeArray("layout", [&] {
    for (const LayoutItem &I : Items)
      J.object([&] { writeItem(J, I); });
  });
}

static void writeCapture(json::OStream &J, const CaptureInfo &C) {
  J.attribute("argument", C.Argument);
  J.attribute("name", C.Name);
  J.attribute("size", C.Size);
  J.attribute("align", C.Align);
  writeFlag(J, "pointer", C.IsPointer);
  writeFlag(J, "lambda", C.IsLambda);
  writeFlag(J, "private", C.IsPrivate);
  writeFlag(J, "const", C.Const);
  if (!C.Layout.empty())
    writeLayout(J, C.Layout);
  if (C.Pointee)
    J.attribute("pointee", *C.Pointee);
}

static void writeRegion(json::OStream &J, const RegionInfo &Region) {
  J.attribute("line", Region.Line);
  J.attribute("column", Region.Column);
  J.attribute("index", Region.Index);
  J.attributeArray("captures", [&] {
    for (const CaptureInfo &C : Region.Captures)
      J.object([&] { writeCapture(J, C); });
  });
  writeText(J, "function", Region.Function);
  writeFlag(J, "unified_shared_memory", Region.UnifiedSharedMemory);
  writeFlag(J, "independent", Region.Independent);
  writeFlag(J, "several_targets", Region.SeveralTargets);
  writeText(J, "name", Region.Name);
  writeText(J, "host_ir", Region.HostIR);
  if (!Region.Types.empty())
    J.attributeArray("types", [&] {
      for (const PointeeType &T : Region.Types)
        J.object([&] {
          J.attribute("size", T.Size);
          writeLayout(J, T.Layout);
        });
    });
}

bool mayTakeWords(const Triple &Target) {
  return Target.isNVPTX() || Target.isAMDGPU();
}

std::string toAnnotation(const RegionInfo &Region) {
  std::string Text = Prefix.str();
  raw_string_ostream OS(Text);
  json::OStream J(OS);
  J.object([&] { writeRegion(J, Region); });
  return Text;
}

std::string toAssumption(const RegionInfo &Region) {
  // Assumptions are separated by commas.
  return AssumptionPrefix.str() + encodeBase64(toAnnotation(Region));
}

/// The assumptions on \p Kernel, one behind the other.
static StringRef assumptionsOn(const Function &Kernel) {
  return Kernel.getFnAttribute(AssumptionAttrKey).getValueAsString();
}

std::optional<RegionInfo> regionOf(const Function &Kernel) {
  for (StringRef Assumption : getAssumptions(Kernel)) {
    std::vector<char> Text;
    if (!Assumption.consume_front(AssumptionPrefix))
      continue;
    if (Error E = decodeBase64(Assumption, Text)) {
      consumeError(std::move(E));
      return std::nullopt;
    }
    Expected<RegionInfo> Region =
        fromAnnotation(StringRef(Text.data(), Text.size()));
    if (Region)
      return std::move(*Region);
    consumeError(Region.takeError());
  }
  return std::nullopt;
}

void removeRegionAssumption(Function &Kernel) {
  SmallVector<StringRef> Kept;
  for (StringRef Assumption : split(assumptionsOn(Kernel), ','))
    if (!Assumption.starts_with(AssumptionPrefix))
      Kept.push_back(Assumption);
  std::string Text = join(Kept, ",");
  Kernel.removeFnAttr(AssumptionAttrKey);
  if (!Text.empty())
    Kernel.addFnAttr(AssumptionAttrKey, Text);
}

bool isAnnotation(StringRef Text) { return Text.starts_with(Prefix); }

namespace {

/// Reads fields of one JSON object and remembers the first thing that is wrong.
/// Not a json::ObjectMapper, whose messages are constants and cannot name the
/// member that is, and which has no numbers of 32 bits without a sign.
class Reader {
public:
  Reader(const json::Value &V, std::string &Problem)
      : O(V.getAsObject()), Problem(Problem) {
    if (!O)
      fail("an object is expected");
  }

  uint64_t number(StringRef Key, uint64_t Max = INT64_MAX) {
    if (O)
      if (std::optional<int64_t> N = O->getInteger(Key))
        if (*N >= 0 && static_cast<uint64_t>(*N) <= Max)
          return static_cast<uint64_t>(*N);
    fail(("'" + Key + "' has to be a non-negative integer that fits").str());
    return 0;
  }

  unsigned number32(StringRef Key) {
    return static_cast<unsigned>(number(Key, UINT32_MAX));
  }

  std::string text(StringRef Key) {
    if (O)
      if (std::optional<StringRef> S = O->getString(Key))
        return S->str();
    fail(("'" + Key + "' has to be a string").str());
    return "";
  }

  /// The string \p Key; empty if it is not there.
  std::string optionalText(StringRef Key) {
    return has(Key) ? text(Key) : std::string();
  }

  std::optional<unsigned> optionalNumber(StringRef Key) {
    return has(Key) ? std::optional(number32(Key)) : std::nullopt;
  }

  /// The size and the alignment of \p Name, an object.
  std::pair<uint64_t, uint64_t> sizeAndAlign(const std::string &Name) {
    const uint64_t Size = number("size"), Align = number("align", UINT32_MAX);
    if (Size == 0 || !isPowerOf2_64(Align))
      fail("size or alignment of '" + Name + "'");
    return {Size, Align};
  }

  bool flag(StringRef Key) { return O && O->getBoolean(Key).value_or(false); }

  bool has(StringRef Key) const { return O && O->get(Key); }

  /// The array \p Key; empty if it is optional and not there.
  const json::Array &array(StringRef Key, bool Optional) {
    static const json::Array Empty;
    if (O)
      if (const json::Array *A = O->getArray(Key))
        return *A;
    if (!Optional || has(Key))
      fail(("'" + Key + "' has to be an array").str());
    return Empty;
  }

  void fail(std::string Message) {
    if (Problem.empty())
      Problem = std::move(Message);
  }

private:
  const json::Object *O;
  std::string &Problem;
};

} // namespace

/// The source name of member \p Name of \p Outer. Bases and unnamed members
/// have no name of their own.
static std::string memberName(const std::string &Outer, StringRef Name) {
  if (Outer.empty() || Name.empty())
    return Outer + Name.str();
  return Outer + (StringRef(Outer).ends_with("this") ? "->" : ".") + Name.str();
}

/// Reads the members of an object of \p Size bytes, \p Outer in the source.
/// Arrays are expanded, or stay \p Whole.
static void readLayout(const json::Array &Items, uint64_t Shift, uint64_t Size,
                       const std::string &Outer, bool InUnion, bool Whole,
                       std::vector<LayoutItem> &Result, std::string &Problem) {
  for (const json::Value &V : Items) {
    if (!Problem.empty())
      return;
    Reader R(V, Problem);
    if (Result.size() >= MaxMembers) {
      R.fail("more than " + std::to_string(MaxMembers) + " elements");
      return;
    }
    LayoutItem I;
    std::string Kind = R.text("kind");
    const auto *Name = find(KindNames, Kind);
    if (Name == std::end(KindNames)) {
      R.fail("'" + Kind + "' is not a kind of member");
      return;
    }
    I.Kind = static_cast<LayoutItem::KindTy>(Name - std::begin(KindNames));
    I.Offset = Shift + R.number("offset");
    I.Name = memberName(Outer, R.text("name"));
    I.InUnion = InUnion || R.flag("union");
    I.Pointee = R.optionalNumber("pointee");
    if (I.Kind == LayoutItem::Array) {
      I.Count = R.number("count");
      I.Stride = R.number("stride");
      if (Whole && I.Stride) {
        readLayout(R.array("layout", false), 0, I.Stride, "", I.InUnion, Whole,
                   I.Inner, Problem);
        Result.push_back(std::move(I));
        continue;
      }
      if (I.Count > MaxArrayElements || (I.Count && I.Stride == 0)) {
        R.fail("an array of " + std::to_string(I.Count) + " elements");
        return;
      }
      for (uint64_t E = 0; E < I.Count && Problem.empty(); ++E)
        readLayout(R.array("layout", false), I.Offset + E * I.Stride, Size,
                   I.Name + "[" + std::to_string(E) + "]", I.InUnion, Whole,
                   Result, Problem);
      continue;
    }
    if (I.Offset + sizeof(void *) > Size && I.Kind != LayoutItem::VirtualBase &&
        I.Kind != LayoutItem::Function)
      R.fail("member '" + I.Name + "' lies outside its object");
    if (I.Kind == LayoutItem::Reference || I.Kind == LayoutItem::This) {
      std::tie(I.Size, I.Align) = R.sizeAndAlign(I.Name);
      I.Const = R.flag("const");
      I.Recursive = R.flag("recursive");
      // A reference is written like the variable it refers to.
      readLayout(R.array("layout", true), 0, I.Size, I.Name, false, Whole,
                 I.Inner, Problem);
    }
    Result.push_back(std::move(I));
  }
}

static CaptureInfo readCapture(const json::Value &V, std::string &Problem) {
  Reader R(V, Problem);
  CaptureInfo C;
  C.Argument = R.number32("argument");
  C.Name = R.text("name");
  C.IsPointer = R.flag("pointer");
  C.IsLambda = R.flag("lambda");
  C.IsPrivate = R.flag("private");
  C.Const = R.flag("const");
  std::tie(C.Size, C.Align) = R.sizeAndAlign(C.Name);
  C.Pointee = R.optionalNumber("pointee");
  readLayout(R.array("layout", true), 0, C.Size, C.Name, false,
             /*Whole=*/false, C.Layout, Problem);
  return C;
}

static PointeeType readType(const json::Value &V, std::string &Problem) {
  Reader R(V, Problem);
  PointeeType T;
  T.Size = R.number("size");
  if (T.Size == 0)
    R.fail("size of a type");
  readLayout(R.array("layout", true), 0, T.Size, "", false, /*Whole=*/true,
             T.Layout, Problem);
  return T;
}

Expected<RegionInfo> fromAnnotation(StringRef Text) {
  auto Malformed = [](const Twine &Why) {
    return createStringError("malformed region annotation: " + Why.str());
  };
  if (!Text.consume_front(Prefix))
    return Malformed("no '" + Prefix + "'");
  Expected<json::Value> V = json::parse(Text);
  if (!V)
    return Malformed(toString(V.takeError()));

  std::string Problem;
  Reader R(*V, Problem);
  RegionInfo Region;
  Region.Line = R.number32("line");
  Region.Column = R.number32("column");
  Region.Index = R.number32("index");
  Region.Function = R.optionalText("function");
  Region.Name = R.optionalText("name");
  Region.HostIR = R.optionalText("host_ir");
  Region.UnifiedSharedMemory = R.flag("unified_shared_memory");
  Region.Independent = R.flag("independent");
  Region.SeveralTargets = R.flag("several_targets");
  for (const json::Value &C : R.array("captures", false))
    Region.Captures.push_back(readCapture(C, Problem));
  for (const json::Value &T : R.array("types", true))
    Region.Types.push_back(readType(T, Problem));
  if (!Problem.empty())
    return Malformed(Problem);
  return Region;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static std::string regionKey(StringRef Function, unsigned Line,
                             unsigned Index) {
  std::string Key = (Function + "_l" + Twine(Line)).str();
  if (Index)
    Key += "_" + std::to_string(Index);
  return Key;
}

const RegionInfo *RegionTable::find(StringRef KernelName) const {
  // __omp_offloading_<device>_<file>_<function>_l<line>[_<index>]
  if (!KernelName.consume_front(abi::KernelPrefix))
    return nullptr;
  StringRef Key = KernelName.split('_').second.split('_').second;
  auto It = Regions.find(Key);
  return It == Regions.end() ? nullptr : &It->second;
}

RegionTable readRegions(const Module &M) {
  RegionTable Table;
  forEachAnnotation(M, [&](const GlobalValue *Of, StringRef Text) {
    if (!isAnnotation(Text))
      return;
    Expected<RegionInfo> R = fromAnnotation(Text);
    if (!R) {
      Table.Errors.push_back(toString(R.takeError()));
      return;
    }
    const auto *F = dyn_cast_or_null<Function>(Of);
    if (R->Function.empty() && !F) {
      Table.Errors.push_back(
          "malformed region annotation: it belongs to no function");
      return;
    }
    StringRef Name = R->Function.empty() ? F->getName() : R->Function;
    Table.Regions[regionKey(Name, R->Line, R->Index)] = std::move(*R);
  });
  return Table;
}

bool removeRegionAnnotations(Module &M) {
  return removeAnnotations(M, isAnnotation);
}

} // namespace ferry
