/// \file
/// Decides, for every value that the reverse sweep names, where it finds it: still there, computed
/// again, or saved as a residual.

#pragma once

#include "compiler/analysis/writes.h"
#include "compiler/ir/ir.h"
#include "compiler/support/context.h"

namespace ddx::compiler {

/// Marks the local objects that could live until the reverse sweep: not those that the program
/// passes on as a whole.
void find_keepable(ir::Function& function, const Context& context);

/// Sets `reversed`, `exits`, the slots of control flow, and for each value `found` and its slot.
/// Precondition: activity is known and every active call has its derivative.
void plan_residuals(ir::Function& function, const Context& context, const Writes& writes);

/// True for a change of the size of a vector of objects that may drop some: the reverse sweep needs
/// their shapes, and not those of the others.
bool keeps_dropped_elements(const ir::Statement& statement);

}  // namespace ddx::compiler
