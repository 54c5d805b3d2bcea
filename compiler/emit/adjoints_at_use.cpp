#include "compiler/emit/adjoints_at_use.h"

#include "compiler/analysis/activity.h"

namespace ddx::compiler {

using namespace ir;

/// A scalar with one use, in its own block, has its adjoint defined by that use: a value is used in
/// its own full expression, which control does not leave half-way but by an exception.
void decide_adjoints_at_use(Block& block, Types& types) {
  llvm::DenseMap<const Statement*, unsigned> behind;  // How many places where it may be left.
  unsigned leaving = 0;
  for (const Statement* statement : block.statements) {
    behind[statement] = leaving;
    leaving += statement->exits.any() ? 1 : 0;
  }
  for (const Statement* statement : block.statements) {
    const bool defines =
        statement->kind == Statement::Kind::Define || statement->kind == Statement::Kind::Call;
    if (!defines || !statement->value || !statement->value->active() ||
        !statement->value->type->isScalarType()) {
      continue;
    }
    Value& defined = *statement->value;
    const bool additive = defined.user && (defined.user->kind == Statement::Kind::Define ||
                                           defined.user->kind == Statement::Kind::Store ||
                                           defined.user->kind == Statement::Kind::Declare ||
                                           defined.user->kind == Statement::Kind::Return);
    bool straight = defined.uses == 1 && !defined.nested_use && additive &&
                    defined.user->reversed && behind.lookup(defined.user) == behind[statement];
    if (straight && defined.user->kind == Statement::Kind::Define) {
      const Value& user = *defined.user->value;
      straight = user.kind == Value::Kind::Operation && user.rule && user.active();
      for (unsigned k = 0; straight && k < user.operands.size(); ++k) {
        straight = user.operands[k] != &defined || !user.rule->is_zero(k);
      }
    }
    if (straight && defined.user->kind == Statement::Kind::Store) {
      straight = defined.user->path.root->active() &&
                 is_differentiable(defined.user->path, types) && defined.user->value == &defined;
    }
    defined.adjoint_at_use = straight;
  }
}

}  // namespace ddx::compiler
