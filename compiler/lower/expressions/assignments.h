/// \file
/// Assignments.

#pragma once

#include "compiler/lower/part.h"

#include <optional>

namespace ddx::compiler {

/// Lowers assignments to one object.
class Assignments : Part {
 public:
  using Part::Part;

  /// Lowers `a = b`. Returns: the path of `a`, without root where it has none.
  ir::Path assign(const clang::BinaryOperator* operation);
  /// Lowers `a += b` and similar. Returns: the path of `a`, without root where it has none.
  ir::Path compound_assign(const clang::CompoundAssignOperator* operation);

 private:
  bool assign_to_text(const clang::Expr* target, ir::Value* value, clang::SourceLocation where);
  ir::Path combine(const clang::CompoundAssignOperator* operation, std::optional<ir::Path> path,
                   ir::Value* value);
};

}  // namespace ddx::compiler
