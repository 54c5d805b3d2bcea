#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Path Lowering::assign(const BinaryOperator* operation) {
  const SourceLocation where = operation->getExprLoc();
  // C++17: the right operand of an assignment is evaluated first.
  const Expr* left = operation->getLHS()->IgnoreParens();
  if (const auto* conditional = dyn_cast<ConditionalOperator>(left)) {
    Value* value = rvalue(operation->getRHS());
    for_each_arm(conditional, where, [&](const Expr* arm) {
      if (const auto path = lvalue(arm)) {
        store(*path, value, where);
      } else {
        unsupported(arm, Diagnostic::UnsupportedAssignment);
      }
    });
    return {};
  }
  if (left->getType()->isPointerType()) {
    move_iterator(operation);
    return {};
  }
  Value* value = rvalue(operation->getRHS());
  if (value && returns_conditional_lvalue(left)) {
    at_conditional_lvalue(left, [&](const Path& place) { store(place, value, where); });
    return {};
  }
  const auto path = value ? lvalue(left) : std::nullopt;
  if (!path || !value) {
    if (!value || !assign_to_text(left, value, where)) {
      unsupported(operation, Diagnostic::UnsupportedAssignment);
    }
    return {};
  }
  store(*path, value, where);
  return *path;
}

/// A number without tangent, put where only text leads: behind a pointer to an integer, say.
bool Lowering::assign_to_text(const Expr* target, Value* value, SourceLocation where) {
  Effects found;
  collect_effects(target, /*mutates=*/true, found);
  const bool discrete =
      target->getType()->isScalarType() && !context_.types.may_hold_real(target->getType());
  const auto text = discrete && !found.lowers ? text_of(target) : std::nullopt;
  if (!text) {
    return false;
  }
  Root* root =
      new_root(Root::Kind::Local, "assigned", target->getType().getUnqualifiedType(), where);
  ir::Statement* declaration = declare_local(root, where);
  declaration->value = convert(value, root->type, where);
  ir::Statement* statement = add(ir::Statement::Kind::Text, where);
  statement->text = *text + " = " + hole(*root);
  note(statement, found);
  statement->reads.push_back(root);
  return true;
}

Path Lowering::compound_assign(const CompoundAssignOperator* operation) {
  const Expr* left = operation->getLHS()->IgnoreParens();
  if (left->getType()->isPointerType()) {
    move_iterator(operation);
    return {};
  }
  Value* value = rvalue(operation->getRHS());
  if (const auto* conditional = dyn_cast<ConditionalOperator>(left)) {
    for_each_arm(conditional, operation->getExprLoc(),
                 [&](const Expr* arm) { combine(operation, lvalue(arm), value); });
    return {};
  }
  if (returns_conditional_lvalue(left)) {
    at_conditional_lvalue(left, [&](const Path& place) { combine(operation, place, value); });
    return {};
  }
  return combine(operation, lvalue(left), value);
}

/// `path op= value`, both lowered.
Path Lowering::combine(const CompoundAssignOperator* operation, std::optional<Path> path,
                       Value* value) {
  const SourceLocation where = operation->getExprLoc();
  if (!path || !value) {
    unsupported(operation, Diagnostic::UnsupportedAssignment);
    return {};
  }
  const QualType computed = operation->getComputationResultType();
  const BinaryOperatorKind kind =
      BinaryOperator::getOpForCompoundAssignment(operation->getOpcode());
  const bool same = context_.ast.hasSameUnqualifiedType(computed, path->type);
  if (Types::is_real(path->type) && same && (kind == BO_Add || kind == BO_Sub)) {
    store(*path, value, where,
          kind == BO_Add ? ir::Statement::StoreMode::Add : ir::Statement::StoreMode::Subtract);
    return *path;
  }
  Value* before = convert(load(*path, where), operation->getComputationLHSType(), where);
  Value* after = nullptr;
  if (Types::is_real(computed)) {
    switch (kind) {
      case BO_Add:
        after = this->operation("add", computed, {before, value}, where);
        break;
      case BO_Sub:
        after = this->operation("sub", computed, {before, value}, where);
        break;
      case BO_Mul:
        after = this->operation("mul", computed, {before, value}, where);
        break;
      case BO_Div:
        after = this->operation("div", computed, {before, value}, where);
        break;
      default:
        unsupported(operation);
        return {};
    }
  } else {
    after = form("$0 " + BinaryOperator::getOpcodeStr(kind).str() + " $1", computed,
                 {before, value}, where);
  }
  if (Types::is_real(computed) && !Types::is_real(path->type)) {
    after = form("static_cast<" + context_.names.type(path->type.getUnqualifiedType()) + ">($0)",
                 path->type, {after}, where);
  } else {
    after = convert(after, path->type, where);
  }
  store(*path, after, where);
  return *path;
}

}  // namespace ddx::compiler
