//===- Layout.cpp - Where the pointers lie in a type ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace ferry {

namespace {

class LayoutBuilder {
public:
  /// \p References: described with what they refer to, else numbered in
  /// \p Types as pointers are.
  LayoutBuilder(ASTContext &Context, PointeeTypes *Types, bool References)
      : Context(Context), Types(Types), References(References) {}

  std::vector<LayoutItem> build(QualType T) {
    std::vector<LayoutItem> Items;
    add(T, 0, "", false, Items);
    return Items;
  }

private:
  /// References are followed so deep; what lies beyond is described by the
  /// access paths alone.
  static constexpr unsigned MaxDepth = 8;

  ASTContext &Context;
  PointeeTypes *Types; ///< may be null
  bool References;
  /// Types being described, to stop at those that refer to themselves.
  llvm::SmallVector<CanQualType> Open;

  uint64_t size(QualType T) const {
    return static_cast<uint64_t>(Context.getTypeSizeInChars(T).getQuantity());
  }

  void add(QualType T, uint64_t Offset, const std::string &Name, bool InUnion,
           std::vector<LayoutItem> &Items) {
    LayoutItem Item;
    Item.Offset = Offset;
    Item.Name = Name;
    Item.InUnion = InUnion;
    if (T->isReferenceType() || T->isPointerType()) {
      QualType Pointee = T->getPointeeType();
      if (Pointee->isFunctionType()) {
        Item.Kind = LayoutItem::Function;
        Items.push_back(std::move(Item));
      } else if (T->isReferenceType()) {
        addReference(LayoutItem::Reference, Pointee, std::move(Item), Items);
      } else {
        addPointer(Pointee, std::move(Item), Items);
      }
    } else if (T->isMemberPointerType() || T->isBlockPointerType()) {
      Item.Kind = LayoutItem::Function;
      Items.push_back(std::move(Item));
    } else if (const auto *A = Context.getAsConstantArrayType(T)) {
      addArray(A, std::move(Item), Items);
    } else if (const auto *R = T->getAs<RecordType>()) {
      addRecord(R->getDecl(), Offset, Name, InUnion, Items);
    }
  }

  void addPointer(QualType Pointee, LayoutItem Item,
                  std::vector<LayoutItem> &Items) {
    if (Types)
      Item.Pointee = Types->number(Pointee);
    Items.push_back(std::move(Item));
  }

  void addReference(LayoutItem::KindTy Kind, QualType T, LayoutItem Item,
                    std::vector<LayoutItem> &Items) {
    T = Context.getBaseElementType(T)->isIncompleteType() ? QualType() : T;
    if (T.isNull() || T->isFunctionType() || T->isIncompleteArrayType()) {
      Items.push_back(std::move(Item)); // as a plain pointer
      return;
    }
    Item.Kind = Kind;
    Item.Size = size(T);
    Item.Align =
        static_cast<uint64_t>(Context.getTypeAlignInChars(T).getQuantity());
    Item.Const = T.isConstQualified();
    if (!References) {
      addPointer(T, std::move(Item), Items);
      return;
    }
    CanQualType Canonical = Context.getCanonicalType(T).getUnqualifiedType();
    if (llvm::is_contained(Open, Canonical) || Open.size() >= MaxDepth) {
      Item.Recursive = true;
    } else {
      Open.push_back(Canonical);
      add(T, 0, "", false, Item.Inner);
      Open.pop_back();
    }
    Items.push_back(std::move(Item));
  }

  void addArray(const ConstantArrayType *A, LayoutItem Item,
                std::vector<LayoutItem> &Items) {
    Item.Kind = LayoutItem::Array;
    Item.Count = A->getSize().getZExtValue();
    Item.Stride = size(A->getElementType());
    add(A->getElementType(), 0, "", false, Item.Inner);
    if (!Item.Inner.empty() && Item.Count && Item.Stride)
      Items.push_back(std::move(Item));
  }

  /// std::reference_wrapper holds a pointer and stands for a reference.
  static bool isReferenceWrapper(const CXXRecordDecl *R) {
    return R->isInStdNamespace() && R->getIdentifier() &&
           R->getName() == "reference_wrapper";
  }

  /// The name of \p F that users know. Members with reserved names are an
  /// implementation's own: what they hold is called as the object is.
  static std::string publicName(const FieldDecl &F) {
    StringRef Name = F.getName();
    if (!Name.starts_with("__") && !(Name.starts_with("_") && Name.size() > 1 &&
                                     clang::isUppercase(Name[1])))
      return Name.str();
    return llvm::StringSwitch<std::string>(Name)
        .Case("_M_finish", "end()")
        .Case("__end_", "end()")
        .Case("_M_end_of_storage", "capacity()")
        .Case("__end_cap_", "capacity()")
        .Default("");
  }

