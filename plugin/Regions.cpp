//===- Regions.cpp - Describe target regions to the passes ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "Layout.h"
#include "RegionNames.h"
#include "support/LLVMCompat.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace ferry {

/// Whether the host's compilation noted that there are devices of several
/// kinds. A device's is not told; the host's IR, which it is given, has the
/// notes.
static bool hostHasSeveralTargets(const std::string &HostIR) {
  auto Buffer = llvm::MemoryBuffer::getFile(HostIR);
  if (!Buffer)
    return false;
  llvm::LLVMContext Context;
  auto M = llvm::getLazyBitcodeModule((*Buffer)->getMemBufferRef(), Context);
  if (!M) {
    llvm::consumeError(M.takeError());
    return false;
  }
  for (const llvm::GlobalVariable &G : (*M)->globals()) {
    auto *Text =
        G.hasInitializer()
            ? dyn_cast<llvm::ConstantDataSequential>(G.getInitializer())
            : nullptr;
    if (!Text || !Text->isCString() || !isAnnotation(Text->getAsCString()))
      continue;
    llvm::Expected<RegionInfo> Region = fromAnnotation(Text->getAsCString());
    if (Region)
      return Region->SeveralTargets;
    llvm::consumeError(Region.takeError());
  }
  return false;
}

RegionDescriber::RegionDescriber(ASTContext &Context, bool ForRemarks)
    : Context(Context), Mangler(Context.createMangleContext()),
      ForRemarks(ForRemarks) {}

bool RegionDescriber::hasSeveralTargets() {
  const LangOptions &Options = Context.getLangOpts();
  if (!SeveralTargets)
    SeveralTargets = Options.OpenMPIsTargetDevice
                         ? hostHasSeveralTargets(Options.OMPHostIRFile)
                         : Options.OMPTargetTriples.size() > 1;
  return *SeveralTargets;
}

/// Kernels of constructors and destructors are named after the complete-object
/// variant, whichever variant contains the launch (CGStmtOpenMP.cpp,
/// emitCommonOMPTargetDirective).
std::string RegionDescriber::nameInKernels(const FunctionDecl &F) const {
  GlobalDecl GD;
  if (const auto *C = dyn_cast<CXXConstructorDecl>(&F))
    GD = GlobalDecl(C, Ctor_Complete);
  else if (const auto *D = dyn_cast<CXXDestructorDecl>(&F))
    GD = GlobalDecl(D, Dtor_Complete);
  else
    return ""; // its own name
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  Mangler->mangleName(GD, OS);
  return Name;
}

/// Whether \p E names \p V or a part of it.
static bool names(const Expr *E, const VarDecl *V) {
  E = E->IgnoreParenImpCasts();
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    return D->getDecl()->getCanonicalDecl() == V->getCanonicalDecl();
  return llvm::any_of(E->children(), [&](const Stmt *S) {
    const auto *Part = dyn_cast_or_null<Expr>(S);
    return Part && names(Part, V);
  });
}

/// Whether each launch of \p Region gets a copy of \p V: by a clause, or since
/// it is a lambda that no clause maps (OpenMP 5.2, section 5.8.1).
static bool isPrivate(const OMPExecutableDirective &Region, const VarDecl *V,
                      bool IsLambda) {
  auto Names = [&](const auto *Clause) {
    return llvm::any_of(expressionsOf(*Clause),
                        [&](const Expr *E) { return names(E, V); });
  };
  bool Mapped = false;
  for (const OMPClause *C : Region.clauses()) {
    if (const auto *F = dyn_cast<OMPFirstprivateClause>(C); F && Names(F))
      return true;
    if (const auto *M = dyn_cast<OMPMapClause>(C); M && !M->isImplicit())
      Mapped |= Names(M);
  }
  return IsLambda && !Mapped;
}

