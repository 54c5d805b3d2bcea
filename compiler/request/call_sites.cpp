#include "compiler/request/call_sites.h"

#include "compiler/support/line_directives.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace ddx::compiler {
namespace {

/// Namespace std and those with a reserved name: the standard library's, Clang's, and our own.
bool belongs_to_the_implementation(const clang::NamespaceDecl& space) {
  return space.isStdNamespace() ||
         (space.getIdentifier() != nullptr && space.getName().starts_with("__"));
}

/// Appends the functions that `expression` may yield because it names them.
void collect_functions(const clang::Expr* expression,
                       llvm::SmallVectorImpl<clang::FunctionDecl*>& into) {
  expression = expression->IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(expression);
      address != nullptr && address->getOpcode() == clang::UO_AddrOf) {
    collect_functions(address->getSubExpr(), into);
  } else if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
    collect_functions(temporary->getSubExpr(), into);
  } else if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression)) {
    collect_functions(choice->getTrueExpr(), into);
    collect_functions(choice->getFalseExpr(), into);
  } else if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(named->getDecl())) {
      into.push_back(const_cast<clang::FunctionDecl*>(function));
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
               variable != nullptr && variable->getType().isConstQualified() &&
               variable->getAnyInitializer() != nullptr) {
      collect_functions(variable->getAnyInitializer(), into);
    }
  }
}

}  // namespace

class CallSites::Walk : public clang::RecursiveASTVisitor<CallSites::Walk> {
 public:
  Walk(CallSites& sites, clang::ASTContext& context) : sites_(sites), context_(context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(clang::Decl* declaration) {
    if (const auto* space = llvm::dyn_cast_or_null<clang::NamespaceDecl>(declaration);
        space != nullptr && belongs_to_the_implementation(*space)) {
      return true;
    }
    const clang::FunctionDecl* outer = caller_;
    if (const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration)) {
      caller_ = function->getCanonicalDecl();
    }
    const bool result = RecursiveASTVisitor::TraverseDecl(declaration);
    caller_ = outer;
    return result;
  }

  bool VisitLambdaExpr(clang::LambdaExpr* lambda) {
    // Where a lambda is made counts as its call: what calls it may be the standard library.
    add(lambda->getCallOperator(), lambda->getBeginLoc());
    // The base class walks the body of a generic lambda as written, not its instantiations.
    if (auto* pattern = lambda->getCallOperator()->getDescribedFunctionTemplate()) {
      for (clang::FunctionDecl* instantiation : pattern->specializations()) {
        add(instantiation, lambda->getBeginLoc());
        TraverseDecl(instantiation);
      }
    }
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* named) {
    add(llvm::dyn_cast<clang::FunctionDecl>(named->getDecl()), named->getLocation());
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* named) {
    add(llvm::dyn_cast<clang::FunctionDecl>(named->getMemberDecl()), named->getMemberLoc());
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construction) {
    add(construction->getConstructor(), construction->getLocation());
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || call->getNumArgs() == 0 ||
        llvm::isa<clang::CXXOperatorCallExpr, clang::CXXMemberCallExpr>(call) ||
        !sites_.in_library(callee->getLocation())) {
      return true;
    }
    const clang::Expr* first = call->getArg(0);
    const clang::QualType named = first->getType().getCanonicalType();
    const clang::QualType type = named->isFunctionType() ? context_.getPointerType(named) : named;
    if (!type->isFunctionPointerType()) {
      return true;
    }
    llvm::SmallVector<clang::FunctionDecl*> functions;
    collect_functions(first, functions);
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    const clang::SourceLocation where = name ? name->getLocation() : call->getExprLoc();
    auto& known = sites_.handed_[type.getUnqualifiedType()];
    for (clang::FunctionDecl* function : functions) {
      known.push_back({{function->getCanonicalDecl(), where}, callee->getCanonicalDecl()});
    }
    return true;
  }

 private:
  void add(const clang::FunctionDecl* callee, clang::SourceLocation where) {
    if (callee != nullptr && where.isValid() &&
        (sites_.in_library(callee->getLocation()) ||
         sites_.in_derivatives(callee->getLocation()))) {
      sites_.callers_[callee->getCanonicalDecl()].push_back({caller_, where});
    }
  }

  CallSites& sites_;
  clang::ASTContext& context_;
  const clang::FunctionDecl* caller_ = nullptr;
};

