/// \file
/// Residuals for the shapes of adjoints that only the forward sweep knows.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/context.h"

namespace ddx::compiler {

/// Gives the local objects whose adjoints have a shape a slot for it.
void plan_shapes(ir::Function& function, const Context& context);

/// Gives a store or a change of a vector a slot for the shape that it drops, if it drops any.
void plan_old_shape(ir::Function& function, const Context& context, ir::Statement& statement);

}  // namespace ddx::compiler
