#include "compiler/lower/rejections.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/texts.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// True for a text with numbers in it, or with calls of functions that may have some.
bool reaches_numbers(const Stmt* statement) {
  const auto* expression = dyn_cast_or_null<Expr>(statement);
  if (expression && Types::is_real(expression->getType())) {
    return true;
  }
  if (const auto* call = dyn_cast_or_null<CallExpr>(statement);
      call && (!call->getDirectCallee() || !in_library(call->getDirectCallee()))) {
    return true;
  }
  return statement && llvm::any_of(statement->children(),
                                   [](const Stmt* child) { return reaches_numbers(child); });
}

}  // namespace

void Rejections::touch_paths(const Stmt* statement, ir::Statement* into) {
  Effects found;
  effects_.collect(statement, true, found);
  const auto leads = [&](const Root* name) {
    const Root& root = named_root(*name);
    return context_.types.holds_dynamic_pointer(root.type);
  };
  if (reaches_numbers(statement) && llvm::any_of(found.reads, leads)) {
    into->always = true;  // It may write what the pointers lead to.
  }
  into->reads.assign(found.reads.begin(), found.reads.end());
  into->text_writes.assign(found.reads.begin(),
                           found.reads.end());  // It may write whatever it names.
  into->by_address = true;
}

Value* Rejections::unsupported(const Stmt* statement, Diagnostic diagnostic,
                               std::vector<std::string> facts) {
  RejectionCause cause{diagnostic, std::move(facts), {}};
  if (const auto better = explain(statement, diagnostic)) {
    cause = *better;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  std::optional<std::string> text = expression ? texts_.text_of(expression) : std::nullopt;
  ir::Statement* rejected =
      builder_.add(Statement::Kind::Unsupported,
                   expression ? expression->getExprLoc() : statement->getBeginLoc());
  if (cause.where.isValid()) {
    rejected->where = cause.where;
  }
  rejected->diagnostic = cause.diagnostic;
  rejected->facts = std::move(cause.facts);
  rejected->range = statement->getSourceRange();
  rejected->primal_text = text.value_or("");
  note_unplaced(statement, rejected);
  touch_paths(statement, rejected);
  if (!expression || expression->getType()->isVoidType()) {
    return nullptr;
  }
  Value* value = builder_.new_value(Value::Kind::Text, expression->getType(), rejected->where);
  value->text = rejected->primal_text;
  value->reads.assign(rejected->reads.begin(), rejected->reads.end());
  rejected->value = value;
  return value;
}

Value* Rejections::unsupported_argument(const Expr* call, const Expr* argument) {
  Value* value = unsupported(call, Diagnostic::UnsupportedArgument);
  ir::Statement& rejected = function_.statements.back();
  const auto cause = explain(argument, Diagnostic::UnsupportedArgument);
  rejected.diagnostic = cause ? cause->diagnostic : Diagnostic::UnsupportedArgument;
  rejected.facts = cause ? cause->facts : std::vector<std::string>{};
  rejected.where = cause && cause->where.isValid() ? cause->where : argument->getExprLoc();
  rejected.range = argument->getSourceRange();
  note_unplaced(argument, &rejected);
  return value;
}

}  // namespace ddx::compiler
