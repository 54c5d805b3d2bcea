/// \file
/// Decides, for every value that the reverse sweep names, where it finds it: still there, computed
/// again, or saved in a record.

#pragma once

#include "compiler/analysis/writes.h"
#include "compiler/ir/ir.h"
#include "compiler/support/context.h"

namespace ddx::compiler {

/// Sets `reversed`, `exits`, the slots of control flow, and for each value `found` and its slot.
/// Precondition: activity is known and every active call has its derivative.
void plan_records(ir::Function& function, const Context& context, const Writes& writes);

}  // namespace ddx::compiler
