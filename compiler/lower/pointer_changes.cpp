#include "compiler/lower/pointer_changes.h"

#include "clang/AST/RecursiveASTVisitor.h"

namespace ddx::compiler {
namespace {

using namespace clang;

class Search : public RecursiveASTVisitor<Search> {
 public:
  explicit Search(const VarDecl* pointer) : pointer_(pointer) {}

  bool TraverseImplicitCastExpr(ImplicitCastExpr* cast) {
    const bool reads = cast->getCastKind() == CK_LValueToRValue && names(cast->getSubExpr());
    return reads || RecursiveASTVisitor::TraverseImplicitCastExpr(cast);
  }
  bool VisitDeclRefExpr(DeclRefExpr* reference) {
    if (!names(reference)) {
      return true;
    }
    found_ = reference;
    return false;
  }

  [[nodiscard]] const DeclRefExpr* found() const { return found_; }

 private:
  bool names(const Expr* expression) const {
    const auto* reference = dyn_cast<DeclRefExpr>(expression->IgnoreParens());
    return reference && reference->getDecl() == pointer_;
  }

  const VarDecl* pointer_;
  const DeclRefExpr* found_ = nullptr;
};

}  // namespace

const DeclRefExpr* change_of(const VarDecl* pointer, const Stmt* body) {
  Search search(pointer);
  search.TraverseStmt(const_cast<Stmt*>(body));
  return search.found();
}

}  // namespace ddx::compiler
