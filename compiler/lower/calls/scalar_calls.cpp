#include "compiler/lower/calls/scalar_calls.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/effects.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/rejections.h"
#include "compiler/rules/scalar_rules.h"
#include "compiler/support/holds_reals.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// An operand: its value, or the place that it is read from when all operands are evaluated.
struct ScalarOperand {
  Value* value = nullptr;
  std::optional<Path> referred;
};

}  // namespace

std::optional<Value*> ScalarCalls::lower_by_rule(const CallSite& site) {
  const ScalarRule* rule = find_scalar_rule(site.callee);
  if (!rule) {
    return std::nullopt;
  }
  const bool is_builtin = site.callee->getBuiltinID() != 0 && !in_library(site.callee);
  std::string text =
      (is_builtin ? site.callee->getNameAsString() : context_.names.function(site.callee)) + "(";
  llvm::SmallVector<ScalarOperand, 3> given;
  for (unsigned i = 0; i < site.arguments.size(); ++i) {
    const Expr* argument = site.arguments[i]->IgnoreParens();
    if (isa<CXXDefaultArgExpr>(argument)) {
      break;
    }
    // What a parameter refers to is read when all arguments are evaluated: a later one may have
    // changed it.
    const bool changes = llvm::any_of(site.arguments.drop_front(i + 1), [&](const Expr* later) {
      const Effects found = effects_.of(later);
      return found.lowers || !found.writes.empty() || !found.callees.empty();
    });
    ScalarOperand operand;
    if (changes && argument->isGLValue() && !isa<MaterializeTemporaryExpr>(argument)) {
      operand.referred = places_.lvalue(argument);
      operand.value = operand.referred ? nullptr : rejections_.unsupported(argument);
    } else {
      operand.value = expressions_.argument_value(argument, site.where());
    }
    if (!operand.value && !operand.referred) {
      return nullptr;
    }
    text += (given.empty() ? "$" : ", $") + std::to_string(given.size());
    given.push_back(operand);
  }
  llvm::SmallVector<Value*, 3> operands;
  for (const ScalarOperand& operand : given) {
    operands.push_back(operand.referred ? builder_.load(*operand.referred, site.where())
                                        : operand.value);
  }
  if (operands.size() != rule->arity) {
    return std::nullopt;
  }
  Value* value = builder_.new_value(Value::Kind::Operation, site.source->getType(), site.where());
  value->text = text + ")";
  value->rule = value->has_tangent ? rule : nullptr;
  value->operands.assign(operands.begin(), operands.end());
  builder_.define(value);
  return value;
}

}  // namespace ddx::compiler
