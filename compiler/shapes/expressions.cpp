#include "compiler/shapes/expressions.h"

#include "compiler/shapes/arithmetic.h"
#include "compiler/shapes/natives.h"

#include "clang/AST/ExprConcepts.h"

namespace ddx::compiler::shapes {

/// What Clang knows the value of.
const Value* Expressions::folded(const clang::Expr* e) {
  clang::Expr::EvalResult result;
  if (!e->isValueDependent() && e->EvaluateAsRValue(result, in_.ast_) && result.Val.isInt()) {
    return in_.constant(result.Val, e->getType(), e->getExprLoc());
  }
  return unknown(false);
}

const Value* Expressions::rvalue(const clang::Expr* e) {
  using clang::Stmt;
  switch (e->getStmtClass()) {
    case Stmt::IntegerLiteralClass:
    case Stmt::CXXBoolLiteralExprClass:
    case Stmt::CharacterLiteralClass:
    case Stmt::UnaryExprOrTypeTraitExprClass:
    case Stmt::TypeTraitExprClass:
    case Stmt::SizeOfPackExprClass:
    case Stmt::CXXNoexceptExprClass:
    case Stmt::ConceptSpecializationExprClass:
    case Stmt::RequiresExprClass:
      return folded(e);
    case Stmt::DeclRefExprClass:  // An enumerator.
      return folded(e);
    case Stmt::CXXNullPtrLiteralExprClass:
    case Stmt::GNUNullExprClass:
      return in_.arena().number(0);
    case Stmt::FloatingLiteralClass:
    case Stmt::StringLiteralClass:
      return unknown(false);
    case Stmt::ImplicitValueInitExprClass:
    case Stmt::CXXScalarValueInitExprClass:
      return in_.zero(e->getType());
    case Stmt::ImplicitCastExprClass:
    case Stmt::CStyleCastExprClass:
    case Stmt::CXXFunctionalCastExprClass:
    case Stmt::CXXStaticCastExprClass:
      return cast(llvm::cast<clang::CastExpr>(e));
    case Stmt::BinaryOperatorClass:
    case Stmt::CompoundAssignOperatorClass:
      return binary(llvm::cast<clang::BinaryOperator>(e));
    case Stmt::UnaryOperatorClass:
      return unary(llvm::cast<clang::UnaryOperator>(e));
    case Stmt::ConditionalOperatorClass:
      return conditional(llvm::cast<clang::AbstractConditionalOperator>(e), false);
    case Stmt::InitListExprClass:
      return list(llvm::cast<clang::InitListExpr>(e));
    case Stmt::LambdaExprClass:
      return closure(llvm::cast<clang::LambdaExpr>(e));
    case Stmt::CXXStdInitializerListExprClass:
      return in_.state_.load(lvalue(llvm::cast<clang::CXXStdInitializerListExpr>(e)->getSubExpr()));
    case Stmt::CXXThisExprClass:
      return in_.arena().pointer(in_.frame().self);
    case Stmt::CXXThrowExprClass:
      children(e);
      in_.state_.flow = in_.state_.runs() ? Flow::Throws : in_.state_.flow;
      return unknown(false);
    default:
      return children(e);
  }
}

/// Wrappers, and all else: its parts for their effects.
const Value* Expressions::children(const clang::Expr* e) {
  if (const auto* full = llvm::dyn_cast<clang::FullExpr>(e)) {
    return in_.rvalue(full->getSubExpr());
  }
  if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e)) {
    in_.begin_life(bound->getType());
    return in_.rvalue(bound->getSubExpr());
  }
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e)) {
    return in_.rvalue(given->getExpr());
  }
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultInitExpr>(e)) {
    return in_.rvalue(given->getExpr());
  }
  if (const auto* replaced = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(e)) {
    return in_.rvalue(replaced->getReplacement());
  }
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(e)) {
    return in_.rvalue(rewritten->getSemanticForm());
  }
  if (llvm::isa<clang::StmtExpr>(e)) {
    in_.give_up();  // Its statements are not executed.
    return unknown();
  }
  if (llvm::isa<clang::SourceLocExpr, clang::PredefinedExpr>(e)) {
    return unknown(false);
  }
  for (const clang::Stmt* child : e->children()) {
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child)) {
      const Value* value =
          part->isGLValue() ? in_.arena().pointer(in_.lvalue(part)) : in_.rvalue(part);
      in_.state_.escape(value);
    }
  }
  in_.state_.forget_escaped();
  return unknown();
}