/// Describes \p Capture as the kernel takes it, or nothing if it holds no
/// pointers by its type.
static std::optional<CaptureInfo>
describeCapture(ASTContext &Context, const OMPExecutableDirective &Region,
                const CapturedStmt::Capture &C, const FunctionDecl &Function,
                PointeeTypes *Types) {
  CaptureInfo Info;
  QualType T;
  if (C.capturesThis()) {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
    if (!Method)
      return std::nullopt;
    Info.Name = "this";
    T = Method->getThisType()->getPointeeType();
  } else if (C.capturesVariable() || C.capturesVariableByCopy()) {
    const VarDecl *V = C.getCapturedVar();
    Info.Name = V->getNameAsString();
    T = V->getType().getNonReferenceType();
    Info.IsPointer = C.capturesVariableByCopy() && T->isPointerType();
  } else {
    return std::nullopt;
  }
  if (T->isDependentType() || T->isIncompleteType() ||
      T->isVariablyModifiedType())
    return std::nullopt;
  QualType Element = Context.getBaseElementType(T);
  if (!Element->isPointerType() && !Element->isRecordType())
    return std::nullopt;
  if (const CXXRecordDecl *R = T->getAsCXXRecordDecl())
    Info.IsLambda = R->isLambda();
  if (C.capturesVariable() || C.capturesVariableByCopy())
    Info.IsPrivate = isPrivate(Region, C.getCapturedVar(), Info.IsLambda);
  Info.Const = T.isConstQualified();
  Info.Size =
      static_cast<uint64_t>(Context.getTypeSizeInChars(T).getQuantity());
  Info.Align =
      static_cast<uint64_t>(Context.getTypeAlignInChars(T).getQuantity());
  if (Info.Size == 0)
    return std::nullopt;
  if (!Info.IsPointer)
    Info.Layout = layoutOf(Context, T, Types);
  else if (Types)
    Info.Pointee = Types->number(T->getPointeeType());
  return Info;
}

/// Clang copies what is assumed of a captured statement to its function, which
/// is the kernel.
static void assume(CapturedDecl &Kernel, llvm::StringRef What) {
  for (const auto *A : Kernel.specific_attrs<OMPAssumeAttr>())
    if (A->getAssumption() == What)
      return;
  Kernel.addAttr(OMPAssumeAttr::CreateImplicit(Kernel.getASTContext(), What));
}

/// The captured statement that becomes the kernel of \p Region.
static CapturedDecl &kernelOf(const OMPExecutableDirective &Region) {
  return *const_cast<CapturedDecl *>(
      Region.getCapturedStmt(llvm::omp::OMPD_target)->getCapturedDecl());
}

/// Clauses that leave the schedule to the implementation, and the code of an
/// iteration as it is.
static bool isFree(const OMPClause *C) {
  switch (C->getClauseKind()) {
  case llvm::omp::OMPC_collapse:
  case llvm::omp::OMPC_default:
  case llvm::omp::OMPC_defaultmap:
  case llvm::omp::OMPC_depend:
  case llvm::omp::OMPC_device:
  case llvm::omp::OMPC_firstprivate:
  case llvm::omp::OMPC_has_device_addr:
  case llvm::omp::OMPC_if:
  case llvm::omp::OMPC_is_device_ptr:
  case llvm::omp::OMPC_map:
  case llvm::omp::OMPC_nowait:
  case llvm::omp::OMPC_num_teams:
  case llvm::omp::OMPC_private:
  case llvm::omp::OMPC_shared:
  case llvm::omp::OMPC_simdlen:
  case llvm::omp::OMPC_thread_limit:
    return true;
  default:
    return false;
  }
}

/// Whether \p C is schedule(static, 1). It deals the iterations of a team out
/// to its threads; which are the team's is left to the implementation.
static bool isDealt(const OMPClause *C, const ASTContext &Context) {
  auto *Schedule = dyn_cast<OMPScheduleClause>(C);
  if (!Schedule || Schedule->getScheduleKind() != OMPC_SCHEDULE_static ||
      Schedule->getFirstScheduleModifier() != OMPC_SCHEDULE_MODIFIER_unknown)
    return false;
  const Expr *Chunk = Schedule->getChunkSize();
  std::optional<llvm::APSInt> Size;
  if (Chunk && !Chunk->isValueDependent())
    Size = Chunk->getIntegerConstantExpr(Context);
  return Size && *Size == 1;
}

/// Whether \p Region is a loop over the threads of all teams, or has nothing
/// else, with no clauses but those that \p IsAllowed.
static bool
isLoopOverThreads(const OMPExecutableDirective &Region,
                  llvm::function_ref<bool(const OMPClause *)> IsAllowed) {
  if (!llvm::all_of(Region.clauses(), IsAllowed))
    return false;
  switch (Region.getDirectiveKind()) {
  case llvm::omp::OMPD_target: {
    auto *Loop = dyn_cast<OMPExecutableDirective>(
        Region.getRawStmt()->IgnoreContainers());
    return Loop && isOpenMPTeamsDirective(Loop->getDirectiveKind()) &&
           !isOpenMPTargetExecutionDirective(Loop->getDirectiveKind()) &&
           isLoopOverThreads(*Loop, IsAllowed);
  }
  case llvm::omp::OMPD_target_teams_distribute_parallel_for:
  case llvm::omp::OMPD_target_teams_distribute_parallel_for_simd:
  case llvm::omp::OMPD_target_teams_loop:
  case llvm::omp::OMPD_teams_distribute_parallel_for:
  case llvm::omp::OMPD_teams_distribute_parallel_for_simd:
  case llvm::omp::OMPD_teams_loop:
    return true;
  default:
    return false;
  }
}

