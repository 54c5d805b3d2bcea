#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Value* Lowering::condition(const Expr* expression) {
  Value* value = rvalue(expression);
  empty_moved_here(expression);
  return value;
}

void Lowering::discard(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    return discard(cleanups->getSubExpr());
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression); cast && cast->getCastKind() == CK_ToVoid) {
    return discard(cast->getSubExpr());
  }
  if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(expression);
      bound && isa<CallExpr>(bound->getSubExpr())) {
    expression = bound->getSubExpr();
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    if (operation->getOpcode() == BO_Comma) {
      discard(operation->getLHS());
      empty_moved_here(operation->getLHS());
      discard(operation->getRHS());
      return;
    }
  }
  const bool real_target = context_.types.may_hold_real(expression->getType());
  if (write_output(expression) || loses_pointer(expression)) {
    return;
  }
  if (const auto* allocation = dyn_cast<CXXNewExpr>(expression);
      allocation && construct_in_place(allocation)) {
    return;
  }
  // As a throw: what never returns has no value that a derivative could miss.
  if (const auto* call = dyn_cast<CallExpr>(expression);
      call && call->getDirectCallee() && call->getDirectCallee()->isNoReturn()) {
    if (const auto text = text_of(call)) {
      ir::Statement* statement = add(ir::Statement::Kind::Text, expression->getExprLoc());
      statement->text = *text;
      Effects used = effects(expression);
      statement->reads.assign(used.reads.begin(), used.reads.end());
      return;
    }
  }
  if (isa<CallExpr>(expression)) {
    std::optional<Path> reference;
    discarded_ = expression;
    call(expression, &reference);
    return;
  }
  if (is_in_scalarized(expression) && scalarized(expression).kind != Binding::Kind::None) {
    return;
  }
  Effects found = effects(expression);
  const auto* combined = dyn_cast<BinaryOperator>(expression);
  const auto* step = dyn_cast<UnaryOperator>(expression);
  // Of an object with reals the one part that is named is written, and not as text would, any.
  const bool to_a_part =
      ((combined && combined->isAssignmentOp()) || (step && step->isIncrementDecrementOp())) &&
      llvm::any_of(found.writes, [](const Root* root) { return root->has_tangent; });
  if (!found.lowers && !real_target && !to_a_part) {
    if (const auto text = text_of(expression)) {
      ir::Statement* statement = add(ir::Statement::Kind::Text, expression->getExprLoc());
      const bool changes =
          (combined && combined->isAssignmentOp()) || (step && step->isIncrementDecrementOp());
      statement->text = changes ? *text : unused_value(*text);
      statement->assigns_character = combined && combined->getType()->isAnyCharacterType();
      note(statement, found);
      note_step(expression, statement);
      return;
    }
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression)) {
    Block* outer = block_;
    const ir::Statement* branch =
        add_if(condition(conditional->getCond()), conditional->getExprLoc());
    block_ = branch->body;
    discard(conditional->getTrueExpr());
    empty_moved_here(conditional->getTrueExpr());
    block_ = branch->otherwise;
    discard(conditional->getFalseExpr());
    empty_moved_here(conditional->getFalseExpr());
    block_ = outer;
    return;
  }
  if (isa<CXXThrowExpr>(expression)) {
    const auto* thrown = cast<CXXThrowExpr>(expression);
    if (const auto text =
            thrown->getSubExpr() ? text_of(thrown->getSubExpr()) : std::optional<std::string>("")) {
      ir::Statement* statement = add(ir::Statement::Kind::Text, expression->getExprLoc());
      statement->text = "throw " + *text;
      Effects used = effects(expression);
      statement->reads.assign(used.reads.begin(), used.reads.end());
      return;
    }
    unsupported(expression, Diagnostic::UnsupportedThrow);
    return;
  }
  if (const auto* compound = dyn_cast<CompoundAssignOperator>(expression)) {
    compound_assign(compound);
    return;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(expression);
      operation && operation->isAssignmentOp()) {
    assign(operation);
    return;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression);
      operation && operation->isIncrementDecrementOp()) {
    Path target;
    increment(operation, &target);
    return;
  }
  if (expression->isGLValue()) {
    if (!lvalue(expression)) {
      unsupported(expression);
    }
    return;
  }
  if (expression->getType()->isRecordType()) {
    materialise(expression);
    return;
  }
  rvalue(expression);
}