const Value* Expressions::cast(const clang::CastExpr* e) {
  const clang::Expr* from = e->getSubExpr();
  switch (e->getCastKind()) {
    case clang::CK_LValueToRValue:
      return in_.state_.load(in_.lvalue(from));
    case clang::CK_NoOp:
      return from->isGLValue() ? in_.state_.load(in_.lvalue(from)) : in_.rvalue(from);
    case clang::CK_ConstructorConversion:
    case clang::CK_UserDefinedConversion:
      return in_.rvalue(from);
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToBoolean:
    case clang::CK_BooleanToSignedIntegral:
      return converted(in_.ast_, in_.arena(), in_.rvalue(from), e->getType());
    case clang::CK_ArrayToPointerDecay: {
      const Place array = in_.lvalue(from);
      return in_.arena().pointer(array.at({0, nullptr}));
    }
    case clang::CK_PointerToBoolean: {
      const Value* pointer = in_.rvalue(from);
      return pointer->kind == Kind::Pointer ? in_.arena().number(1) : pointer;
    }
    case clang::CK_NullToPointer:
      return in_.arena().number(0);
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase: {
      if (e->getType()->isPointerType()) {
        return in_.arena().pointer(base(place_of(*in_.rvalue(from)), e));
      }
      return in_.state_.load(base(added(in_.rvalue(from)), e));
    }
    case clang::CK_FunctionToPointerDecay:
      return in_.state_.load(in_.lvalue(from));
    case clang::CK_BuiltinFnToFnPtr:
    case clang::CK_NullToMemberPointer:
      return unknown(false);
    case clang::CK_ToVoid:
      from->isGLValue() ? (void)in_.lvalue(from) : (void)in_.rvalue(from);
      return unknown(false);
    case clang::CK_FloatingToIntegral:
    case clang::CK_IntegralToFloating:
    case clang::CK_FloatingCast:
    case clang::CK_FloatingToBoolean:
      return unknown(is_informed(*in_.rvalue(from)));
    default:
      return children(e);
  }
}

const Value* Expressions::binary(const clang::BinaryOperator* e) {
  if (e->isLogicalOp()) {
    return logical(e);
  }
  if (e->isAssignmentOp()) {
    return in_.state_.load(place_of(*assignment(e)));
  }
  if (e->getOpcode() == clang::BO_Comma) {
    in_.rvalue(e->getLHS());
    return in_.rvalue(e->getRHS());
  }
  if (e->isPtrMemOp()) {
    return children(e);
  }
  const Value* left = in_.rvalue(e->getLHS());
  const Value* right = in_.rvalue(e->getRHS());
  const Value* result = computed(in_.ast_, in_.arena(), e, left, right);
  follow(e->getType(), result, {left, right});
  return result;
}

/// A pointer that is computed in a way that is not followed: what it was computed from may change
/// through it.
void Expressions::follow(clang::QualType type, const Value* result,
                         llvm::ArrayRef<const Value*> operands) {
  if (type->isPointerType() && result->kind != Kind::Pointer) {
    for (const Value* operand : operands) {
      in_.state_.escape(operand);
    }
  }
}

/// && and ||: the right operand runs in a branch.
const Value* Expressions::logical(const clang::BinaryOperator* e) {
  const bool is_and = e->getOpcode() == clang::BO_LAnd;
  const Value* left = in_.rvalue(e->getLHS());
  const Value* right = nullptr;
  const auto evaluate = [&] { right = in_.rvalue(e->getRHS()); };
  in_.branch(
      left, is_and ? llvm::function_ref<void()>(evaluate) : [] {},
      is_and ? llvm::function_ref<void()>([] {}) : evaluate);
  if (right == nullptr) {
    return left;
  }
  if (left->is_number()) {
    return right;
  }
  const bool decides = right->is_number() && (right->number == 0) == is_and;
  return decides ? in_.arena().number(is_and ? 0 : 1)
                 : unknown(left->lost || left->kind != Kind::Unknown || is_informed(*right));
}

/// A pointer to what is assigned to.
const Value* Expressions::assignment(const clang::BinaryOperator* e) {
  const Value* right = in_.rvalue(e->getRHS());
  const Place place = in_.lvalue(e->getLHS());
  if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(e)) {
    const Value* old = in_.state_.load(place);
    right = computed(in_.ast_, in_.arena(), compound, old, right);
    if (!e->getType()->isPointerType()) {
      right = converted(in_.ast_, in_.arena(), right, e->getLHS()->getType());
    }
    follow(e->getType(), right, {old});
  }
  in_.state_.store(place, right);
  return in_.arena().pointer(place);
}

Place Expressions::step_number(const clang::UnaryOperator* e) {
  const Place place = in_.lvalue(e->getSubExpr());
  const Value* one = in_.arena().number(e->isIncrementOp() ? 1 : -1);
  const Value* old = in_.state_.load(place);
  const Value* next = old->kind == Kind::Pointer ? moved(in_.arena(), old, one)
                      : old->is_number()
                          ? converted(in_.ast_, in_.arena(),
                                      in_.arena().number(old->number + one->number), e->getType())
                          : unknown(old->kind != Kind::Unknown || old->lost);
  follow(e->getType(), next, {old});
  in_.state_.store(place, next);
  return place;
}