static bool hasFreeSchedule(const OMPExecutableDirective &Region) {
  return isLoopOverThreads(Region, isFree);
}

static bool hasDealtSchedule(const OMPExecutableDirective &Region,
                             const ASTContext &Context) {
  return isLoopOverThreads(Region, [&](const OMPClause *C) {
    return isFree(C) || isDealt(C, Context);
  });
}

static bool hasIndependentIterations(const OMPExecutableDirective &Region) {
  return isLoopOverThreads(Region, [](const OMPClause *C) {
    return isFree(C) || isa<OMPReductionClause>(C);
  });
}

void RegionDescriber::describe(const OMPExecutableDirective &Region,
                               FunctionDecl &Function) {
  const llvm::Triple &Target = Context.getTargetInfo().getTriple();
  const bool IsDevice = Context.getLangOpts().OpenMPIsTargetDevice;
  // Else only kernels for GPUs need it (passes/closure/KernelParameters.h).
  if (IsDevice && !ForRemarks && !mayTakeWords(Target))
    return;
  if (!Described.insert(&Region).second)
    return;
  // As Clang does for the kernel's name (getEntryInfoFromPresumedLoc): #line
  // counts if it names a file that exists.
  const SourceManager &SM = Context.getSourceManager();
  PresumedLoc Loc = SM.getPresumedLoc(Region.getBeginLoc());
  llvm::sys::fs::UniqueID File;
  if (Loc.isValid() && llvm::sys::fs::getUniqueID(Loc.getFilename(), File))
    Loc = SM.getPresumedLoc(Region.getBeginLoc(), /*UseLineDirectives=*/false);
  if (Loc.isInvalid())
    return;
  RegionInfo Info;
  Info.Line = Loc.getLine();
  Info.Column = Loc.getColumn();
  Info.Index = Count[{Function.getCanonicalDecl(), Info.Line}]++;
  Info.Function = nameInKernels(Function);
  Info.UnifiedSharedMemory = UnifiedSharedMemory;
  Info.Independent = hasIndependentIterations(Region);
  Info.SeveralTargets = hasSeveralTargets();
  const CapturedStmt *Body =
      Region.getCapturedStmt(llvm::omp::Directive::OMPD_target);
  PointeeTypes Types(Context);
  for (const auto &[I, C] : llvm::enumerate(Body->captures()))
    if (auto Capture = describeCapture(Context, Region, C, Function,
                                       ForRemarks ? &Types : nullptr)) {
      Capture->Argument = static_cast<unsigned>(I);
      Info.Captures.push_back(std::move(*Capture));
    }
  if (ForRemarks) {
    Info.Name = nameForPeople(Function, Context);
    Info.HostIR = Context.getLangOpts().OMPHostIRFile;
    Info.Types = Types.describe();
  }
  if (IsDevice) {
    // The function that contains the region need not be in the device's module.
    assume(kernelOf(Region), toAssumption(Info));
    return;
  }
  // Clang takes the attributes of whichever declaration it met first.
  std::string Text = toAnnotation(Info);
  for (FunctionDecl *F : Function.redecls())
    F->addAttr(AnnotateAttr::CreateImplicit(Context, Text, nullptr, 0));
}

void RegionDescriber::noteClauses(const OMPExecutableDirective &Region) const {
  if (!isOpenMPTargetExecutionDirective(Region.getDirectiveKind()))
    return;
  CapturedDecl &Kernel = kernelOf(Region);
  if (hasFreeSchedule(Region))
    assume(Kernel, FreeScheduleAssumption);
  else if (hasDealtSchedule(Region, Context))
    for (StringRef Holds : {FreeScheduleAssumption, DealtScheduleAssumption})
      assume(Kernel, Holds);
  else if (hasIndependentIterations(Region))
    assume(Kernel, ReductionAssumption);
  if (Region.hasClausesOfKind<OMPXDynCGroupMemClause>())
    assume(Kernel, DynamicMemoryAssumption);
}

} // namespace ferry
