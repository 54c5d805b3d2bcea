/// \file
/// What the reverse sweep visits, and where control leaves it.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

/// Sets `exits` and `reversed` of all statements of `function`. Precondition: activity is known.
void find_reversed(ir::Function& function, Types& types);

/// The exit at the end of the branch, where it has no other and nothing else to choose: the site
/// among the residuals states whether it was taken. Null where there is none. Precondition:
/// find_reversed.
const ir::Statement* only_exit(const ir::Statement& branch);

}  // namespace ddx::compiler