const Value* Expressions::unary(const clang::UnaryOperator* e) {
  switch (e->getOpcode()) {
    case clang::UO_AddrOf:
      return e->getSubExpr()->isGLValue() && !e->getSubExpr()->getType()->isFunctionType() &&
                     !e->getType()->isMemberPointerType()
                 ? in_.arena().pointer(in_.lvalue(e->getSubExpr()))
                 : unknown(false);
    case clang::UO_PreInc:
    case clang::UO_PreDec:
      return in_.state_.load(step_number(e));
    case clang::UO_PostInc:
    case clang::UO_PostDec: {
      const Value* old = in_.state_.load(in_.lvalue(e->getSubExpr()));
      step_number(e);
      return old;
    }
    case clang::UO_Plus:
      return in_.rvalue(e->getSubExpr());
    case clang::UO_Minus:
    case clang::UO_LNot: {
      const Value* value = in_.rvalue(e->getSubExpr());
      if (value->is_number() && value->number != INT64_MIN) {
        const bool is_not = e->getOpcode() == clang::UO_LNot;
        const std::int64_t result = is_not ? (value->number == 0 ? 1 : 0) : -value->number;
        return converted(in_.ast_, in_.arena(), in_.arena().number(result, value->origin),
                         e->getType());
      }
      return unknown(is_informed(*value));
    }
    case clang::UO_Extension:
      return in_.rvalue(e->getSubExpr());
    default:
      return children(e);
  }
}

/// The value, or a pointer to the object.
const Value* Expressions::conditional(const clang::AbstractConditionalOperator* e, bool as_place) {
  const Value* condition = in_.rvalue(e->getCond());
  const Value* first = nullptr;
  const Value* second = nullptr;
  const auto value = [&](const clang::Expr* chosen) {
    if (as_place) {
      return in_.arena().pointer(in_.lvalue(chosen));
    }
    return chosen->isGLValue() ? in_.state_.load(in_.lvalue(chosen)) : in_.rvalue(chosen);
  };
  bool first_runs = false;
  bool second_runs = false;
  in_.branch(
      condition,
      [&] {
        first = value(e->getTrueExpr());
        first_runs = in_.state_.runs();
      },
      [&] {
        second = value(e->getFalseExpr());
        second_runs = in_.state_.runs();
      });
  if (first == nullptr || second == nullptr || first_runs != second_runs) {
    return first_runs || second == nullptr ? (first == nullptr ? unknown() : first) : second;
  }
  if (first != second) {
    in_.state_.escape(first);
    in_.state_.escape(second);
  }
  return in_.arena().join(first, second);
}

const Value* Expressions::list(const clang::InitListExpr* e) {
  if (e->isTransparent() ||
      (e->getNumInits() == 1 && !e->getType()->isRecordType() && !e->getType()->isArrayType())) {
    return in_.rvalue(e->getInit(0));
  }
  const Place place = added(in_.blank(e->getType()));
  in_.initialise(place, e, e->getType());
  return in_.state_.load(place);
}

const Value* Expressions::closure(const clang::LambdaExpr* e) {
  const clang::CXXRecordDecl* type = e->getLambdaClass()->getCanonicalDecl();
  Values parts;
  auto initialiser = e->capture_init_begin();
  for (const clang::FieldDecl* field : type->fields()) {
    const clang::Expr* given = *initialiser++;
    if (given == nullptr || field->getType()->isArrayType()) {
      parts.push_back(unknown());
    } else if (field->getType()->isReferenceType()) {
      parts.push_back(in_.arena().pointer(in_.lvalue(given)));
    } else {
      parts.push_back(given->isGLValue() ? in_.state_.load(in_.lvalue(given)) : in_.rvalue(given));
    }
  }
  return in_.arena().record(type, parts);
}

const Value* Interpreter::rvalue(const clang::Expr* expression) {
  if (!state_.runs() || !step()) {
    return arena_.unknown(true);
  }
  expression = expression->IgnoreParens();
  if (expression->isGLValue()) {
    return state_.load(lvalue(expression));
  }
  if (is_call(expression)) {
    const Value* result = call_expression(*this, expression);
    return result;
  }
  return Expressions(*this).rvalue(expression);
}

Place Interpreter::lvalue(const clang::Expr* expression) {
  if (!state_.runs() || !step()) {
    return {};
  }
  expression = expression->IgnoreParens();
  if (!expression->isGLValue()) {
    const Place place = state_.add(blank(expression->getType()));
    initialise(place, expression, expression->getType());
    return place;
  }
  if (is_call(expression)) {
    return place_of(*call_expression(*this, expression));
  }
  return Expressions(*this).lvalue(expression);
}

}  // namespace ddx::compiler::shapes
