#include "compiler/derive/reached_functions.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SetVector.h"

namespace ddx::compiler {

using namespace clang;

namespace {

class Search : public RecursiveASTVisitor<Search> {
  using Base = RecursiveASTVisitor<Search>;

 public:
  explicit Search(ASTContext& ast) : ast_(ast) {}

  static bool shouldVisitImplicitCode() { return true; }
  bool shouldVisitTemplateInstantiations() const { return walks_unit_; }

  ReachedFunctions run(const FunctionDecl* first) {
    reached_.insert(first->getCanonicalDecl());
    look_into_bodies();
    const std::size_t named = reached_.size();
    if (calls_pointers_) {
      walks_unit_ = true;
      TraverseDecl(ast_.getTranslationUnitDecl());
      walks_unit_ = false;
      look_into_bodies();
    }
    return {{reached_.begin(), reached_.end()}, named};
  }

  bool TraverseDecl(Decl* declaration) {
    return (walks_unit_ && declaration && is_of_library(*declaration)) ||
           Base::TraverseDecl(declaration);
  }

  bool VisitDeclRefExpr(DeclRefExpr* reference) { return reach(reference->getDecl()); }
  bool VisitMemberExpr(MemberExpr* member) { return reach(member->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) { return reach(made->getConstructor()); }
  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
    calls_pointers_ = calls_pointers_ || !callee || (method && method->isVirtual());
    return true;
  }

 private:
  /// Of those that have not been looked into.
  void look_into_bodies() {
    for (; next_ < reached_.size(); ++next_) {
      const FunctionDecl* body = nullptr;
      if (reached_[next_]->hasBody(body) && body->getBody()) {
        TraverseDecl(const_cast<FunctionDecl*>(body));
      }
    }
  }

  bool is_of_library(const Decl& declaration) const {
    const auto* space = dyn_cast<NamespaceDecl>(&declaration);
    return (space && (space->isStdNamespace() || space->getName() == "ddx")) ||
           ast_.getSourceManager().isInSystemHeader(declaration.getLocation());
  }

  bool reach(const Decl* declaration) {
    const auto* function = dyn_cast<FunctionDecl>(declaration);
    if (function && !function->isDependentContext()) {
      reached_.insert(function->getCanonicalDecl());
    }
    return true;
  }

  ASTContext& ast_;
  llvm::SetVector<const FunctionDecl*> reached_;
  bool calls_pointers_ = false;
  bool walks_unit_ = false;
  std::size_t next_ = 0;
};

}  // namespace

ReachedFunctions reached_functions(const Context& context, const FunctionDecl* first) {
  return Search(context.ast).run(first);
}

}  // namespace ddx::compiler
