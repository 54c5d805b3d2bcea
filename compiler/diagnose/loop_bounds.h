/// \file
/// Bounds of counted loops, which are evaluated once.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/context.h"

namespace ddx::compiler {

/// True where a statement in `loop`, which is counted, may change its bound, by whatever name.
/// Cost: a walk over the body.
bool changes_bound(const ir::Statement& loop, const Context& context);

}  // namespace ddx::compiler
