/// \file
/// Statements other than loops and declarations.

#pragma once

#include "compiler/lower/part.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace ddx::compiler {

/// The label behind the body of a loop, before its increment: `{ ... } next: ; increment`, as loops
/// are written whose increment is more than an expression.
const clang::LabelStmt* label_of_increment(const clang::Stmt* body);

/// The branch that is taken whenever the program runs, where that is known; null where it is none.
std::optional<const clang::Stmt*> constant_branch(const clang::IfStmt* source,
                                                  clang::ASTContext& context);

/// Lowers statements other than loops and declarations.
class Statements : Part {
 public:
  using Part::Part;

  /// Lowers one statement into the block at hand.
  void statement(const clang::Stmt* statement);
  /// Lowers `body` into `block`, and returns to the block at hand.
  void nested(ir::Block* block, const clang::Stmt* body);
  /// The body of such a loop; a jump to the label continues it.
  void lower_labelled_body(ir::Statement* loop, const clang::Stmt* body,
                           const clang::LabelStmt* label);

 private:
  void statements(llvm::ArrayRef<clang::Stmt*> parts, const clang::CompoundStmt* compound);
  bool is_guarding(const clang::Stmt* part, const clang::CompoundStmt* compound) const;
  void lower_if(const clang::IfStmt* statement);
  void lower_switch(const clang::SwitchStmt* statement);
  void lower_return(const clang::ReturnStmt* statement);
  void lower_jump(const clang::Stmt* statement, bool is_break);

  llvm::DenseMap<const clang::LabelDecl*, ir::Statement*> labels_;  ///< Of increments of loops.
};

}  // namespace ddx::compiler
