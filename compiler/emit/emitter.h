/// \file
/// Writes the struct of residuals, the forward sweep and the reverse sweep of one function as C++
/// text.

#pragma once

#include "compiler/analysis/writes.h"
#include "compiler/ir/derivative.h"
#include "compiler/support/context.h"

namespace ddx::compiler {

/// Fills the texts of `derivative`. Precondition: plan_residuals.
void emit_sweeps(const Context& context, ir::Derivative& derivative, const Writes& writes);

/// Fills the texts of the reverse sweep that computes several rows of a Jacobian at once, of a
/// derivative that emit_sweeps() has been called for and that serves_several_rows.
void emit_batched_sweep(const Context& context, ir::Derivative& derivative, const Writes& writes);

}  // namespace ddx::compiler
