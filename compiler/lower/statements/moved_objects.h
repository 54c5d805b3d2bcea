/// \file
/// Objects that are moved from.

#pragma once

#include "compiler/lower/calls/receiver.h"
#include "compiler/lower/part.h"

namespace ddx::compiler {

/// Rejects moves that leave an object without the elements it had, where it may be used again, and
/// references into what is moved or swapped. A move is lowered as a copy otherwise.
class MovedObjects : Part {
 public:
  using Part::Part;

  /// Looks at the moves in a full expression.
  void check_moves(const clang::Stmt* full_expression);
  /// Looks at a call that lets its arguments exchange what they hold, or hand it on.
  void check_exchanged(const clang::FunctionDecl* callee, const clang::Expr* source,
                       const Receiver& receiver, llvm::ArrayRef<const clang::Expr*> arguments);

 private:
  using Leads = llvm::function_ref<bool(const ir::Path& place)>;

  bool holds_sequence(clang::QualType type);
  void check_moves(const clang::Stmt* statement, const clang::Stmt* around);
  void check_move(const clang::Expr* object, const clang::Expr* move, const clang::Stmt* around);
  bool moves_or_swaps(const clang::Stmt* statement);
  bool forwards_elements(const clang::FunctionDecl* function);
  void check_references(const clang::Expr* source, const clang::Stmt* around,
                        const clang::VarDecl* taken, Leads leads);
};

}  // namespace ddx::compiler
