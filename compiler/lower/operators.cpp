#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Value* Lowering::binary(const BinaryOperator* operation) {
  const SourceLocation where = operation->getExprLoc();
  if (operation->isAssignmentOp()) {
    const auto path = lvalue(operation);
    return path ? load(*path, where) : unsupported(operation, Diagnostic::UnsupportedAssignment);
  }
  if (operation->getOpcode() == BO_Comma) {
    discard(operation->getLHS());
    return rvalue(operation->getRHS());
  }
  if (context_.types.iterator(operation->getLHS()->getType()) &&
      context_.types.iterator(operation->getRHS()->getType())) {
    return compared(operation->getOpcode(), operation, operation->getLHS(), operation->getRHS());
  }
  if (operation->getLHS()->getType()->isPointerType() || operation->isPtrMemOp()) {
    return unsupported(operation);
  }
  Value* left = rvalue(operation->getLHS());
  Value* right = rvalue(operation->getRHS());
  if (!left || !right) {
    return unsupported(operation);
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
        return unsupported(operation);
    }
    return this->operation(rule, operation->getType(), {left, right}, where);
  }
  return form("$0 " + operation->getOpcodeStr().str() + " $1", operation->getType(), {left, right},
              where);
}

Value* Lowering::unary(const UnaryOperator* operation) {
  const SourceLocation where = operation->getExprLoc();
  switch (operation->getOpcode()) {
    case UO_Plus:
    case UO_Extension:
      return rvalue(operation->getSubExpr());
    case UO_Minus: {
      Value* operand = rvalue(operation->getSubExpr());
      return Types::is_real(operation->getType())
                 ? this->operation("neg", operation->getType(), {operand}, where)
                 : form("-$0", operation->getType(), {operand}, where);
    }
    case UO_LNot:
      return form("!$0", operation->getType(), {rvalue(operation->getSubExpr())}, where);
    case UO_Not:
      return form("~$0", operation->getType(), {rvalue(operation->getSubExpr())}, where);
    case UO_PostInc:
    case UO_PostDec:
    case UO_PreInc:
    case UO_PreDec: {
      Path target;
      Value* before = increment(operation, &target);
      if (!target.root) {
        return before;
      }
      return operation->isPostfix() ? before : load(target, where);
    }
    case UO_Deref:  // Bound to a reference: `std::pair<double, double>{*p, 1.0}`.
      return read(operation, where);
    default:
      return unsupported(operation);
  }
}

Value* Lowering::logical(const BinaryOperator* operation) {
  const SourceLocation where = operation->getExprLoc();
  Root* root = new_root(Root::Kind::Local, "outcome", operation->getType(), where);
  block_->roots.push_back(root);
  Value* first = rvalue(operation->getLHS());
  ir::Statement* declaration = add(ir::Statement::Kind::Declare, where);
  declaration->root = root;
  declaration->value = first;
  Path path;
  path.root = root;
  path.type = operation->getType();
  const bool is_or = operation->getOpcode() == BO_LOr;
  const ir::Statement* branch =
      add_if(is_or ? form("!$0", operation->getType(), {first}, where) : first, where);
  Block* outer = block_;
  block_ = branch->body;
  store(path, rvalue(operation->getRHS()), where);
  empty_moved_here(operation->getRHS());
  block_ = outer;
  return load(path, where);
}

Value* Lowering::select(const AbstractConditionalOperator* conditional) {
  const SourceLocation where = conditional->getExprLoc();
  // Of functions without `&` it selects the pointers.
  const QualType type = conditional->getType()->isFunctionType()
                            ? context_.ast.getPointerType(conditional->getType())
                            : conditional->getType();
  Root* root = new_root(Root::Kind::Local, "selected", type, where);
  block_->roots.push_back(root);
  Path path;
  path.root = root;
  path.type = type.getNonReferenceType().getUnqualifiedType();
  Value* test = condition(conditional->getCond());
  ir::Statement* declaration = add(ir::Statement::Kind::Declare, where);
  declaration->root = root;
  ir::Statement* branch = add_if(test, where);
  note_exact_comparisons(branch, conditional->getCond());
  Block* outer = block_;
  const auto arm = [&](Block* block, const Expr* expression) {
    block_ = block;
    expression = expression->IgnoreParens();
    Value* value = nullptr;
    if (isa<CXXThrowExpr>(expression)) {
      discard(expression);
    } else if (const auto* inner = dyn_cast<ConditionalOperator>(expression)) {
      value = select(inner);
    } else if (expression->getType()->isFunctionType()) {
      value = rvalue(ImplicitCastExpr::Create(context_.ast, type, CK_FunctionToPointerDecay,
                                              const_cast<Expr*>(expression), nullptr, VK_PRValue,
                                              FPOptionsOverride()));
    } else if (expression->isGLValue()) {
      const auto source = lvalue(expression);
      value = source ? load(*source, where) : unsupported(expression);
    } else {
      value = rvalue(expression);
    }
    if (value) {
      store(path, value, where);
    }
    empty_moved_here(expression);
    block_ = outer;
  };
  arm(branch->body, conditional->getTrueExpr());
  arm(branch->otherwise, conditional->getFalseExpr());
  return load(path, where);
}

/// Lowers ++ and --; returns the value before, and the object in `target`.
Value* Lowering::increment(const UnaryOperator* operation, Path* target) {
  const SourceLocation where = operation->getExprLoc();
  if (operation->getType()->isPointerType()) {
    move_iterator(operation);
    return nullptr;
  }
  const auto path = lvalue(operation->getSubExpr());
  if (!path) {
    return unsupported(operation);
  }
  Value* before = load(*path, where);
  Value* one = literal("1", operation->getType(), where);
  Value* after = Types::is_real(path->type)
                     ? this->operation(operation->isIncrementOp() ? "add" : "sub", path->type,
                                       {before, one}, where)
                     : form(operation->isIncrementOp() ? "$0 + $1" : "$0 - $1", path->type,
                            {before, one}, where);
  store(*path, after, where);
  *target = *path;
  return before;
}

/// `(condition ? a : b)` as a target: what is done to it is done in two branches.
void Lowering::for_each_arm(const ConditionalOperator* conditional, SourceLocation where,
                            llvm::function_ref<void(const Expr*)> action) {
  const ir::Statement* branch = add_if(condition(conditional->getCond()), where);
  Block* outer = block_;
  for (const auto& [block, arm] : {std::pair(branch->body, conditional->getTrueExpr()),
                                   std::pair(branch->otherwise, conditional->getFalseExpr())}) {
    block_ = block;
    action(arm);
    empty_moved_here(arm);
    block_ = outer;
  }
}

}  // namespace ddx::compiler
