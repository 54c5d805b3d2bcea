/// \file
/// The statements, as the analysis of shapes executes them.

#pragma once

#include "compiler/shapes/interpreter.h"

namespace ddx::compiler::shapes {

/// The statements.
class Statements {
 public:
  explicit Statements(Interpreter& in) : in_(in) {}

  void execute(const clang::Stmt* s);

 private:
  State& state() { return in_.state_; }
  bool structure(const clang::Stmt* s);
  bool repetition(const clang::Stmt* s);
  void expression(const clang::Expr* e);
  void declaration(const clang::DeclStmt* s);
  void variable(const clang::VarDecl* declared);
  void decision(const clang::IfStmt* s);
  void selection(const clang::SwitchStmt* s);
  void run_from(const clang::SwitchCase* label, const clang::SwitchStmt* s);
  void loop(const clang::Expr* condition, llvm::function_ref<void()> body, bool tests_first);
  void unknown_iterations(const clang::Expr* condition, llvm::function_ref<void()> body);
  void iteration(llvm::function_ref<void()> body);
  void for_loop(const clang::ForStmt* s);
  void bind_element(const clang::VarDecl& element, const Place& place, const Value* list);
  void forget_range(const Place& whole, bool is_constant);
  void range(const clang::CXXForRangeStmt* s);
  void guarded(const clang::CXXTryStmt* s);
  void jump(const clang::GotoStmt* s);
  void label(const clang::LabelStmt* s);
  void result(const clang::ReturnStmt* s);
  const Value* condition(const clang::Expr* e, const clang::VarDecl* declared);
  void leave_to(std::optional<State>& target);

  Interpreter& in_;
};

}  // namespace ddx::compiler::shapes
