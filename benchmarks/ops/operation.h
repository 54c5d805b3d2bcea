/// \file
/// The operations that are timed.

#pragma once

#include "ddx/core/device.h"
#include "ddx/tensor.h"

#include <functional>
#include <string>
#include <vector>

namespace ddx::bench {

/// What an operation's time is compared with.
enum class Unit { GigabytesPerSecond, GigaflopsPerSecond };

/// One operation on operands of one shape.
struct Operation {
  std::string name;
  std::string shape;  ///< Of the operands, e.g. "128x784 784x512".
  /// Makes the operands on a device, and gives the function that computes on them.
  std::function<std::function<Tensor<float>()>(Device)> prepare;
  double work;  ///< Bytes read and written, or operations on numbers, as the unit says.
  Unit unit;
};

/// Every operation, small ones first.
[[nodiscard]] std::vector<Operation> operations();

}  // namespace ddx::bench
