/// \file
/// Which adjoints are defined by the use of their value.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

/// Decides which values of `block` have their adjoints defined by their use: scalars with one use,
/// in their own block, since a value is used in its own full expression, which control does not
/// leave half-way but by an exception. Precondition: count_uses.
void decide_adjoints_at_use(ir::Block& block, Types& types);

}  // namespace ddx::compiler
