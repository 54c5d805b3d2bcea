/// What is noted of the effects of text.

#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

void Lowering::note_root(const VarDecl* variable, bool mutates, Effects& into) {
  const auto found = bindings_.find(variable);
  if (found == bindings_.end()) {
    if (variable->hasGlobalStorage() && !variable->getType().isConstant(context_.ast) &&
        !variable->isConstexpr()) {
      if (const auto path = variable_path(variable, variable->getLocation())) {
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
void Lowering::note_binding(const Binding& binding, QualType type, bool mutates, Effects& into) {
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

Effects Lowering::effects(const Stmt* statement) {
  Effects result;
  collect_effects(statement, false, result);
  return result;
}

/// What `statement`, carried over as text, reads, writes and calls.
void Lowering::note(ir::Statement* statement, const Effects& effects) {
  statement->reads.append(effects.reads.begin(), effects.reads.end());
  statement->text_writes.append(effects.writes.begin(), effects.writes.end());
  statement->by_address = statement->by_address || effects.by_address;
  for (const FunctionDecl* callee : effects.callees) {
    if (const FunctionDecl* body = visible_body(callee)) {
      statement->text_callees.push_back(body);
    }
  }
}

/// What writes by address may write all whose address is passed on anywhere: a loop may come there
/// first.
void Lowering::spread_writes() {
  llvm::SmallVector<Root*> exposed;
  for (Root& root : function_.roots) {
    if (root.exposed && root.kind != Root::Kind::Memory) {
      exposed.push_back(&root);
    }
  }
  for (Statement& statement : function_.statements) {
    if (statement.by_address || statement.kind == Statement::Kind::Call) {
      statement.text_writes.append(exposed.begin(), exposed.end());
    }
  }
}

}  // namespace ddx::compiler