/// Marks `++i`, `i += 3` and the like, of a local integer.
void Lowering::note_step(const Expr* expression, ir::Statement* statement) {
  const Expr* target = nullptr;
  long amount = 0;
  if (const auto* operation = dyn_cast<UnaryOperator>(expression);
      operation && operation->isIncrementDecrementOp()) {
    target = operation->getSubExpr();
    amount = operation->isIncrementOp() ? 1 : -1;
  } else if (const auto* compound = dyn_cast<CompoundAssignOperator>(expression)) {
    Expr::EvalResult constant;
    if ((compound->getOpcode() == BO_AddAssign || compound->getOpcode() == BO_SubAssign) &&
        compound->getRHS()->EvaluateAsInt(constant, context_.ast)) {
      target = compound->getLHS();
      amount =
          constant.Val.getInt().getExtValue() * (compound->getOpcode() == BO_AddAssign ? 1 : -1);
    }
  }
  const auto* reference = target ? dyn_cast<DeclRefExpr>(target->IgnoreParens()) : nullptr;
  if (reference && target->getType()->isIntegerType()) {
    const auto found = bindings_.find(dyn_cast<VarDecl>(reference->getDecl()));
    if (found != bindings_.end() && found->second.path.root &&
        found->second.path.root->kind == Root::Kind::Local && found->second.path.steps.empty()) {
      statement->stepped = found->second.path.root;
      statement->step = amount;
    }
  }
}

Value* Lowering::rvalue(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto* with_default = dyn_cast<CXXDefaultArgExpr>(expression)) {
    return rvalue(with_default->getExpr());
  }
  if (Types::is_real(expression->getType())) {
    return real_value(expression);
  }
  return plain_value(expression);
}

/// Values without tangent. Printed as they stand unless something in them must be lowered.
Value* Lowering::plain_value(const Expr* expression) {
  if (is_dynamic_pointer_value(expression)) {
    return lost_pointer(expression);
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression->IgnoreParenImpCasts());
      conditional && expression->getType()->isPointerType() &&
      mentions_real(conditional->getCond())) {
    return select(conditional);  // A real decides which object is meant, but is no part of it.
  }
  Effects found = effects(expression);
  if (!found.lowers) {
    if (const auto text = text_of(expression)) {
      return text_value(expression, found, *text);
    }
  }
  const SourceLocation where = expression->getExprLoc();
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    if (operation->isLogicalOp()) {
      return logical(operation);
    }
    return binary(operation);
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression)) {
    return unary(operation);
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression)) {
    return select(conditional);
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    switch (cast->getCastKind()) {
      case CK_LValueToRValue:
        return read(cast->getSubExpr(), where);
      case CK_UserDefinedConversion:
        return rvalue(cast->getSubExpr());
      case CK_NoOp:
      case CK_IntegralCast:
      case CK_FloatingToIntegral:
      case CK_FloatingToBoolean:
      case CK_IntegralToBoolean:
        return form("static_cast<" + context_.names.type(cast->getType()) + ">($0)",
                    cast->getType(), {rvalue(cast->getSubExpr())}, where);
      default:
        break;
    }
  }
  if (isa<CallExpr>(expression)) {
    return call_value(expression, where);
  }
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    return plain_value(cleanups->getSubExpr());
  }
  if (const auto* constant = dyn_cast<ConstantExpr>(expression)) {
    return rvalue(constant->getSubExpr());
  }
  if (const auto* rewritten = dyn_cast<CXXRewrittenBinaryOperator>(expression)) {
    return plain_value(rewritten->getSemanticForm());
  }
  if (expression->isGLValue()) {
    if (const auto path = lvalue(expression)) {
      return load(*path, where);
    }
  }
  return unsupported(expression);
}

/// What a call gives, read at once where that is an object. A call that gives nothing is an error:
/// what it was to make would be left as it is made by default.
Value* Lowering::call_value(const Expr* source, SourceLocation where) {
  std::optional<Path> reference;
  Value* value = call(source, &reference);
  if (reference) {
    return load(*reference, where);
  }
  return value || source->getType()->isVoidType() ? value : unsupported(source);
}

