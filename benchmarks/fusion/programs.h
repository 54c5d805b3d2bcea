/// \file
/// Programs of elementwise operations and reductions.

#pragma once

#include "ddx/core/device.h"
#include "ddx/tensor.h"

#include "operand.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ddx::bench {

/// The computation on some operands.
struct Program {
  std::string name;
  std::vector<Operand> operands;
  std::function<std::vector<Tensor<float>>(Operands& operands)> run;
};

[[nodiscard]] std::span<const Program> programs();

}  // namespace ddx::bench
