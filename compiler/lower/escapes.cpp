#include "compiler/lower/escapes.h"

#include "compiler/support/types.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace ddx::compiler {

using namespace clang;

namespace {

class Finder {
 public:
  void find(const Stmt* body) {
    assigned(body);
    visit(body);
  }
  llvm::DenseSet<const VarDecl*> found;

 private:
  /// The variable that `object` is, or is a member of; elements are places that cursors know.
  static const VarDecl* variable_of(const Expr* object) {
    object = object->IgnoreParenImpCasts();
    while (const auto* member = dyn_cast<MemberExpr>(object)) {
      if (member->isArrow()) {
        return nullptr;
      }
      object = member->getBase()->IgnoreParenImpCasts();
    }
    const auto* reference = dyn_cast<DeclRefExpr>(object);
    const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && !isa<ParmVarDecl>(variable) &&
                   !variable->getType()->isReferenceType()
               ? variable
               : nullptr;
  }

  void add(const Expr* object) {
    if (const VarDecl* variable = variable_of(object)) {
      found.insert(variable);
    }
  }

  /// The objects whose address `pointer` may be.
  void add_addressed(const Expr* pointer) {
    pointer = pointer->IgnoreParenImpCasts();
    if (const auto* operation = dyn_cast<UnaryOperator>(pointer);
        operation && operation->getOpcode() == UO_AddrOf) {
      add(operation->getSubExpr());
    } else if (const auto* conditional = dyn_cast<ConditionalOperator>(pointer)) {
      add_addressed(conditional->getTrueExpr());
      add_addressed(conditional->getFalseExpr());
    } else if (const auto* list = dyn_cast<InitListExpr>(pointer)) {
      for (const Expr* part : list->inits()) {
        add_addressed(part);
      }
    } else if (const auto* elements = dyn_cast<CXXStdInitializerListExpr>(pointer)) {
      add_addressed(elements->getSubExpr());
    } else if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(pointer)) {
      add_addressed(temporary->getSubExpr());
    }
  }

  /// Pointers that do not always point to the same.
  void assigned(const Stmt* statement) {
    if (!statement) {
      return;
    }
    if (const auto* operation = dyn_cast<BinaryOperator>(statement);
        operation && operation->getOpcode() == BO_Assign &&
        operation->getLHS()->getType()->isPointerType()) {
      if (const VarDecl* variable = variable_of(operation->getLHS())) {
        changing_.insert(variable);
      }
    }
    for (const Stmt* child : statement->children()) {
      assigned(child);
    }
  }

  static bool in_library_call(const FunctionDecl* callee) { return callee && in_library(callee); }

  void visit(const Stmt* statement) {
    if (!statement) {
      return;
    }
    if (const auto* operation = dyn_cast<BinaryOperator>(statement);
        operation && operation->getOpcode() == BO_Assign &&
        operation->getLHS()->getType()->isPointerType()) {
      add_addressed(operation->getRHS());
    } else if (const auto* declarations = dyn_cast<DeclStmt>(statement)) {
      for (const Decl* declaration : declarations->decls()) {
        if (const auto* variable = dyn_cast<VarDecl>(declaration);
            variable && variable->getInit()) {
          visit_variable(*variable);
        }
      }
    } else if (const auto* construction = dyn_cast<CXXConstructExpr>(statement)) {
      for (const Expr* argument : construction->arguments()) {
        if (argument->getType()->isPointerType() || isa<CXXStdInitializerListExpr>(argument)) {
          add_addressed(argument);
        }
      }
    } else if (const auto* list = dyn_cast<InitListExpr>(statement)) {
      add_addressed(list);
    } else if (const auto* call = dyn_cast<CallExpr>(statement);
               call && in_library_call(call->getDirectCallee())) {
      for (const Expr* argument : call->arguments()) {
        add_addressed(argument);
      }
    }
    for (const Stmt* child : statement->children()) {
      visit(child);
    }
  }

  void visit_variable(const VarDecl& variable) {
    const Expr* initialiser = variable.getInit()->IgnoreParenImpCasts();
    if (variable.getType()->isReferenceType()) {
      if (const auto* conditional = dyn_cast<ConditionalOperator>(initialiser);
          conditional && conditional->isGLValue()) {
        add(conditional->getTrueExpr());
        add(conditional->getFalseExpr());
      }
    } else if (variable.getType()->isPointerType() &&
               (changing_.contains(&variable) || isa<ConditionalOperator>(initialiser))) {
      add_addressed(initialiser);
    }
  }

  llvm::DenseSet<const VarDecl*> changing_;
};

}  // namespace

llvm::DenseSet<const VarDecl*> escaping_variables(const Stmt* body) {
  Finder finder;
  finder.find(body);
  return std::move(finder.found);
}

}  // namespace ddx::compiler
