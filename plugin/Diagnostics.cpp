//===- Diagnostics.cpp - Warnings about target regions --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -Whost-global      (default) a lambda that runs in a target region refers to
//                    a variable with static storage that is not in a `declare
//                    target`: the device has a variable of its own by that
//                    name, or none.
// -Wowning-capture   a lambda that runs in a target region captures by value an
//                    object that owns memory (it has a pointer and a destructor
//                    of its own): the device gets the pointer, not the memory.
//
// Each is given to the plugin: -Xclang -plugin-arg-ferry -Xclang
// -Wno-host-global.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Layout.h"
#include "support/LLVMCompat.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace ferry {

bool WarningOptions::parse(llvm::StringRef Argument) {
  if (!Argument.consume_front("-W"))
    return false;
  bool On = !Argument.consume_front("no-");
  if (Argument == "host-global")
    HostGlobal = On;
  else if (Argument == "owning-capture")
    OwningCapture = On;
  else
    return false;
  return true;
}

RegionDiagnostics::RegionDiagnostics(ASTContext &Context, WarningOptions O)
    : Context(Context), Options(O) {
  DiagnosticsEngine &D = Context.getDiagnostics();
  HostGlobalId = D.getCustomDiagID(
      DiagnosticsEngine::Warning,
      "variable %0 is used on the device but is not in a 'declare target' "
      "directive; the device does not see its value [-Whost-global]");
  OwningCaptureId = D.getCustomDiagID(
      DiagnosticsEngine::Warning,
      "'%0' is captured by value by code that runs on the device, and owns "
      "host "
      "memory; capture a pointer to its data instead [-Wowning-capture]");
  CapturedInId =
      D.getCustomDiagID(DiagnosticsEngine::Note, "used in this target region");
}

namespace {

/// Variables with static storage that a function body names.
struct GlobalUses : RecursiveASTVisitor<GlobalUses> {
  llvm::SmallVector<const DeclRefExpr *> Uses;

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (const auto *V = dyn_cast<VarDecl>(E->getDecl()))
      if (V->hasGlobalStorage())
        Uses.push_back(E);
    return true;
  }
  // What is not evaluated does not run.
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) {
    return true;
  }
  template <typename... Rest>
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc, Rest...) {
    return true;
  }
};

} // namespace

/// Whether the device can use \p V: mapped by `declare target`, or a constant
/// that is evaluated at compile time.
static bool onDevice(const VarDecl &V, const ASTContext &Context) {
  if (OMPDeclareTargetDeclAttr::isDeclareTargetDeclaration(&V))
    return true;
  if (V.isConstexpr() || V.isUsableInConstantExpressions(Context))
    return true;
  return V.isInvalidDecl() || V.getType()->isDependentType();
}

void RegionDiagnostics::checkHostGlobals(const CXXRecordDecl &Lambda,
                                         SourceLocation Region) {
  const CXXMethodDecl *Call = Lambda.getLambdaCallOperator();
  if (!Call || !Call->getBody())
    return;
  GlobalUses G;
  G.TraverseStmt(Call->getBody());
  for (const DeclRefExpr *E : G.Uses) {
    const auto *V = cast<VarDecl>(E->getDecl());
    if (onDevice(*V, Context) || !Reported.insert({V, &Lambda}).second)
      continue;
    Context.getDiagnostics().Report(E->getLocation(), HostGlobalId) << V;
    Context.getDiagnostics().Report(Region, CapturedInId);
  }
}

/// Whether objects of class \p R own memory through a pointer of theirs.
static bool ownsMemory(const CXXRecordDecl *R, ASTContext &Context) {
  if (!R || !R->hasDefinition() || R->isLambda())
    return false;
  if (R->hasTrivialDestructor())
    return false;
  return llvm::any_of(
      layoutOf(Context, recordType(Context, R)), [](const LayoutItem &I) {
        return I.Kind == LayoutItem::Pointer || I.Kind == LayoutItem::Array;
      });
}

void RegionDiagnostics::checkOwning(QualType T, llvm::StringRef Name,
                                    SourceLocation At, SourceLocation Region) {
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  if (!ownsMemory(R, Context) ||
      !Reported.insert({R, At.getPtrEncoding()}).second)
    return;
  Context.getDiagnostics().Report(At, OwningCaptureId) << Name;
  Context.getDiagnostics().Report(Region, CapturedInId);
}

void RegionDiagnostics::check(const OMPExecutableDirective &Region) {
  const CapturedStmt *Body =
      Region.getCapturedStmt(llvm::omp::Directive::OMPD_target);
  for (const CapturedStmt::Capture &C : Body->captures()) {
    if (!C.capturesVariable() && !C.capturesVariableByCopy())
      continue;
    const CXXRecordDecl *R = C.getCapturedVar()
                                 ->getType()
                                 .getNonReferenceType()
                                 ->getAsCXXRecordDecl();
    if (!R || !R->isLambda())
      continue;
    if (Options.HostGlobal)
      checkHostGlobals(*R, Region.getBeginLoc());
    if (Options.OwningCapture)
      for (const LambdaCapture &L : R->captures())
        if (L.capturesVariable() && L.getCaptureKind() == LCK_ByCopy)
          checkOwning(L.getCapturedVar()->getType(),
                      L.getCapturedVar()->getName(), L.getLocation(),
                      Region.getBeginLoc());
  }
}

} // namespace ferry
