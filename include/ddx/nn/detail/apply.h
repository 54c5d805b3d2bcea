/// \file
/// Calling a layer from within another.

#pragma once

#include <source_location>

namespace ddx::nn::detail {

/// layer(input). A layer that reports the location of errors gets the location of the outer call.
template <class Layer, class Input>
[[nodiscard]] auto apply(const Layer& layer, const Input& input, std::source_location where) {
  if constexpr (requires { layer(input, where); }) {
    return layer(input, where);
  } else {
    return layer(input);
  }
}

}  // namespace ddx::nn::detail
