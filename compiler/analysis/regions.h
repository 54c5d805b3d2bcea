/// \file
/// What lies inside a loop, and what its body consists of.

#pragma once

#include "compiler/ir/ir.h"

namespace ddx::compiler {

/// True when `level` is that of an iteration of `loop`, or further inside.
bool is_inside(const ir::Level* level, const ir::Statement& loop);

/// True when nothing in `block` calls, loops or leaves: definitions, scalar stores and
/// declarations. With `branches`, also `if`s of such blocks; without, every statement runs once.
bool is_straight(const ir::Block& block, bool branches);

}  // namespace ddx::compiler
