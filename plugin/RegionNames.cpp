//===- RegionNames.cpp - What remarks call a target region ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionNames.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace ferry {

/// The outermost function around \p D that is no lambda's, or null.
static const FunctionDecl *outermostFunction(const Decl &D) {
  const FunctionDecl *Result = nullptr;
  for (const DeclContext *C = D.getDeclContext(); C; C = C->getParent())
    if (const auto *F = dyn_cast<FunctionDecl>(C);
        F && !isLambdaCallOperator(F))
      Result = F;
  return Result;
}

namespace {
/// Names files without their folders.
struct FileNames : PrintingCallbacks {
  std::string remapPath(llvm::StringRef Path) const override {
    return llvm::sys::path::filename(Path).str();
  }
};
} // namespace

static std::string qualifiedName(const FunctionDecl &F,
                                 const PrintingPolicy &Policy) {
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  F.printQualifiedName(OS, Policy);
  return Name;
}

/// "main::lambda at app.cpp:12".
static std::string lambdaForPeople(const CXXRecordDecl &Lambda,
                                   const ASTContext &Context) {
  std::string Name;
  if (const FunctionDecl *F = outermostFunction(Lambda))
    Name = qualifiedName(*F, Context.getPrintingPolicy()) + "::";
  const SourceManager &SM = Context.getSourceManager();
  PresumedLoc Loc = SM.getPresumedLoc(SM.getExpansionLoc(Lambda.getLocation()));
  Name += "lambda";
  if (Loc.isValid())
    Name += (" at " + llvm::sys::path::filename(Loc.getFilename()) + ":" +
             llvm::Twine(Loc.getLine()))
                .str();
  return Name;
}

std::string nameForPeople(const FunctionDecl &F, const ASTContext &Context) {
  FileNames Names;
  PrintingPolicy Policy = Context.getPrintingPolicy();
  Policy.Callbacks = &Names;
  std::string Name = qualifiedName(F, Policy);
  const TemplateArgumentList *Arguments = F.getTemplateSpecializationArgs();
  if (!Arguments)
    return Name;
  llvm::SmallVector<std::string> Texts;
  llvm::SmallVector<TemplateArgument> Flat;
  for (const TemplateArgument &A : Arguments->asArray())
    if (A.getKind() == TemplateArgument::Pack)
      Flat.append(A.pack_begin(), A.pack_end());
    else
      Flat.push_back(A);
  for (const TemplateArgument &A : Flat) {
    std::string &Text = Texts.emplace_back();
    const CXXRecordDecl *R =
        A.getKind() == TemplateArgument::Type
            ? A.getAsType().getNonReferenceType()->getAsCXXRecordDecl()
            : nullptr;
    llvm::raw_string_ostream OS(Text);
    if (R && R->isLambda())
      OS << lambdaForPeople(*R, Context);
    else
      A.print(Policy, OS, /*IncludeType=*/false);
  }
  return Name + "<" + llvm::join(Texts, ", ") + ">";
}

} // namespace ferry
