/// \file
/// Loops.

#pragma once

#include "compiler/lower/part.h"
#include "compiler/lower/statements/loop_bounds.h"

#include <optional>
#include <utility>

namespace ddx::compiler {

/// Lowers loops: those with a known trip count as counted ones, others by their conditions.
class Loops : Part {
 public:
  using Part::Part;

  /// Lowers a `for` loop: counted where its trip count is known before it starts.
  void lower_for(const clang::ForStmt* loop);
  /// Lowers a `while` loop.
  void lower_while(const clang::WhileStmt* loop);
  /// Lowers a `do` loop.
  void lower_do(const clang::DoStmt* loop);
  /// Lowers a range-based `for` loop.
  void lower_range_for(const clang::CXXForRangeStmt* loop);

 private:
  std::optional<std::pair<ir::Path, ir::Path>> ends_of_class(const clang::CXXForRangeStmt* source,
                                                             const ir::Path& range);
  void lower_inactive_range(const clang::CXXForRangeStmt* source);
  void declare_loop_variable(const clang::CXXForRangeStmt* source, const ir::Path& element);
  bool lower_counted(const clang::ForStmt* loop);
  ir::Statement* open_loop(const clang::Stmt* source, ir::Statement::LoopForm form);
  void lower_loop_body(ir::Statement* loop, ir::Block* block, const clang::Stmt* body);
  void lower_condition_exit(ir::Statement* loop, const clang::Expr* condition);
  bool is_fixed_bound(const clang::Expr* bound, const clang::Stmt* body);
  bool is_fixed_iterator(const clang::Expr* bound, const clang::Stmt* body);
  bool lower_counted_iterator(const clang::ForStmt* loop);

  Exposures exposures_;
};

}  // namespace ddx::compiler
