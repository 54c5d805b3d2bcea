#include "compiler/shapes/arithmetic.h"
#include "compiler/shapes/classes.h"
#include "compiler/shapes/expressions.h"
#include "compiler/shapes/natives.h"

namespace ddx::compiler::shapes {

Place Expressions::lvalue(const clang::Expr* e) {
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    return name(reference);
  }
  if (const auto* part = llvm::dyn_cast<clang::MemberExpr>(e)) {
    return member(part);
  }
  if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e)) {
    const clang::Expr* inner = made->getSubExpr();
    if (inner->isGLValue()) {
      return in_.lvalue(inner);
    }
    const Place place = added(in_.blank(inner->getType()));
    in_.initialise(place, inner, inner->getType());
    return place;
  }
  if (const auto* full = llvm::dyn_cast<clang::FullExpr>(e)) {
    return in_.lvalue(full->getSubExpr());
  }
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e)) {
    return in_.lvalue(given->getExpr());
  }
  if (const auto* replaced = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(e)) {
    return in_.lvalue(replaced->getReplacement());
  }
  if (const auto* part = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    return element(part);
  }
  if (const auto* converted = llvm::dyn_cast<clang::CastExpr>(e)) {
    return cast_place(converted);
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
    return place_of(*conditional(choice, true));
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    if (unary->getOpcode() == clang::UO_Deref) {
      return place_of(*in_.rvalue(unary->getSubExpr()));
    }
    if (unary->isIncrementDecrementOp()) {
      return step_number(unary);
    }
  }
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    if (operation->getOpcode() == clang::BO_Comma) {
      in_.rvalue(operation->getLHS());
      return in_.lvalue(operation->getRHS());
    }
    if (operation->isAssignmentOp()) {
      return place_of(*assignment(operation));
    }
  }
  if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(e)) {
    return added(text->isOrdinary() ? in_.arena().text(text->getString()) : unknown(false));
  }
  if (!llvm::isa<clang::PredefinedExpr>(e)) {
    children(e);
  }
  return {};
}

Place Expressions::name(const clang::DeclRefExpr* e) {
  const clang::ValueDecl* declared = e->getDecl();
  auto& variables = in_.frame().variables;
  if (const auto found = variables.find(declared); found != variables.end()) {
    return found->second;
  }
  if (const auto* binding = llvm::dyn_cast<clang::BindingDecl>(declared)) {
    if (const clang::VarDecl* holder = binding->getHoldingVar()) {
      const auto held = variables.find(holder);
      return held == variables.end() ? Place() : held->second;
    }
    return binding->getBinding() == nullptr ? Place() : in_.lvalue(binding->getBinding());
  }
  if (const auto* parameter = llvm::dyn_cast<clang::TemplateParamObjectDecl>(declared)) {
    return added(in_.constant(parameter->getValue(), parameter->getType(), {}));
  }
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared)) {
    return added(in_.arena().function(function));
  }
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
  if (variable == nullptr || variable->getType()->isReferenceType()) {
    return {};
  }
  const clang::VarDecl* definition = nullptr;
  const clang::Expr* initialiser = variable->getAnyInitializer(definition);
  if (initialiser != nullptr && !initialiser->isValueDependent() &&
      (definition->isConstexpr() || variable->getType().isConstQualified()) &&
      definition->isUsableInConstantExpressions(in_.ast_)) {
    if (const clang::APValue* known = definition->evaluateValue()) {
      return added(in_.constant(*known, variable->getType(), definition->getLocation()));
    }
  }
  // Another variable of namespace scope, or a static one: anything may have been stored in it.
  return in_.state_.add_escaped(unknown(!class_may_hold_shapes(variable->getType())));
}

Place Expressions::member(const clang::MemberExpr* e) {
  const clang::ValueDecl* declared = e->getMemberDecl();
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(declared);
  const clang::Expr* base = e->getBase();
  const Place whole = e->isArrow() ? place_of(*in_.rvalue(base)) : in_.lvalue(base);
  if (field == nullptr) {
    // A static member is constant, or anything.
    clang::Expr::EvalResult result;
    const bool is_known = llvm::isa<clang::VarDecl>(declared) &&
                          llvm::cast<clang::VarDecl>(declared)->isConstexpr() &&
                          e->EvaluateAsRValue(result, in_.ast_);
    return is_known ? added(in_.constant(result.Val, e->getType(), {})) : Place();
  }
  const auto* parent = llvm::cast<clang::CXXRecordDecl>(field->getParent());
  if (is_of_std(*parent) && class_name(parent) == "std::pair") {
    return whole.at({field->getName() == "first" ? 0U : 1U, nullptr});
  }
  if (class_of(in_.ast_.getRecordType(parent)) != Class::Record) {
    return {};
  }
  const auto* type = llvm::cast<clang::CXXRecordDecl>(parent->getCanonicalDecl());
  const Place part = whole.at({parent->getNumBases() + field->getFieldIndex(), type});
  return field->getType()->isReferenceType() ? place_of(*in_.state_.load(part)) : part;
}

Place Expressions::element(const clang::ArraySubscriptExpr* e) {
  const Value* index = in_.rvalue(e->getIdx());
  const Value* pointer = in_.rvalue(e->getBase());
  Place place = place_of(*moved(in_.arena(), pointer, index));
  if (!place.cell && pointer->kind == Kind::Pointer) {
    in_.state_.escape(pointer);
  }
  return place;
}

/// The part of `derived` that is of the base that a cast names.
Place Expressions::base(const Place& derived, const clang::CastExpr* e) {
  Place place = derived;
  clang::QualType type = e->getSubExpr()->getType();
  const auto* record =
      type->isPointerType() ? type->getPointeeCXXRecordDecl() : type->getAsCXXRecordDecl();
  for (const clang::CXXBaseSpecifier* specifier : e->path()) {
    if (record == nullptr || class_of(in_.ast_.getRecordType(record)) != Class::Record) {
      return place;  // A tensor is one as a whole.
    }
    record = record->getCanonicalDecl();
    unsigned index = 0;
    const auto* next = specifier->getType()->getAsCXXRecordDecl();
    for (const clang::CXXBaseSpecifier& candidate : record->getDefinition()->bases()) {
      if (candidate.getType()->getAsCXXRecordDecl()->getCanonicalDecl() ==
          next->getCanonicalDecl()) {
        break;
      }
      ++index;
    }
    place = place.at({index, record});
    record = next;
  }
  return place;
}

Place Expressions::cast_place(const clang::CastExpr* e) {
  switch (e->getCastKind()) {
    case clang::CK_NoOp:
    case clang::CK_ConstructorConversion:
    case clang::CK_UserDefinedConversion:
      return in_.lvalue(e->getSubExpr());
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase:
      return base(in_.lvalue(e->getSubExpr()), e);
    default: {
      const Place whole = in_.lvalue(e->getSubExpr());
      in_.state_.escape(in_.arena().pointer(whole));
      return {};
    }
  }
}

}  // namespace ddx::compiler::shapes
