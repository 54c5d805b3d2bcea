/// \file
/// The paths whose adjoints a statement reaches in the reverse sweep.

#pragma once

#include "compiler/ir/derivative.h"
#include "compiler/ir/ir.h"

#include <cstddef>

namespace ddx::compiler {

/// Calls `visit(path, takes_flat)` on each such path; `takes_flat` where a call passes the
/// adjoints of the elements alone.
template <class Visit>
void for_each_adjoint_path(const ir::Statement& statement, Visit&& visit) {
  switch (statement.kind) {
    case ir::Statement::Kind::Define:
      if (statement.value->kind == ir::Value::Kind::Load) {
        visit(statement.value->path, false);
      }
      return;
    case ir::Statement::Kind::Store:
    case ir::Statement::Kind::Vector:
      return visit(statement.path, false);
    case ir::Statement::Kind::Call:
      for (std::size_t i = 0; i < statement.arguments.size(); ++i) {
        const ir::Argument& passed = statement.arguments[i];
        const bool by_reference = passed.kind == ir::Argument::Kind::Reference;
        if (by_reference || passed.kind == ir::Argument::Kind::Pointer) {
          visit(passed.path,
                by_reference && statement.derivative && statement.derivative->takes_flat(i));
        }
      }
      return;
    default:
      return;
  }
}

}  // namespace ddx::compiler
