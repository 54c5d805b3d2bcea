#include "compiler/lower/calls/inactive_calls.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/inlining.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/texts.h"
#include "compiler/support/holds_reals.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// The container of which `object` is an element, by the library's `[]`, `back()` and the like, or
/// that of which that is one.
const Expr* below_elements(const Expr* object) {
  for (;;) {
    object = below_copies(object);
    const auto* call = dyn_cast<CallExpr>(object);
    const auto* method = call ? dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee()) : nullptr;
    if (!method || !in_library(method) || method->isStatic()) {
      return object;
    }
    const auto* member = dyn_cast<CXXMemberCallExpr>(call);
    object = member ? member->getImplicitObjectArgument() : call->getArg(0);
  }
}

}  // namespace

/// True for expressions that are text and change nothing.
bool InactiveCalls::are_text(llvm::ArrayRef<const Expr*> expressions) {
  return llvm::all_of(expressions, [&](const Expr* expression) {
    const Effects found = effects_.of(expression);
    return !found.lowers && found.writes.empty();
  });
}

/// Adds `source` as `text`. Returns: its value, where that is kept; else null.
Value* InactiveCalls::carry_over(const Expr* source, const Effects& found, const std::string& text,
                                 bool is_kept) {
  if (is_kept) {
    return texts_.text_value(source, found, text);
  }
  ir::Statement* made = builder_.add(ir::Statement::Kind::Text, source->getExprLoc());
  made->text = text;
  effects_.note(made, found);
  return nullptr;
}

bool InactiveCalls::inactive_member_call(const FunctionDecl* callee, const Expr* source,
                                         const Expr* object, llvm::ArrayRef<const Expr*> arguments,
                                         Value** value) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const Expr* const member = object ? below_elements(object) : nullptr;
  const bool of_element = object && member != object->IgnoreParenImpCasts();  // A bit, say.
  if (!method || (method->isConst() && !of_element) || !member ||
      !isa<MemberExpr, DeclRefExpr>(member) || member->getType()->isPointerType() ||
      context_.types.may_hold_real(member->getType()) || !are_text(arguments)) {
    return false;
  }
  const auto path = places_.object_path(member);
  if (!path || !path->root->has_tangent || path->steps.empty()) {
    return false;
  }
  const SourceLocation where = source->getExprLoc();
  const Binding place = places_.bind_alias(*path, false, "part", where);
  scope_.replaced[member] = hole(*place.alias);
  const auto text = texts_.text_of(source);
  Effects found = effects_.of(source);
  scope_.replaced.erase(member);
  if (!text) {
    return false;
  }
  const bool is_kept = !source->getType()->isVoidType() && !source->isGLValue();
  *value = carry_over(source, found, *text, is_kept);
  if (!method->isConst()) {
    ir::Statement* const made = builder_.block()->statements.back();
    made->text_writes.push_back(path->root);
    made->writes_inactive = true;
  }
  return true;
}

bool InactiveCalls::inactive_library_call(const FunctionDecl* callee, const Expr* source,
                                          const Expr* object, llvm::ArrayRef<const Expr*> arguments,
                                          Value** value) {
  const auto holds_real = [&](QualType type) {
    return context_.types.may_hold_real(type.getNonReferenceType());
  };
  const bool is_kept = !source->getType()->isVoidType() && source != scope_.discarded;
  if (!isa<CXXMethodDecl>(callee) || !in_library(callee) || !object ||
      holds_real(object->getType()) || (is_kept && source->isGLValue()) ||
      holds_real(source->getType()) || !are_text(arguments)) {
    return false;
  }
  const Effects found = effects_.of(source);
  const bool changes_numbers =
      llvm::any_of(found.writes, [](const Root* root) { return root->has_tangent; });
  const auto text = found.lowers || changes_numbers ? std::nullopt : texts_.text_of(source);
  if (!text) {
    return false;
  }
  *value = carry_over(source, found, *text, is_kept);
  return true;
}

/// A call without result of a function elsewhere that is given nothing but values without reals,
/// and nothing to write: a check, say.
bool InactiveCalls::is_given_constants(const CallSite& site) {
  const auto is_constant = [&](const ParmVarDecl* parameter) {
    const QualType type = parameter->getType();
    const QualType pointee = type->getPointeeType();
    return !context_.types.may_hold_real(type) && !Types::is_callable(type.getNonReferenceType()) &&
           (pointee.isNull() || (pointee.isConstQualified() && !pointee->isPointerType()));
  };
  return site.source->getType()->isVoidType() && !isa<CXXMethodDecl>(site.callee) &&
         !replacements_.visible_body(site.callee) && !site.callee->isVariadic() &&
         llvm::all_of(site.callee->parameters(), is_constant) && are_text(site.arguments);
}

std::optional<Value*> InactiveCalls::lower_by_rule(const CallSite& site) {
  const QualType type = site.source->getType();
  if (is_given_constants(site)) {
    const Effects found = effects_.of(site.source);
    if (const auto text = texts_.text_of(site.source); text && !found.lowers) {
      return carry_over(site.source, found, *text, false);
    }
  }
  const auto depends = [&](const Expr* argument) {
    return effects_.mentions_real(argument) || context_.types.is_scalarized(argument->getType());
  };
  if (site.of_scalarized || type->isVoidType() || site.object.known ||
      (site.object && effects_.mentions_real(site.object.expression)) ||
      llvm::any_of(site.arguments, depends)) {
    return std::nullopt;
  }
  // What the result refers to may be written: then it must be known.
  const bool mutable_result =
      site.source->isLValue() && !type.isConstQualified() && context_.types.may_hold_real(type);
  const auto has_body = [&] {
    return !in_library(site.callee) && replacements_.visible_body(site.callee);
  };
  if (mutable_result || (site.needs_place && site.source->isGLValue() && has_body())) {
    return std::nullopt;
  }
  Effects found = effects_.of(site.source);
  const bool of_a_part = Types::is_real(type) && has_body() && reads_a_part(found);
  if (found.lowers || of_a_part || inlining_.writes_a_part(site.callee, found)) {
    return std::nullopt;
  }
  const auto text = texts_.text_of(site.source);
  return text ? std::optional(texts_.text_value(site.source, found, *text)) : std::nullopt;
}

}  // namespace ddx::compiler
