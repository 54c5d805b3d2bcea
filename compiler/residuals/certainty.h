/// \file
/// What is sure to run.

#pragma once

#include "compiler/ir/ir.h"

namespace ddx::compiler {

/// True when nothing that stands in `block` may throw or leave it.
bool is_plain(const ir::Block& block);

/// True when each iteration of `loop` computes `value`, unless it ends the program.
bool is_certain(const ir::Value& value, const ir::Statement& loop);

}  // namespace ddx::compiler
