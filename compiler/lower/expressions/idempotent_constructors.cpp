#include "compiler/lower/expressions/idempotent_constructors.h"

#include "compiler/rules/scalar_rules.h"
#include "compiler/support/holds_reals.h"

namespace ddx::compiler {

using namespace clang;

bool initialises_only(const CXXConstructorDecl* constructor) {
  const auto* body = dyn_cast_or_null<CompoundStmt>(constructor->getBody());
  return (constructor->isTrivial() || (body && body->body_empty())) &&
         llvm::all_of(constructor->inits(), [](const CXXCtorInitializer* initialiser) {
           return !initialiser->isDelegatingInitializer() &&
                  !(initialiser->isBaseInitializer() && initialiser->isBaseVirtual()) &&
                  is_idempotent(initialiser->getInit());
         });
}

bool is_idempotent(const Stmt* statement) {
  if (!statement) {
    return true;
  }
  if (isa<CXXNewExpr, CXXThrowExpr, LambdaExpr, StmtExpr>(statement)) {
    return false;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(statement);
      operation && operation->isAssignmentOp()) {
    return false;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(statement);
      operation && operation->isIncrementDecrementOp()) {
    return false;
  }
  if (const auto* call = dyn_cast<CallExpr>(statement)) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !(callee->isConstexpr() || find_scalar_rule(callee) || in_library(callee))) {
      return false;
    }
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(statement);
      construction && !in_library(construction->getConstructor()) &&
      !initialises_only(construction->getConstructor())) {
    return false;
  }
  if (const auto* inherited = dyn_cast<CXXInheritedCtorInitExpr>(statement);
      inherited && !initialises_only(inherited->getConstructor())) {
    return false;
  }
  if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(statement)) {
    return is_idempotent(with_default->getExpr());
  }
  return llvm::all_of(statement->children(),
                      [](const Stmt* child) { return is_idempotent(child); });
}

}  // namespace ddx::compiler
