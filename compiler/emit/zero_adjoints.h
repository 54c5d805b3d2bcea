/// \file
/// Statements whose reverse has nothing to undo.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/types.h"

#include <vector>

namespace ddx::compiler {

/// True when the statements before number `end` have nothing to undo where control left at it: no
/// adjoint that they read has got anything yet.
bool is_idle_when_left(const std::vector<ir::Statement*>& statements, std::size_t from,
                       std::size_t end, Types& types);

/// True when the statements before number `end`, an `if`, have nothing to undo where its branch was
/// taken: it replaced by constants all that they computed.
bool is_idle_when_taken(const std::vector<ir::Statement*>& statements, std::size_t from,
                        std::size_t end, Types& types);

}  // namespace ddx::compiler