/// The value of the scalar that a glvalue names, read at once: what a call returns needs no object
/// to hold it.
Value* Lowering::read(const Expr* glvalue, SourceLocation where) {
  const Expr* source = glvalue->IgnoreParens();
  if (returns_conditional_lvalue(source)) {
    Path chosen;
    chosen.type = source->getType().getUnqualifiedType();
    chosen.root = new_root(Root::Kind::Local, "chosen", chosen.type, where);
    block_->roots.push_back(chosen.root);
    add(ir::Statement::Kind::Declare, where)->root = chosen.root;
    at_conditional_lvalue(source,
                          [&](const Path& place) { store(chosen, load(place, where), where); });
    return load(chosen, where);
  }
  if (isa<CallExpr>(source)) {
    return call_value(source, where);
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(source)) {
    return select(conditional);
  }
  const auto path = lvalue(source);
  return path ? load(*path, where) : unsupported(source);
}

Value* Lowering::real_value(const Expr* expression) {
  expression = expression->IgnoreParens();
  const SourceLocation where = expression->getExprLoc();
  if (!mentions_real(expression)) {
    Effects found = effects(expression);
    // An integer in it keeps nothing of a text that was made of numbers: its length, say.
    const auto is_computed_from_active = [&](const Root* root) {
      return !root->type.isNull() && root->type->isRecordType() &&
             !context_.types.is_discrete(root->type) && !context_.types.may_hold_real(root->type);
    };
    const bool counts =
        isa<CastExpr, BinaryOperator, UnaryOperator, ConditionalOperator>(expression) &&
        llvm::any_of(found.reads, is_computed_from_active);
    if (!found.lowers && !counts && !reads_a_part(found)) {
      if (const auto text = text_of(expression)) {
        return text_value(expression, found, *text);
      }
    }
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    switch (cast->getCastKind()) {
      case CK_LValueToRValue:
        return read(cast->getSubExpr(), where);
      case CK_FloatingCast:
      case CK_IntegralToFloating:
        return convert(rvalue(cast->getSubExpr()), cast->getType(), where);
      case CK_NoOp:
      case CK_ConstructorConversion:
        return rvalue(cast->getSubExpr());
      case CK_UserDefinedConversion:
        return rvalue(cast->getSubExpr());
      default:
        return unsupported(expression);
    }
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    return binary(operation);
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression)) {
    return unary(operation);
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression)) {
    return select(conditional);
  }
  if (isa<CallExpr>(expression)) {
    return call_value(expression, where);
  }
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    return real_value(cleanups->getSubExpr());
  }
  if (const auto* constant = dyn_cast<ConstantExpr>(expression)) {
    return real_value(constant->getSubExpr());
  }
  if (const auto* parameter = dyn_cast<SubstNonTypeTemplateParmExpr>(expression)) {
    return real_value(parameter->getReplacement());
  }
  if (const auto* with_default = dyn_cast<CXXDefaultArgExpr>(expression)) {
    return real_value(with_default->getExpr());
  }
  if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(expression)) {
    return real_value(with_default->getExpr());
  }
  if (isa<CXXScalarValueInitExpr, ImplicitValueInitExpr>(expression)) {
    return literal("0", expression->getType(), where);
  }
  if (const auto* list = dyn_cast<InitListExpr>(expression)) {
    return list->getNumInits() == 0 ? literal("0", expression->getType(), where)
                                    : real_value(list->getInit(0));
  }
  if (expression->isGLValue()) {
    if (const auto path = lvalue(expression)) {
      return load(*path, where);
    }
  }
  return unsupported(expression);
}

Value* Lowering::convert(Value* value, QualType type, SourceLocation where) {
  if (!value || context_.ast.hasSameUnqualifiedType(value->type, type)) {
    return value;
  }
  Value* result = new_value(Value::Kind::Operation, type, where);
  result->text = "static_cast<" + context_.names.type(result->type) + ">($0)";
  result->rule = Types::is_real(value->type) ? conversion_rule() : nullptr;
  result->operands.push_back(value);
  define(result);
  return result;
}

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
