/// \file
/// Lowers the body of one function to the IR.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/context.h"

namespace ddx::compiler {

/// Fills `function` from its key. Total: what lowering does not know becomes an Unsupported
/// statement, which the diagnose stage rejects when it touches an active value.
void lower_function(const Context& context, ir::Function& function);

}  // namespace ddx::compiler
