#include "compiler/shapes/entries.h"

#include "compiler/diagnostics/diagnostics.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace ddx::compiler::shapes {
namespace {

using Functions = llvm::SmallVector<const clang::FunctionDecl*, 4>;

/// The functions that the body of one names, by whether they may be expected to fail there.
class Named : public clang::RecursiveASTVisitor<Named> {
 public:
  Functions called;
  Functions expected;

  static bool shouldVisitImplicitCode() { return true; }

  bool TraverseCXXTryStmt(clang::CXXTryStmt* s) {
    ++handlers_;
    const bool goes_on = clang::RecursiveASTVisitor<Named>::TraverseCXXTryStmt(s);
    --handlers_;
    return goes_on;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr* e) {
    ++handlers_;
    const bool goes_on = TraverseStmt(e->getBody());
    --handlers_;
    for (clang::Expr* given : e->capture_inits()) {
      TraverseStmt(given);
    }
    return goes_on;
  }

  bool VisitCallExpr(clang::CallExpr* e) {
    if (const auto* reference =
            llvm::dyn_cast<clang::DeclRefExpr>(e->getCallee()->IgnoreParenImpCasts())) {
      callees_.insert(reference);
    }
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(e->getDecl())) {
      add(function, callees_.contains(e));
    }
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* e) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(e->getMemberDecl())) {
      add(function, true);
    }
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* e) {
    add(e->getConstructor(), true);
    return true;
  }

 private:
  void add(const clang::FunctionDecl* function, bool is_called) {
    (is_called && handlers_ == 0 ? called : expected).push_back(function->getCanonicalDecl());
  }

  unsigned handlers_ = 0;
  llvm::DenseSet<const clang::DeclRefExpr*> callees_;
};

/// Finds the functions of the program, templates as their instantiations.
class Definitions : public clang::RecursiveASTVisitor<Definitions> {
 public:
  explicit Definitions(const clang::SourceManager& sources) : sources_(sources) {}

  std::vector<const clang::FunctionDecl*> found;

  static bool shouldVisitTemplateInstantiations() { return true; }
  static bool TraverseStmt(clang::Stmt* /*statement*/) { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (function->isThisDeclarationADefinition() && function->hasBody() &&
        !function->isDependentContext() && !function->isImplicit() && !function->isDefaulted() &&
        is_of_user(sources_, sources_.getExpansionLoc(function->getLocation()))) {
      found.push_back(function);
    }
    return true;
  }

 private:
  const clang::SourceManager& sources_;
};

bool is_in_program(const clang::SourceManager& sources, const clang::Decl& declaration) {
  return is_of_user(sources, sources.getExpansionLoc(declaration.getLocation()));
}

}  // namespace

bool has_tensors(clang::ASTContext& ast) {
  const auto lookup = [&](const clang::DeclContext* context, llvm::StringRef name) {
    return context->lookup(&ast.Idents.get(name));
  };
  for (const clang::NamedDecl* space : lookup(ast.getTranslationUnitDecl(), "ddx")) {
    const auto* ddx = llvm::dyn_cast<clang::NamespaceDecl>(space);
    if (ddx != nullptr && !lookup(ddx, "Tensor").empty()) {
      return true;
    }
  }
  return false;
}

std::vector<const clang::FunctionDecl*> entries_of(clang::ASTContext& ast) {
  const clang::SourceManager& sources = ast.getSourceManager();
  Definitions definitions(sources);
  for (clang::Decl* declaration : ast.getTranslationUnitDecl()->noload_decls()) {
    if (is_in_program(sources, *declaration)) {
      definitions.TraverseDecl(declaration);
    }
  }
  llvm::DenseMap<const clang::FunctionDecl*, Functions> called;
  llvm::SmallVector<const clang::FunctionDecl*> excluded;
  for (const clang::FunctionDecl* function : definitions.found) {
    Named named;
    named.TraverseDecl(const_cast<clang::FunctionDecl*>(function));
    called[function->getCanonicalDecl()] = named.called;
    excluded.append(named.expected.begin(), named.expected.end());
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    if (method != nullptr && method->getParent()->isLambda()) {
      excluded.push_back(function->getCanonicalDecl());
    }
  }
  llvm::DenseSet<const clang::FunctionDecl*> expected;
  while (!excluded.empty()) {
    const clang::FunctionDecl* function = excluded.pop_back_val();
    if (expected.insert(function).second) {
      const auto found = called.find(function);
      if (found != called.end()) {
        excluded.append(found->second.begin(), found->second.end());
      }
    }
  }
  std::vector<const clang::FunctionDecl*> entries;
  for (const clang::FunctionDecl* function : definitions.found) {
    if (!expected.contains(function->getCanonicalDecl())) {
      entries.push_back(function);
    }
  }
  return entries;
}

}  // namespace ddx::compiler::shapes
