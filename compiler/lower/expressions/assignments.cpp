#include "compiler/lower/expressions/assignments.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/texts.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Path Assignments::assign(const BinaryOperator* operation) {
  const SourceLocation where = operation->getExprLoc();
  // C++17: the right operand of an assignment is evaluated first.
  const Expr* left = operation->getLHS()->IgnoreParens();
  if (left->getType()->isPointerType()) {
    iterators_.move_iterator(operation);
    return {};
  }
  Value* value = expressions_.rvalue(operation->getRHS());
  const auto path = value ? places_.lvalue(left) : std::nullopt;
  if (!path || !value) {
    if (!value || !assign_to_text(left, value, where)) {
      rejections_.unsupported(operation, Diagnostic::UnsupportedAssignment);
    }
    return {};
  }
  builder_.store(*path, value, where);
  return *path;
}

/// A number without tangent, put where only text leads: behind a pointer to an integer, say.
bool Assignments::assign_to_text(const Expr* target, Value* value, SourceLocation where) {
  Effects found;
  effects_.collect(target, /*mutates=*/true, found);
  const bool discrete =
      target->getType()->isScalarType() && !context_.types.may_hold_real(target->getType());
  const auto text = discrete && !found.lowers ? texts_.text_of(target) : std::nullopt;
  if (!text) {
    return false;
  }
  Root* root = builder_.new_root(Root::Kind::Local, "assigned",
                                 target->getType().getUnqualifiedType(), where);
  ir::Statement* declaration = builder_.declare_local(root, where);
  declaration->value = expressions_.convert(value, root->type, where);
  ir::Statement* statement = builder_.add(ir::Statement::Kind::Text, where);
  statement->text = *text + " = " + hole(*root);
  effects_.note(statement, found);
  statement->reads.push_back(root);
  return true;
}

Path Assignments::compound_assign(const CompoundAssignOperator* operation) {
  const Expr* left = operation->getLHS()->IgnoreParens();
  if (left->getType()->isPointerType()) {
    iterators_.move_iterator(operation);
    return {};
  }
  Value* value = expressions_.rvalue(operation->getRHS());
  return combine(operation, places_.lvalue(left), value);
}

/// `path op= value`, both lowered.
Path Assignments::combine(const CompoundAssignOperator* operation, std::optional<Path> path,
                          Value* value) {
  const SourceLocation where = operation->getExprLoc();
  if (!path || !value) {
    rejections_.unsupported(operation, Diagnostic::UnsupportedAssignment);
    return {};
  }
  const QualType computed = operation->getComputationResultType();
  const BinaryOperatorKind kind =
      BinaryOperator::getOpForCompoundAssignment(operation->getOpcode());
  const bool same = context_.ast.hasSameUnqualifiedType(computed, path->type);
  if (Types::is_real(path->type) && same && (kind == BO_Add || kind == BO_Sub)) {
    builder_.store(
        *path, value, where,
        kind == BO_Add ? ir::Statement::StoreMode::Add : ir::Statement::StoreMode::Subtract);
    return *path;
  }
  Value* before =
      expressions_.convert(builder_.load(*path, where), operation->getComputationLHSType(), where);
  Value* after = nullptr;
  if (Types::is_real(computed)) {
    switch (kind) {
      case BO_Add:
        after = builder_.operation("add", computed, {before, value}, where);
        break;
      case BO_Sub:
        after = builder_.operation("sub", computed, {before, value}, where);
        break;
      case BO_Mul:
        after = builder_.operation("mul", computed, {before, value}, where);
        break;
      case BO_Div:
        after = builder_.operation("div", computed, {before, value}, where);
        break;
      default:
        rejections_.unsupported(operation);
        return {};
    }
  } else {
    after = builder_.form("$0 " + BinaryOperator::getOpcodeStr(kind).str() + " $1", computed,
                          {before, value}, where);
  }
  if (Types::is_real(computed) && !Types::is_real(path->type)) {
    after = builder_.form(
        "static_cast<" + context_.names.type(path->type.getUnqualifiedType()) + ">($0)", path->type,
        {after}, where);
  } else {
    after = expressions_.convert(after, path->type, where);
  }
  builder_.store(*path, after, where);
  return *path;
}

}  // namespace ddx::compiler
