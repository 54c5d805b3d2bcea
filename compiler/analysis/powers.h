/// \file
/// Products of powers of a root or a norm, which are smoother than the root is.

#pragma once

#include "compiler/ir/ir.h"

namespace ddx::compiler {

/// Differentiates products such as `k * r * r` and `std::pow(r, 2)` by what `r` was computed from,
/// where `r` is the result of a function of `rules/powers.def`: by `s` for `r = std::sqrt(s)`.
///
/// By the product rule the slope of such a product is that of `r`, infinite at `r = 0`, times a
/// factor `r`: 0 * inf. The slope of the power itself is finite there, and costs no division:
///
///   Primal:  t = a r^k with r = sqrt(s)
///   Adjoint: adj[s] += a k / 2 r^(k - 2) adj[t], adj[a] += r^k adj[t]
///
/// The value of the product and its text stay as they are; its rule alone changes. Precondition:
/// equal values are one (number_values). Cost: linear in the statements.
void differentiate_powers(ir::Function& function);

}  // namespace ddx::compiler
