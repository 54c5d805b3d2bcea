/// \file
/// The expressions that are no calls, as the analysis of shapes executes them.

#pragma once

#include "compiler/shapes/interpreter.h"

namespace ddx::compiler::shapes {

/// The expressions that are no calls.
class Expressions {
 public:
  explicit Expressions(Interpreter& in) : in_(in) {}

  const Value* rvalue(const clang::Expr* e);
  Place lvalue(const clang::Expr* e);

 private:
  [[nodiscard]] const Value* unknown(bool lost = true) { return in_.arena().unknown(lost); }
  const Value* folded(const clang::Expr* e);
  const Value* cast(const clang::CastExpr* e);
  Place cast_place(const clang::CastExpr* e);
  const Value* binary(const clang::BinaryOperator* e);
  const Value* logical(const clang::BinaryOperator* e);
  const Value* assignment(const clang::BinaryOperator* e);
  const Value* unary(const clang::UnaryOperator* e);
  void follow(clang::QualType type, const Value* result, llvm::ArrayRef<const Value*> operands);
  Place step_number(const clang::UnaryOperator* e);
  const Value* conditional(const clang::AbstractConditionalOperator* e, bool as_place);
  const Value* list(const clang::InitListExpr* e);
  const Value* closure(const clang::LambdaExpr* e);
  const Value* children(const clang::Expr* e);
  Place name(const clang::DeclRefExpr* e);
  Place member(const clang::MemberExpr* e);
  Place element(const clang::ArraySubscriptExpr* e);
  Place base(const Place& derived, const clang::CastExpr* e);
  Place added(const Value* value) { return in_.state_.add(value); }

  Interpreter& in_;
};

}  // namespace ddx::compiler::shapes
