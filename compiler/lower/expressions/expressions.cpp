#include "compiler/lower/expressions/expressions.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/calls/inactive_calls.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/effects.h"
#include "compiler/lower/expressions/assignments.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/expressions/synthesised_code.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/lower/texts.h"
#include "compiler/support/types.h"
#include "compiler/support/whole_types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Value* Expressions::condition(const Expr* expression) {
  Value* value = rvalue(expression);
  moved_objects_.check_moves(expression);
  return value;
}

void Expressions::discard(const Expr* expression) {
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
      discard(operation->getRHS());
      return;
    }
  }
  const bool real_target = context_.types.may_hold_real(expression->getType());
  if (inactive_calls_.write_output(expression) || dynamic_pointers_.loses_pointer(expression)) {
    return;
  }
  if (const auto* allocation = dyn_cast<CXXNewExpr>(expression);
      allocation && synthesised_code_.construct_in_place(allocation)) {
    return;
  }
  // As a throw: what never returns has no value that a derivative could miss.
  if (const auto* call = dyn_cast<CallExpr>(expression);
      call && call->getDirectCallee() && call->getDirectCallee()->isNoReturn()) {
    if (const auto text = texts_.text_of(call)) {
      ir::Statement* statement = builder_.add(ir::Statement::Kind::Text, expression->getExprLoc());
      statement->text = *text;
      Effects used = effects_.of(expression);
      statement->reads.assign(used.reads.begin(), used.reads.end());
      return;
    }
  }
  if (isa<CallExpr>(expression)) {
    std::optional<Path> reference;
    scope_.discarded = expression;
    calls_.call(expression, &reference);
    return;
  }
  if (scope_.is_in_scalarized(expression) &&
      scalarized_objects_.scalarized(expression).kind != Binding::Kind::None) {
    return;
  }
  Effects found = effects_.of(expression);
  const auto* combined = dyn_cast<BinaryOperator>(expression);
  const auto* step = dyn_cast<UnaryOperator>(expression);
  // Of an object with reals the one part that is named is written, and not as text would, any.
  const bool to_a_part =
      ((combined && combined->isAssignmentOp()) || (step && step->isIncrementDecrementOp())) &&
      llvm::any_of(found.writes, [](const Root* root) { return root->has_tangent; });
  if (!found.lowers && !real_target && !to_a_part) {
    if (const auto text = texts_.text_of(expression)) {
      ir::Statement* statement = builder_.add(ir::Statement::Kind::Text, expression->getExprLoc());
      const bool changes =
          (combined && combined->isAssignmentOp()) || (step && step->isIncrementDecrementOp());
      statement->text = changes ? *text : unused_value(*text);
      statement->assigns_character = combined && combined->getType()->isAnyCharacterType();
      effects_.note(statement, found);
      note_step(expression, statement);
      return;
    }
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression)) {
    Block* outer = builder_.block();
    const ir::Statement* branch =
        builder_.add_if(condition(conditional->getCond()), conditional->getExprLoc());
    builder_.enter(branch->body);
    discard(conditional->getTrueExpr());
    builder_.enter(branch->otherwise);
    discard(conditional->getFalseExpr());
    builder_.enter(outer);
    return;
  }
  if (isa<CXXThrowExpr>(expression)) {
    const auto* thrown = cast<CXXThrowExpr>(expression);
    if (const auto text = thrown->getSubExpr() ? texts_.text_of(thrown->getSubExpr())
                                               : std::optional<std::string>("")) {
      ir::Statement* statement = builder_.add(ir::Statement::Kind::Text, expression->getExprLoc());
      statement->text = "throw " + *text;
      Effects used = effects_.of(expression);
      statement->reads.assign(used.reads.begin(), used.reads.end());
      return;
    }
    rejections_.unsupported(expression, Diagnostic::UnsupportedThrow);
    return;
  }
  if (const auto* compound = dyn_cast<CompoundAssignOperator>(expression)) {
    assignments_.compound_assign(compound);
    return;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(expression);
      operation && operation->isAssignmentOp()) {
    assignments_.assign(operation);
    return;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression);
      operation && operation->isIncrementDecrementOp()) {
    Path target;
    increment(operation, &target);
    return;
  }
  if (expression->isGLValue()) {
    if (!places_.lvalue(expression)) {
      rejections_.unsupported(expression);
    }
    return;
  }
  if (expression->getType()->isRecordType()) {
    places_.materialise(expression);
    return;
  }
  rvalue(expression);
}

