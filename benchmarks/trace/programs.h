/// \file
/// Programs of many small operations.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"

#include <functional>
#include <span>
#include <string>

namespace ddx::bench {

/// What one turn of a loop does: some operations on `n` elements or rows, of which the result
/// depends on all.
struct Program {
  std::string name;
  /// Ready to be called any number of times, on operands of its own.
  std::function<std::function<Tensor<float>()>(Device device, Shape::Extent n)> prepare;
};

[[nodiscard]] std::span<const Program> programs();

}  // namespace ddx::bench
