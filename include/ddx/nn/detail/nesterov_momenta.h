/// \file
/// The momenta of NAdam, which grow from step to step.

#pragma once

#include "ddx/nn/runtime_number.h"

namespace ddx::nn::detail {

/// The momentum of a step: beta (1 - 0.96^(t decay) / 2).
[[nodiscard]] RuntimeNumber momentum_at(double beta, double decay, const RuntimeNumber& step);

/// The product of the momenta of the first steps up to this one; ends where it is too small to
/// count.
///
/// Cost:    as many turns as there are steps, at most some 46 / -log(beta).
[[nodiscard]] RuntimeNumber momentum_product(double beta, double decay, const RuntimeNumber& step);

}  // namespace ddx::nn::detail
