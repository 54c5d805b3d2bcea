/// \file
/// Lvalues that are selected at run time.

#pragma once

#include "compiler/lower/part.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace ddx::compiler {

/// Lowers lvalues that are selected at run time: one branch for each object.
class ConditionalLvalues : Part {
 public:
  using Part::Part;

  /// True for a call like `v[i]` of `double& operator[](int i) { return i == 0 ? x : y; }`: which
  /// number it means is chosen at run time.
  bool returns_conditional_lvalue(const clang::Expr* glvalue);
  /// Lowers such a call, with `action` for each place that it may mean, in a branch of its own.
  void at_conditional_lvalue(const clang::Expr* glvalue,
                             llvm::function_ref<void(const ir::Path&)> action);
  /// Calls `action` once for each arm, with what the arm names, in a branch of that arm.
  void visit_conditional_lvalue(const clang::ConditionalOperator* conditional,
                                llvm::function_ref<void(const ir::Path&)> action);
};

}  // namespace ddx::compiler
