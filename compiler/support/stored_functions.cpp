#include "compiler/support/stored_functions.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

#include <set>

namespace ddx::compiler {
namespace {

using clang::FunctionDecl;
using clang::QualType;

/// Functions of the unit that are named without being called.
class NamedFunctions : public clang::RecursiveASTVisitor<NamedFunctions> {
 public:
  NamedFunctions(const clang::ASTContext& context) : context_(context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  /// Only there are overloaded names in initialiser lists resolved.
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(clang::Decl* declaration) {
    // The library names none of the unit's functions, and is long.
    const bool foreign =
        declaration && declaration->getLocation().isValid() &&
        !llvm::isa<clang::TranslationUnitDecl, clang::NamespaceDecl, clang::LinkageSpecDecl>(
            declaration) &&
        context_.getSourceManager().isInSystemHeader(declaration->getLocation());
    return foreign || RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool TraverseCallExpr(clang::CallExpr* call) {
    if (!call->getDirectCallee()) {
      return RecursiveASTVisitor::TraverseCallExpr(call);
    }
    for (clang::Expr* argument : call->arguments()) {
      TraverseStmt(argument);
    }
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    const auto* function = llvm::dyn_cast<FunctionDecl>(reference->getDecl());
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
    if (function && !function->isDependentContext() && !(method && method->isInstance()) &&
        met_.insert(function->getCanonicalDecl()).second) {
      found.push_back(function);
    }
    return true;
  }

  std::vector<const FunctionDecl*> found;

 private:
  const clang::ASTContext& context_;
  std::set<const FunctionDecl*> met_;
};

}  // namespace

std::vector<const FunctionDecl*> stored_functions(clang::ASTContext& context, QualType type) {
  NamedFunctions named(context);
  named.TraverseAST(context);
  llvm::erase_if(named.found, [&](const FunctionDecl* function) {
    return !context.hasSameFunctionTypeIgnoringExceptionSpec(type->getPointeeType(),
                                                             function->getType());
  });
  return std::move(named.found);
}

}  // namespace ddx::compiler
