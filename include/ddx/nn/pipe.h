/// \file
/// Layers written one after the other: `input | layer | layer`.

#pragma once

// In ddx rather than ddx::nn: the left operand, a tensor, brings it into view by argument-dependent
// lookup, so that layers of any namespace can stand on the right.
namespace ddx {

/// `layer(input)`.
template <class Input, class Layer>
  requires requires(const Input& input, const Layer& layer) { layer(input); }
[[nodiscard]] auto operator|(const Input& input, const Layer& layer) {
  return layer(input);
}

}  // namespace ddx
