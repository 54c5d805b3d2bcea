/// \file
/// Makes equal values one: loads of a place that nothing wrote in between, and what is computed
/// from equal values.

#pragma once

#include "compiler/ir/ir.h"

namespace ddx::compiler {

/// Replaces each value that a statement before it, in the same or an enclosing block, has already
/// computed. What the reverse sweep needs of it is then kept once.
///
/// Precondition: arguments that their callee never writes are known to be constant.
/// Cost:         linear in the statements, times the depth of the loops.
void number_values(ir::Function& function);

}  // namespace ddx::compiler
