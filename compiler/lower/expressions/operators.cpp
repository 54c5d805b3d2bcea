#include "compiler/lower/builder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Value* Expressions::binary(const BinaryOperator* operation) {
  const SourceLocation where = operation->getExprLoc();
  if (operation->isAssignmentOp()) {
    const auto path = places_.lvalue(operation);
    return path ? builder_.load(*path, where)
                : rejections_.unsupported(operation, Diagnostic::UnsupportedAssignment);
  }
  if (operation->getOpcode() == BO_Comma) {
    discard(operation->getLHS());
    return rvalue(operation->getRHS());
  }
  if (context_.types.iterator(operation->getLHS()->getType()) &&
      context_.types.iterator(operation->getRHS()->getType())) {
    return iterators_.compared(operation->getOpcode(), operation, operation->getLHS(),
                               operation->getRHS());
  }
  if (operation->getLHS()->getType()->isPointerType() || operation->isPtrMemOp()) {
    return rejections_.unsupported(operation);
  }
  Value* left = rvalue(operation->getLHS());
  Value* right = rvalue(operation->getRHS());
  if (!left || !right) {
    return rejections_.unsupported(operation);
  }
  if (Types::is_real(operation->getType())) {
    llvm::StringRef rule;
    switch (operation->getOpcode()) {
      case BO_Add:
        rule = "add";
        break;
      case BO_Sub:
        rule = "sub";
        break;
      case BO_Mul:
        rule = "mul";
        break;
      case BO_Div:
        rule = "div";
        break;
      default:
        return rejections_.unsupported(operation);
    }
    return builder_.operation(rule, operation->getType(), {left, right}, where);
  }
  return builder_.form("$0 " + operation->getOpcodeStr().str() + " $1", operation->getType(),
                       {left, right}, where);
}

Value* Expressions::unary(const UnaryOperator* operation) {
  const SourceLocation where = operation->getExprLoc();
  switch (operation->getOpcode()) {
    case UO_Plus:
    case UO_Extension:
      return rvalue(operation->getSubExpr());
    case UO_Minus: {
      Value* operand = rvalue(operation->getSubExpr());
      return Types::is_real(operation->getType())
                 ? builder_.operation("neg", operation->getType(), {operand}, where)
                 : builder_.form("-$0", operation->getType(), {operand}, where);
    }
    case UO_LNot:
      return builder_.form("!$0", operation->getType(), {rvalue(operation->getSubExpr())}, where);
    case UO_Not:
      return builder_.form("~$0", operation->getType(), {rvalue(operation->getSubExpr())}, where);
    case UO_PostInc:
    case UO_PostDec:
    case UO_PreInc:
    case UO_PreDec: {
      Path target;
      Value* before = increment(operation, &target);
      if (!target.root) {
        return before;
      }
      return operation->isPostfix() ? before : builder_.load(target, where);
    }
    case UO_Deref:  // Bound to a reference: `std::pair<double, double>{*p, 1.0}`.
      return read(operation, where);
    default:
      return rejections_.unsupported(operation);
  }
}

Value* Expressions::logical(const BinaryOperator* operation) {
  const SourceLocation where = operation->getExprLoc();
  Root* root = builder_.new_root(Root::Kind::Local, "outcome", operation->getType(), where);
  builder_.keep(root);
  Value* first = rvalue(operation->getLHS());
  ir::Statement* declaration = builder_.add(ir::Statement::Kind::Declare, where);
  declaration->root = root;
  declaration->value = first;
  Path path;
  path.root = root;
  path.type = operation->getType();
  const bool is_or = operation->getOpcode() == BO_LOr;
  const ir::Statement* branch = builder_.add_if(
      is_or ? builder_.form("!$0", operation->getType(), {first}, where) : first, where);
  Block* outer = builder_.block();
  builder_.enter(branch->body);
  builder_.store(path, rvalue(operation->getRHS()), where);
  builder_.enter(outer);
  return builder_.load(path, where);
}

Value* Expressions::select(const AbstractConditionalOperator* conditional) {
  const SourceLocation where = conditional->getExprLoc();
  const QualType type = conditional->getType();
  Root* root = builder_.new_root(Root::Kind::Local, "selected", type, where);
  builder_.keep(root);
  Path path;
  path.root = root;
  path.type = type.getNonReferenceType().getUnqualifiedType();
  Value* test = condition(conditional->getCond());
  ir::Statement* declaration = builder_.add(ir::Statement::Kind::Declare, where);
  declaration->root = root;
  ir::Statement* branch = builder_.add_if(test, where);
  note_exact_comparisons(branch, conditional->getCond());
  Block* outer = builder_.block();
  const auto arm = [&](Block* block, const Expr* expression) {
    builder_.enter(block);
    expression = expression->IgnoreParens();
    Value* value = nullptr;
    if (isa<CXXThrowExpr>(expression)) {
      discard(expression);
    } else if (const auto* inner = dyn_cast<ConditionalOperator>(expression)) {
      value = select(inner);
    } else if (expression->isGLValue()) {
      const auto source = places_.lvalue(expression);
      value = source ? builder_.load(*source, where) : rejections_.unsupported(expression);
    } else {
      value = rvalue(expression);
    }
    if (value) {
      builder_.store(path, value, where);
    }
    builder_.enter(outer);
  };
  arm(branch->body, conditional->getTrueExpr());
  arm(branch->otherwise, conditional->getFalseExpr());
  return builder_.load(path, where);
}

Value* Expressions::increment(const UnaryOperator* operation, Path* target) {
  const SourceLocation where = operation->getExprLoc();
  if (operation->getType()->isPointerType()) {
    iterators_.move_iterator(operation);
    return nullptr;
  }
  const auto path = places_.lvalue(operation->getSubExpr());
  if (!path) {
    return rejections_.unsupported(operation);
  }
  Value* before = builder_.load(*path, where);
  Value* one = builder_.literal("1", operation->getType(), where);
  Value* after = Types::is_real(path->type)
                     ? builder_.operation(operation->isIncrementOp() ? "add" : "sub", path->type,
                                          {before, one}, where)
                     : builder_.form(operation->isIncrementOp() ? "$0 + $1" : "$0 - $1", path->type,
                                     {before, one}, where);
  builder_.store(*path, after, where);
  *target = *path;
  return before;
}

void Expressions::for_each_arm(const ConditionalOperator* conditional, SourceLocation where,
                               llvm::function_ref<void(const Expr*)> action) {
  const ir::Statement* branch = builder_.add_if(condition(conditional->getCond()), where);
  Block* outer = builder_.block();
  for (const auto& [block, arm] : {std::pair(branch->body, conditional->getTrueExpr()),
                                   std::pair(branch->otherwise, conditional->getFalseExpr())}) {
    builder_.enter(block);
    action(arm);
    builder_.enter(outer);
  }
}

}  // namespace ddx::compiler