CallSites::CallSites(clang::Sema& sema, clang::SourceLocation entry_header)
    : sources_(sema.getSourceManager()) {
  llvm::StringRef path =
      sources_.getPresumedLoc(sources_.getExpansionLoc(entry_header)).getFilename();
  path.consume_back("ad/detail/entry.h");
  library_folder_ = path.str();
  Walk(*this, sema.Context).TraverseDecl(sema.Context.getTranslationUnitDecl());
}

bool CallSites::in_library(clang::SourceLocation where) const {
  if (where.isInvalid()) {
    return false;
  }
  const clang::PresumedLoc place = sources_.getPresumedLoc(sources_.getExpansionLoc(where));
  return place.isValid() && llvm::StringRef(place.getFilename()).starts_with(library_folder_);
}

/// True in the text of derivatives, where it does not name a line of the user's.
bool CallSites::in_derivatives(clang::SourceLocation where) const {
  const clang::PresumedLoc place = sources_.getPresumedLoc(sources_.getExpansionLoc(where));
  return place.isValid() && llvm::StringRef(place.getFilename()) == derivatives_file;
}

CallSites::Site CallSites::user_site(const clang::FunctionDecl* entry) const {
  Site nearest;  // In the text of derivatives, where no other is known.
  bool by_derivative = false;
  // Breadth first: the nearest user, and among equals the first in the source.
  llvm::SmallVector<const clang::FunctionDecl*> queue = {entry->getCanonicalDecl()};
  llvm::SmallPtrSet<const clang::FunctionDecl*, 8> seen = {queue.front()};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const auto found = callers_.find(queue[next]);
    if (found == callers_.end()) {
      continue;
    }
    for (const Site& site : found->second) {
      const bool is_synthesised = in_derivatives(site.where);
      if (!is_synthesised && !in_library(site.where)) {
        return {site.caller, site.where, by_derivative};
      }
      by_derivative = by_derivative || is_synthesised;
      if (is_synthesised && nearest.where.isInvalid()) {
        nearest = {site.caller, site.where, true};
      }
      if (site.caller != nullptr && seen.insert(site.caller).second) {
        queue.push_back(site.caller);
      }
    }
  }
  return nearest;
}

bool CallSites::is_plain_code(const clang::FunctionDecl* entry) const {
  const Site site = user_site(entry);
  for (const clang::DeclContext* around = site.caller; around != nullptr;
       around = around->getParent()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(around);
    if ((function != nullptr && function->isTemplateInstantiation()) ||
        llvm::isa<clang::ClassTemplateSpecializationDecl>(around)) {
      return false;
    }
  }
  return site.where.isValid() && !site.by_derivative;
}

llvm::SmallVector<NamedFunction> CallSites::named_as(clang::QualType pointer,
                                                     const clang::FunctionDecl* entry) const {
  llvm::SmallVector<NamedFunction> result;
  const auto found = handed_.find(pointer.getCanonicalType().getUnqualifiedType());
  if (found == handed_.end()) {
    return result;
  }
  // All that lead to the entry, library and program: the operators are among them.
  llvm::SmallVector<const clang::FunctionDecl*> queue = {entry->getCanonicalDecl()};
  llvm::SmallPtrSet<const clang::FunctionDecl*, 16> leading = {queue.front()};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const auto callers = callers_.find(queue[next]);
    if (callers == callers_.end()) {
      continue;
    }
    for (const Site& site : callers->second) {
      if (site.caller && in_library(site.where) && leading.insert(site.caller).second) {
        queue.push_back(site.caller);
      }
    }
  }
  llvm::SmallPtrSet<const clang::FunctionDecl*, 4> met;
  for (const Handed& handed : found->second) {
    if (leading.contains(handed.to) && met.insert(handed.named.function).second) {
      result.push_back(handed.named);
    }
  }
  return result;
}

}  // namespace ddx::compiler