/// Marks `++i`, `i += 3` and the like, of a local integer.
void Expressions::note_step(const Expr* expression, ir::Statement* statement) {
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
    const auto found = scope_.bindings.find(dyn_cast<VarDecl>(reference->getDecl()));
    if (found != scope_.bindings.end() && found->second.path.root &&
        found->second.path.root->kind == Root::Kind::Local && found->second.path.steps.empty()) {
      statement->stepped = found->second.path.root;
      statement->step = amount;
    }
  }
}

Value* Expressions::rvalue(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto* with_default = dyn_cast<CXXDefaultArgExpr>(expression)) {
    return rvalue(with_default->getExpr());
  }
  if (Types::is_real(expression->getType())) {
    return real_value(expression);
  }
  return plain_value(expression);
}

Value* Expressions::plain_value(const Expr* expression) {
  if (dynamic_pointers_.is_dynamic_pointer_value(expression)) {
    return dynamic_pointers_.lost_pointer(expression);
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression->IgnoreParenImpCasts());
      conditional && conditional->getType()->isPointerType() &&
      effects_.mentions_real(conditional->getCond())) {
    return select(conditional);  // A real decides which object is meant, but is no part of it.
  }
  Effects found = effects_.of(expression);
  if (!found.lowers) {
    if (const auto text = texts_.text_of(expression)) {
      return texts_.text_value(expression, found, *text);
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
        return builder_.form("static_cast<" + context_.names.type(cast->getType()) + ">($0)",
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
    if (const auto path = places_.lvalue(expression)) {
      return builder_.load(*path, where);
    }
  }
  return rejections_.unsupported(expression);
}

Value* Expressions::call_value(const Expr* source, SourceLocation where) {
  std::optional<Path> reference;
  Value* value = calls_.call(source, &reference);
  if (reference) {
    return builder_.load(*reference, where);
  }
  return value || source->getType()->isVoidType() ? value : rejections_.unsupported(source);
}

Value* Expressions::read(const Expr* glvalue, SourceLocation where) {
  const Expr* source = glvalue->IgnoreParens();
  if (isa<CallExpr>(source)) {
    return call_value(source, where);
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(source)) {
    return select(conditional);
  }
  const auto path = places_.lvalue(source);
  return path ? builder_.load(*path, where) : rejections_.unsupported(source);
}

Value* Expressions::real_value(const Expr* expression) {
  expression = expression->IgnoreParens();
  const SourceLocation where = expression->getExprLoc();
  if (!effects_.mentions_real(expression)) {
    Effects found = effects_.of(expression);
    // An integer in it keeps nothing of a text that was made of numbers: its length, say.
    const auto is_computed_from_active = [&](const Root* root) {
      return !root->type.isNull() && root->type->isRecordType() &&
             !is_discrete(root->type, context_.types) && !context_.types.may_hold_real(root->type);
    };
    const bool counts =
        isa<CastExpr, BinaryOperator, UnaryOperator, ConditionalOperator>(expression) &&
        llvm::any_of(found.reads, is_computed_from_active);
    if (!found.lowers && !counts && !reads_a_part(found)) {
      if (const auto text = texts_.text_of(expression)) {
        return texts_.text_value(expression, found, *text);
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
        return rejections_.unsupported(expression);
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
    return builder_.literal("0", expression->getType(), where);
  }
  if (const auto* list = dyn_cast<InitListExpr>(expression)) {
    return list->getNumInits() == 0 ? builder_.literal("0", expression->getType(), where)
                                    : real_value(list->getInit(0));
  }
  if (expression->isGLValue()) {
    if (const auto path = places_.lvalue(expression)) {
      return builder_.load(*path, where);
    }
  }
  return rejections_.unsupported(expression);
}

Value* Expressions::convert(Value* value, QualType type, SourceLocation where) {
  if (!value || context_.ast.hasSameUnqualifiedType(value->type, type)) {
    return value;
  }
  Value* result = builder_.new_value(Value::Kind::Operation, type, where);
  result->text = "static_cast<" + context_.names.type(result->type) + ">($0)";
  result->rule = Types::is_real(value->type) ? conversion_rule() : nullptr;
  result->operands.push_back(value);
  builder_.define(result);
  return result;
}

Value* Expressions::argument_value(const Expr* argument, SourceLocation where) {
  const Expr* inner = argument->IgnoreParens();
  if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(inner)) {
    return rvalue(temporary->getSubExpr());
  }
  return inner->isGLValue() ? read(inner, where) : rvalue(inner);
}

}  // namespace ddx::compiler