  void addRecord(const RecordDecl *R, uint64_t Offset, const std::string &Name,
                 bool InUnion, std::vector<LayoutItem> &Items) {
    R = R->getDefinition();
    if (!R || R->isInvalidDecl() || R->isDependentType())
      return;
    const ASTRecordLayout &L = Context.getASTRecordLayout(R);
    const FieldDecl *This = nullptr;
    llvm::DenseMap<const FieldDecl *, std::string> CaptureNames;
    const auto *CXX = dyn_cast<CXXRecordDecl>(R);
    if (CXX) {
      addBases(CXX, L, Offset, Name, InUnion, Items);
      if (CXX->isLambda())
        This = captureNames(CXX, CaptureNames);
    }
    for (const FieldDecl *F : R->fields()) {
      if (F->isBitField())
        continue;
      uint64_t At = Offset + L.getFieldOffset(F->getFieldIndex()) /
                                 Context.getCharWidth();
      std::string FieldName = CaptureNames.lookup(F);
      if (FieldName.empty())
        FieldName = publicName(*F);
      std::string Full = join(Name, FieldName);
      bool FieldInUnion = InUnion || R->isUnion();
      QualType T = F->getType();
      bool StandsForReference = F == This || (CXX && isReferenceWrapper(CXX));
      if (StandsForReference && T->isPointerType()) {
        LayoutItem Item;
        Item.Offset = At;
        Item.Name = F == This ? join(Name, "this") : Full;
        Item.InUnion = FieldInUnion;
        addReference(F == This ? LayoutItem::This : LayoutItem::Reference,
                     T->getPointeeType(), std::move(Item), Items);
        continue;
      }
      add(T, At, Full, FieldInUnion, Items);
    }
  }

  void addBases(const CXXRecordDecl *R, const ASTRecordLayout &L,
                uint64_t Offset, const std::string &Name, bool InUnion,
                std::vector<LayoutItem> &Items) {
    for (const CXXBaseSpecifier &B : R->bases()) {
      const CXXRecordDecl *Base = B.getType()->getAsCXXRecordDecl();
      if (!Base)
        continue;
      if (B.isVirtual()) {
        LayoutItem Item;
        Item.Kind = LayoutItem::VirtualBase;
        Item.Offset = Offset;
        Item.Name = join(Name, Base->getName().str());
        Items.push_back(std::move(Item));
        continue;
      }
      uint64_t At =
          static_cast<uint64_t>(L.getBaseClassOffset(Base).getQuantity());
      addRecord(Base, Offset + At, Name, InUnion, Items);
    }
  }

  /// The source names of a lambda's captures. \returns the field of `this`.
  const FieldDecl *
  captureNames(const CXXRecordDecl *Lambda,
               llvm::DenseMap<const FieldDecl *, std::string> &Names) {
    llvm::DenseMap<const ValueDecl *, FieldDecl *> Captures;
    FieldDecl *This = nullptr;
    Lambda->getCaptureFields(Captures, This);
    for (auto [Variable, Field] : Captures)
      Names[Field] = Variable->getNameAsString();
    return This;
  }

  static std::string join(const std::string &Outer, const std::string &Inner) {
    return Outer.empty() || Inner.empty() ? Outer + Inner : Outer + "." + Inner;
  }
};

} // namespace

/// Types beyond this many are not described: a record may lead to every other
/// one of a program.
static constexpr size_t MaxPointeeTypes = 256;

std::optional<unsigned> PointeeTypes::number(QualType T) {
  T = Context.getBaseElementType(T);
  if (T->isIncompleteType() || !(T->isPointerType() || T->isRecordType()))
    return std::nullopt;
  QualType Type = Context.getCanonicalType(T).getUnqualifiedType();
  auto Known = Numbers.find(Type);
  if (Known != Numbers.end())
    return Known->second;
  if (Types.size() == MaxPointeeTypes)
    return std::nullopt;
  const auto Number = static_cast<unsigned>(Types.size());
  Types.push_back(Type);
  Numbers[Type] = Number;
  return Number;
}

std::vector<PointeeType> PointeeTypes::describe() {
  std::vector<PointeeType> Result;
  // Types are added while those before them are described.
  for (size_t I = 0; I < Types.size(); ++I) {
    PointeeType &T = Result.emplace_back();
    T.Size = static_cast<uint64_t>(
        Context.getTypeSizeInChars(Types[I]).getQuantity());
    T.Layout =
        LayoutBuilder(Context, this, /*References=*/false).build(Types[I]);
  }
  return Result;
}

std::vector<LayoutItem> layoutOf(ASTContext &Context, QualType T,
                                 PointeeTypes *Types) {
  return LayoutBuilder(Context, Types, /*References=*/true).build(T);
}

} // namespace ferry
