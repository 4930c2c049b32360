//===- Plugin.cpp - libferry-clang.so, the front-end plugin ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs before code generation, in the host and in the device compilation:
//
//   both    number lambdas, so that kernels have the same names
//           (LambdaNumbering)
//           and describe the captures of target regions (Regions)
//   host    warn of captures that cannot work (Diagnostics)
//   device  note kernels whose iterations any thread may execute (Regions)
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "LambdaNumbering.h"
#include "Regions.h"
#include "support/ModuleNames.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace ferry {
namespace {

/// Whether remarks of the pass ferry-map, or records of them, were asked for.
bool wantsRemarks(const CodeGenOptions &Options) {
  const auto Match = [](const CodeGenOptions::OptRemark &Remark) {
    return Remark.patternMatches("ferry-map");
  };
  return !Options.OptRecordFile.empty() || Match(Options.OptimizationRemark) ||
         Match(Options.OptimizationRemarkMissed) ||
         Match(Options.OptimizationRemarkAnalysis);
}

/// Whether the passes are given \p Option.
bool hasPassOption(const CompilerInstance &CI, llvm::StringRef Option) {
  return llvm::is_contained(CI.getFrontendOpts().LLVMArgs, Option);
}

/// Whether device code is compiled for the simulator.
bool forSimulator(const CompilerInstance &CI) {
  return hasPassOption(CI, "-ferry-sim");
}

/// Whether what regions capture is told to the user by names.
bool wantsNames(const CompilerInstance &CI) {
  return wantsRemarks(CI.getCodeGenOpts()) || hasPassOption(CI, "-ferry-check");
}

class Visitor : public RecursiveASTVisitor<Visitor> {
public:
  Visitor(CompilerInstance &CI, WarningOptions Warnings)
      : Host(!CI.getLangOpts().OpenMPIsTargetDevice),
        Numbering(CI.getASTContext(), !Host && forSimulator(CI)),
        Regions(CI.getASTContext(), wantsNames(CI)),
        Diagnostics(CI.getASTContext(), Warnings) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitLambdaExpr(LambdaExpr *E) {
    Numbering.number(E->getLambdaClass());
    return true;
  }

  bool VisitOMPRequiresDecl(OMPRequiresDecl *D) {
    for (const OMPClause *C : D->clauselists())
      if (isa<OMPUnifiedSharedMemoryClause>(C))
        Regions.setUnifiedSharedMemory();
    return true;
  }

  bool TraverseDecl(Decl *D) {
    auto *F = dyn_cast_or_null<FunctionDecl>(D);
    if (F && isLambdaOperator(F))
      Numbering.describe(*cast<CXXMethodDecl>(F));
    return inFunction(F && !isLambdaOperator(F) ? F : Function, [&] {
      return RecursiveASTVisitor<Visitor>::TraverseDecl(D);
    });
  }

  bool VisitOMPExecutableDirective(OMPExecutableDirective *D) {
    if (!Host)
      Regions.noteClauses(*D);
    if (!Function || Function->isDependentContext() ||
        !isOpenMPTargetExecutionDirective(D->getDirectiveKind()))
      return true;
    Regions.describe(*D, *Function);
    if (Host)
      Diagnostics.check(*D);
    return true;
  }

private:
  bool Host;
  FunctionDecl *Function = nullptr; ///< the outermost that is no lambda's
  LambdaNumbering Numbering;
  RegionDescriber Regions;
  RegionDiagnostics Diagnostics;

  static bool isLambdaOperator(const FunctionDecl *F) {
    const auto *M = dyn_cast<CXXMethodDecl>(F);
    return M && M->getParent()->isLambda();
  }

  template <typename Fn> bool inFunction(FunctionDecl *F, Fn Run) {
    FunctionDecl *Outer = Function;
    Function = F;
    bool Continue = Run();
    Function = Outer;
    return Continue;
  }
};

class Consumer : public ASTConsumer {
public:
  Consumer(CompilerInstance &CI, WarningOptions Warnings) : V(CI, Warnings) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      V.TraverseDecl(D);
    return true;
  }

private:
  Visitor V;
};

class Action : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    if (CI.getLangOpts().OpenMP && !CI.getLangOpts().OMPTargetTriples.empty())
      warnWithoutPasses(CI);
    return std::make_unique<Consumer>(CI, Warnings);
  }

  bool ParseArgs(const CompilerInstance &CI,
                 const std::vector<std::string> &Arguments) override {
    for (const std::string &A : Arguments) {
      if (Warnings.parse(A))
        continue;
      DiagnosticsEngine &D = CI.getDiagnostics();
      D.Report(D.getCustomDiagID(
          DiagnosticsEngine::Error,
          "ferry: unknown plugin argument '%0'; known are -W[no-]host-global "
          "and -W[no-]owning-capture"))
          << A;
      return false;
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  WarningOptions Warnings;

  /// The other half does the work.
  static void warnWithoutPasses(CompilerInstance &CI) {
    for (const std::string &P : CI.getCodeGenOpts().PassPlugins)
      if (llvm::sys::path::stem(P) == FERRY_PASSES)
        return;
    DiagnosticsEngine &D = CI.getDiagnostics();
    D.Report(D.getCustomDiagID(
        DiagnosticsEngine::Warning,
        "ferry: captured pointers are not carried over to the device without "
        "the passes: add -fpass-plugin=" FERRY_PASSES ".so"));
  }
};

FrontendPluginRegistry::Add<Action>
    Registered("ferry", "describe target regions to Ferry's passes");

} // namespace
} // namespace ferry
