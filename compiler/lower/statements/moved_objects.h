/// \file
/// Objects that are moved from.

#pragma once

#include "compiler/lower/calls/receiver.h"
#include "compiler/lower/part.h"

namespace ddx::compiler {

/// Empties objects that are moved from, and rejects references into them.
class MovedObjects : Part {
 public:
  using Part::Part;

  /// The same for a call that lets its arguments exchange what they hold, or hand it on.
  void check_exchanged(const clang::FunctionDecl* callee, const clang::Expr* source,
                       const Receiver& receiver, llvm::ArrayRef<const clang::Expr*> arguments);
  /// Sequences and maps that a full expression moves from are empty behind it, as the library
  /// leaves them. Nothing is done for variables that are not named any more.
  void empty_moved(const clang::Stmt* full_expression);
  /// The same behind a part of a full expression that need not be reached: there, and not behind
  /// the whole once more.
  void empty_moved_here(const clang::Expr* part);

 private:
  bool is_kept_by(const ir::Path& place, const ir::Path& object);
  void check_references(const ir::Path& object, const clang::Expr* source);
  bool moves_or_swaps(const clang::Stmt* statement);
  bool forwards_elements(const clang::FunctionDecl* function);
  bool takes_elements(const clang::Expr* move);
  void empty_moved_one(const clang::Expr* move, const clang::Stmt* around);
  bool holds_sequence(clang::QualType type);
  bool empty(const ir::Path& object, const clang::Expr* move);
};

}  // namespace ddx::compiler
