#include "compiler/lower/expressions/conditional_lvalues.h"

#include "compiler/lower/calls/calls.h"
#include "compiler/lower/calls/inlining.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

bool ConditionalLvalues::returns_conditional_lvalue(const Expr* glvalue) {
  const auto* call = dyn_cast<CallExpr>(glvalue->IgnoreParens());
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getReturnType()->isReferenceType() || in_library(callee) ||
      !Types::is_real(callee->getReturnType().getNonReferenceType())) {
    return false;
  }
  const FunctionDecl* body = replacements_.visible_body(callee);
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const auto* compound = body ? dyn_cast<CompoundStmt>(body->getBody()) : nullptr;
  if (!compound || compound->body_empty() || (method && method->isVirtual()) ||
      !inlining_.may_inline(body)) {
    return false;
  }
  const auto* result = dyn_cast<ReturnStmt>(compound->body_back());
  return result && result->getRetValue() && result->getRetValue()->isGLValue() &&
         isa<ConditionalOperator>(result->getRetValue()->IgnoreParens());
}

void ConditionalLvalues::at_conditional_lvalue(const Expr* glvalue,
                                               llvm::function_ref<void(const Path&)> action) {
  auto* const outer = std::exchange(scope_.conditional_lvalue, &action);
  std::optional<Path> reference;
  calls_.call(glvalue->IgnoreParens(), &reference);
  scope_.conditional_lvalue = outer;
}

void ConditionalLvalues::visit_conditional_lvalue(const ConditionalOperator* conditional,
                                                  llvm::function_ref<void(const Path&)> action) {
  expressions_.for_each_arm(conditional, conditional->getExprLoc(), [&](const Expr* arm) {
    if (const auto* inner = dyn_cast<ConditionalOperator>(arm->IgnoreParens())) {
      visit_conditional_lvalue(inner, action);
    } else if (const auto place = places_.lvalue(arm)) {
      action(*place);
    } else {
      rejections_.unsupported(arm, Diagnostic::UnsupportedReferenceResult);
      function_.statements.back().always = true;
    }
  });
}

}  // namespace ddx::compiler
