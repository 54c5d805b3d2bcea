/// \file
/// Prints a Clang expression as C++ text that means the same in synthesised code.

#pragma once

#include "compiler/support/names.h"

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/PrettyPrinter.h"

#include <functional>
#include <optional>
#include <string>

namespace ddx::compiler {

/// True for a lambda without captures: its type alone says all of it.
bool is_closed(const clang::LambdaExpr& lambda);

/// Clang's printer with every name made exact: functions and types through injected aliases,
/// variables through `variable`.
class ExpressionText : public clang::PrinterHelper {
 public:
  using Variable = std::function<std::optional<std::string>(const clang::ValueDecl*)>;
  using Self = std::function<std::optional<std::string>()>;
  /// Of an expression that denotes a place.
  using Place = std::function<std::optional<std::string>(const clang::OpaqueValueExpr*)>;

  /// The text that replaces an expression, where some does.
  using Replacement = std::function<const std::string*(const clang::Expr*)>;

  /// Nothing for a member that is printed behind its object; else its own text, or none.
  using Member = std::function<std::optional<std::optional<std::string>>(const clang::MemberExpr*)>;

  ExpressionText(clang::ASTContext& context, Names& names, Variable variable, Self self,
                 Replacement replacement, Member member, Place place);

  /// The text, or nothing when some part of the expression cannot be printed exactly.
  std::optional<std::string> print(const clang::Expr* expression);

  bool handledStmt(clang::Stmt* statement, llvm::raw_ostream& out) override;

 private:
  bool print_expression(clang::Expr* expression, llvm::raw_ostream& out);
  void print_arguments(llvm::ArrayRef<clang::Expr*> arguments, llvm::raw_ostream& out);
  void print_new(clang::CXXNewExpr* allocation, llvm::raw_ostream& out);
  bool print_construction(clang::CXXConstructExpr* construction, llvm::raw_ostream& out);
  bool print_reference(clang::DeclRefExpr* reference, llvm::raw_ostream& out);
  void print_part(clang::Expr* expression, llvm::raw_ostream& out);

  clang::ASTContext& context_;
  Names& names_;
  Variable variable_;
  Self self_;
  Replacement replacement_;
  Member member_;
  Place place_;
  clang::PrintingPolicy policy_;
  bool failed_ = false;
};

}  // namespace ddx::compiler
