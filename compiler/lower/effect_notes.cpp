/// What is noted of the effects of text.

#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/scope.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

void EffectFinder::note_root(const VarDecl* variable, bool mutates, Effects& into) {
  const auto found = scope_.bindings.find(variable);
  if (found == scope_.bindings.end()) {
    if (variable->hasGlobalStorage() && !variable->getType().isConstant(context_.ast) &&
        !variable->isConstexpr()) {
      if (const auto path = places_.variable_path(variable, variable->getLocation())) {
        (mutates ? into.writes : into.reads).push_back(path->root);
        if (mutates && context_.types.may_hold_real(variable->getType())) {
          into.lowers = true;
        }
      }
    }
    return;
  }
  note_binding(found->second, variable->getType(), mutates, into);
}

/// A name of the given type that denotes `binding`.
void EffectFinder::note_binding(const Binding& binding, QualType type, bool mutates,
                                Effects& into) {
  if (binding.stands_for_callable()) {
    into.lowers = true;
    return;
  }
  Root* root = binding.path.root;
  if (!root) {
    return;
  }
  into.costly = into.costly || root->bound_to_text;
  into.by_address = into.by_address || (mutates && root->bound_to_text);
  into.reads.push_back(root);
  for (Root* counted : {binding.position, binding.extent}) {
    if (counted) {
      into.reads.push_back(counted);
    }
  }
  for (const Step& step : binding.path.steps) {
    for (Value* index : step.index) {
      into.reads.append(index->reads.begin(), index->reads.end());
    }
  }
  if (mutates) {
    into.writes.push_back(root);
    // A library object without tangent, whatever it holds, is rejected where active values enter
    // it.
    const CXXRecordDecl* record = Types::record(root->type);
    const bool opaque = root->kind == Root::Kind::Local && !root->has_tangent && record &&
                        in_library(record) && binding.path.steps.empty();
    if (!opaque && context_.types.may_hold_real(type)) {
      into.lowers = true;
    }
  }
}

Effects EffectFinder::of(const Stmt* statement) {
  Effects result;
  collect(statement, false, result);
  return result;
}

void EffectFinder::note(ir::Statement* statement, const Effects& effects) {
  statement->reads.append(effects.reads.begin(), effects.reads.end());
  statement->text_writes.append(effects.writes.begin(), effects.writes.end());
  statement->by_address = statement->by_address || effects.by_address;
  for (const FunctionDecl* callee : effects.callees) {
    if (const FunctionDecl* body = replacements_.visible_body(callee)) {
      statement->text_callees.push_back(body);
    }
  }
}

void EffectFinder::spread_writes() {
  llvm::SmallVector<Root*> exposed;
  for (Root& root : function_.roots) {
    if (root.exposed) {
      exposed.push_back(&root);
    }
  }
  for (Statement& statement : function_.statements) {
    if (statement.by_address || statement.kind == Statement::Kind::Call) {
      statement.text_writes.append(exposed.begin(), exposed.end());
    }
  }
}

bool reads_a_part(const Effects& found) {
  return llvm::any_of(found.reads, [](const Root* root) { return root->has_tangent; });
}

bool EffectFinder::mentions_real(const Stmt* statement) {
  const auto* expression = dyn_cast_or_null<Expr>(statement);
  if (!statement || (expression && scope_.replaced.contains(expression))) {
    return false;
  }
  if (const auto* opaque = dyn_cast<OpaqueValueExpr>(statement)) {
    return context_.types.may_hold_real(opaque->getType());
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
    const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
    if (!variable) {
      return isa<BindingDecl>(reference->getDecl());
    }
    return !variable->isConstexpr() && context_.types.may_hold_real(variable->getType());
  }
  if (isa<CXXThisExpr, LambdaExpr>(statement)) {
    return true;
  }
  if (const auto* member = dyn_cast<MemberExpr>(statement); member && scope_.known_member(member)) {
    return context_.types.may_hold_real(member->getType());
  }
  if (const auto* with_default = dyn_cast<CXXDefaultArgExpr>(statement)) {
    return mentions_real(with_default->getExpr());
  }
  if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(statement)) {
    return mentions_real(with_default->getExpr());
  }
  for (const Stmt* child : statement->children()) {
    if (mentions_real(child)) {
      return true;
    }
  }
  return false;
}

}  // namespace ddx::compiler
