/// \file
/// The loss that a function returns, as a number.

#pragma once

#include <concepts>

namespace ddx::nn::detail {

/// A loss that is a number, or a tensor with one element.
template <class Value>
double loss_value(const Value& loss) {
  if constexpr (std::convertible_to<Value, double>) {
    return static_cast<double>(loss);
  } else {
    return static_cast<double>(loss.item());
  }
}

}  // namespace ddx::nn::detail
