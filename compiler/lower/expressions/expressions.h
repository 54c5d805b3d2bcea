/// \file
/// Values of expressions.

#pragma once

#include "compiler/lower/part.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace ddx::compiler {

/// Lowers expressions to values.
class Expressions : Part {
 public:
  using Part::Part;

  /// Lowers an expression whose value nothing reads.
  void discard(const clang::Expr* expression);
  /// The value of `expression`; null where it is void or was rejected.
  ir::Value* rvalue(const clang::Expr* expression);
  /// What a call gives, read at once where that is an object. A call that gives nothing is an
  /// error: what it was to make would be left as it is made by default.
  ir::Value* call_value(const clang::Expr* source, clang::SourceLocation where);
  /// The value of `argument`, of a parameter that is passed by value or by reference to const.
  ir::Value* argument_value(const clang::Expr* argument, clang::SourceLocation where);
  /// The value of the scalar that a glvalue names, read at once: what a call returns needs no
  /// object to hold it.
  ir::Value* read(const clang::Expr* glvalue, clang::SourceLocation where);
  /// Values without tangent. Printed as they stand unless something in them must be lowered.
  ir::Value* plain_value(const clang::Expr* expression);
  /// `value` as a `type`; itself where it has that type.
  ir::Value* convert(ir::Value* value, clang::QualType type, clang::SourceLocation where);
  /// `(condition ? a : b)` as a target: what is done to it is done in two branches.
  void for_each_arm(const clang::ConditionalOperator* conditional, clang::SourceLocation where,
                    llvm::function_ref<void(const clang::Expr*)> action);
  /// Lowers ++ and --; returns the value before, and the object in `target`.
  ir::Value* increment(const clang::UnaryOperator* operation, ir::Path* target);
  /// The value of the condition of a branch or a loop.
  ir::Value* condition(const clang::Expr* expression);
  /// Notes the comparisons of a real with a constant, by == and !=, in the condition of `branch`,
  /// and reals that are conditions themselves.
  void note_exact_comparisons(ir::Statement* branch, const clang::Expr* condition);

 private:
  void note_step(const clang::Expr* expression, ir::Statement* statement);
  ir::Value* real_value(const clang::Expr* expression);
  ir::Value* binary(const clang::BinaryOperator* operation);
  ir::Value* unary(const clang::UnaryOperator* operation);
  ir::Value* logical(const clang::BinaryOperator* operation);
  ir::Value* select(const clang::AbstractConditionalOperator* conditional);
};

}  // namespace ddx::compiler
