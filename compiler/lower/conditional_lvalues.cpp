#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// True for a call like `v[i]` of `double& operator[](int i) { return i == 0 ? x : y; }`: which
/// number it means is chosen at run time.
bool Lowering::returns_conditional_lvalue(const Expr* glvalue) {
  const auto* call = dyn_cast<CallExpr>(glvalue->IgnoreParens());
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getReturnType()->isReferenceType() || in_library(callee) ||
      !Types::is_real(callee->getReturnType().getNonReferenceType())) {
    return false;
  }
  const FunctionDecl* body = visible_body(callee);
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const auto* compound = body ? dyn_cast<CompoundStmt>(body->getBody()) : nullptr;
  if (!compound || compound->body_empty() || (method && method->isVirtual()) || !may_inline(body)) {
    return false;
  }
  const auto* result = dyn_cast<ReturnStmt>(compound->body_back());
  return result && result->getRetValue() && result->getRetValue()->isGLValue() &&
         isa<ConditionalOperator>(result->getRetValue()->IgnoreParens());
}

/// Lowers such a call, with `action` for each place that it may mean, in a branch of its own.
void Lowering::at_conditional_lvalue(const Expr* glvalue,
                                     llvm::function_ref<void(const Path&)> action) {
  auto* const outer = std::exchange(conditional_lvalue_, &action);
  std::optional<Path> reference;
  call(glvalue->IgnoreParens(), &reference);
  conditional_lvalue_ = outer;
}

void Lowering::visit_conditional_lvalue(const ConditionalOperator* conditional,
                                        llvm::function_ref<void(const Path&)> action) {
  for_each_arm(conditional, conditional->getExprLoc(), [&](const Expr* arm) {
    if (const auto* inner = dyn_cast<ConditionalOperator>(arm->IgnoreParens())) {
      visit_conditional_lvalue(inner, action);
    } else if (const auto place = lvalue(arm)) {
      action(*place);
    } else {
      unsupported(arm, Diagnostic::UnsupportedReferenceResult);
      function_.statements.back().always = true;
    }
  });
}

}  // namespace ddx::compiler
