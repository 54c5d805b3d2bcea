/// \file
/// Conditional assignments of which only the last one that a loop makes has an effect.

#pragma once

#include "compiler/ir/ir.h"

namespace ddx::compiler {

/// The `if` directly in `loop` that may assign to numbers declared outside of it and do nothing
/// else, whatever they were before, as in a search for the greatest element; null where there is
/// none or something else in the loop uses or writes them. The reverse sweep then goes through its
/// last time only.
ir::Statement* last_writer(const ir::Statement& loop);

/// True when the reverse sweep of `loop` has nothing to do in iterations that do not run `inner`:
/// what stands before it serves nothing else.
bool does_only(const ir::Statement& loop, const ir::Statement& inner);

}  // namespace ddx::compiler
