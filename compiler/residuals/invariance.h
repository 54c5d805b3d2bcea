/// \file
/// Values that every iteration of a loop finds the same.

#pragma once

#include "compiler/analysis/writes.h"
#include "compiler/ir/ir.h"

namespace ddx::compiler {

/// True when no iteration of `loop` can change what `value` is; so also where it stands outside.
bool is_invariant(const ir::Function& function, const Writes& writes, const ir::Value& value,
                  const ir::Statement& loop);

}  // namespace ddx::compiler
