//===- LaunchPlannerTest.h - Plans of small kernels -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TEST_LAUNCHPLANNERTEST_H
#define FERRY_TEST_LAUNCHPLANNERTEST_H

#include "AccessPathsTest.h"
#include "closure/LaunchPlanner.h"

namespace ferry::test {

inline LayoutItem item(LayoutItem::KindTy Kind, uint64_t Offset,
                       std::string Name) {
  LayoutItem I;
  I.Kind = Kind;
  I.Offset = Offset;
  I.Name = std::move(Name);
  return I;
}

inline LayoutItem pointer(uint64_t Offset, std::string Name) {
  return item(LayoutItem::Pointer, Offset, std::move(Name));
}

/// A reference to a variable of \p Size bytes that holds \p Inner.
inline LayoutItem reference(uint64_t Offset, std::string Name, uint64_t Size,
                            std::vector<LayoutItem> Inner = {}) {
  LayoutItem I = item(LayoutItem::Reference, Offset, std::move(Name));
  I.Size = Size;
  I.Align = 8;
  I.Inner = std::move(Inner);
  return I;
}

/// A functor `f` of \p Size bytes.
inline CaptureInfo closure(uint64_t Size, std::vector<LayoutItem> Layout) {
  CaptureInfo C;
  C.Name = "f";
  C.Size = Size;
  C.Align = 8;
  C.Layout = std::move(Layout);
  return C;
}

/// Implicitly captured lambdas, and records that are not lambdas.
constexpr uint64_t ByValue =
    abi::MapPrivate | abi::MapTo | abi::MapTargetParam | abi::MapImplicit;
constexpr uint64_t ToFrom =
    abi::MapTo | abi::MapFrom | abi::MapTargetParam | abi::MapImplicit;
/// A pointer variable.
constexpr uint64_t PointerEntry = abi::MapTargetParam | abi::MapImplicit;

/// A launch with one entry for each parameter of its kernel, and a region.
/// Tests change it before they plan it.
struct Scene {
  Analysed Kernel;
  LaunchSite Site;
  RegionInfo Region;
  bool Annotated = true;
  bool Visible = true;  ///< the kernel's code
  bool Complete = true; ///< ... is what the device runs

  Scene(const std::string &KernelText, CaptureInfo Capture,
        uint64_t Type = ByValue)
      : Kernel(KernelText) {
    Site.KernelName = "K";
    if (Kernel.M)
      Site.Kernel = Kernel.M->getFunction("K");
    addEntry(Type | abi::MapTargetParam, Capture.Size);
    Region.Captures.push_back(std::move(Capture));
    while (Site.EntryOfArgument.size() < Site.Kernel->arg_size())
      addEntry(abi::MapLiteral | abi::MapTargetParam, 8);
  }

  void addEntry(uint64_t Type, uint64_t Size) {
    if (Type & abi::MapTargetParam)
      Site.EntryOfArgument.push_back(static_cast<unsigned>(Site.Types.size()));
    Site.Types.push_back(Type);
    Site.Sizes.push_back(Size);
  }

  std::variant<PlannedLaunch, Refusal> run() const {
    return planLaunch(Site, Annotated ? &Region : nullptr,
                      {Visible ? Kernel.Paths.find("K") : nullptr, Complete});
  }

  PlannedLaunch plan() const {
    std::variant<PlannedLaunch, Refusal> R = run();
    if (auto *P = std::get_if<PlannedLaunch>(&R))
      return std::move(*P);
    ADD_FAILURE() << "refused: " << refusalName(std::get<Refusal>(R)).str();
    return PlannedLaunch();
  }

  /// The plan as it is printed, without the line that says how it travels.
  std::string text() const {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    plan().print(OS);
    llvm::StringRef Rest = Text;
    Rest.consume_front("  by value\n");
    return Rest.str();
  }
};

/// The pointers that are left, and why: "name: reason" separated by "; ".
inline std::string left(const PlannedLaunch &P) {
  std::string Text;
  for (const PointerNote &N : P.Notes)
    if (N.Kind == PointerNote::Left || N.Kind == PointerNote::LeftBehind)
      Text += (Text.empty() ? "" : "; ") + N.Name + ": " +
              refusalName(*N.Why).str();
  return Text;
}

/// The names of the pointers with notes of \p Kind, separated by spaces.
inline std::string noted(const PlannedLaunch &P, PointerNote::KindTy Kind) {
  std::string Text;
  for (const PointerNote &N : P.Notes)
    if (N.Kind == Kind)
      Text += (Text.empty() ? "" : " ") + N.Name;
  return Text;
}

/// The names of the pointers that are carried in one of \p Ways, and in none
/// else.
inline std::string carried(const PlannedLaunch &P, unsigned Ways) {
  std::string Text;
  for (const PointerNote &N : P.Notes)
    if (N.Kind == PointerNote::Carried && N.Ways == Ways)
      Text += (Text.empty() ? "" : " ") + N.Name;
  return Text;
}

inline std::string hints(const PlannedLaunch &P) {
  std::string Text;
  for (Refusal R : P.Hints)
    Text += (Text.empty() ? "" : " ") + refusalName(R).str();
  return Text;
}

/// Loads the pointer at \p Offset of %f as \p Name and writes through it.
inline std::string writeThrough(uint64_t Offset, const std::string &Name) {
  return "  " + Name + ".a = getelementptr i8, ptr %f, i64 " +
         std::to_string(Offset) + "\n  " + Name + " = load ptr, ptr " + Name +
         ".a\n  store double 0.0, ptr " + Name + "\n";
}

} // namespace ferry::test

#endif // FERRY_TEST_LAUNCHPLANNERTEST_H
