/// \file
/// Convolutions and their gradients to compare kernels by.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <array>

namespace ddx::testing {

inline constexpr std::array convolution_ops{ops::Op::convolution,
                                            ops::Op::convolution_input_gradient,
                                            ops::Op::convolution_filter_gradient};

/// A convolution y of images x.
struct ConvolutionCase {
  const char* why;
  Shape x;
  Shape filter;
  Shape y;
  ops::WindowAttributes window;

  /// The operands and the result of the convolution or one of its gradients.
  [[nodiscard]] const Shape& left(ops::Op op) const {
    return op == ops::Op::convolution_input_gradient ? y : x;
  }
  [[nodiscard]] const Shape& right(ops::Op op) const {
    return op == ops::Op::convolution_filter_gradient ? y : filter;
  }
  [[nodiscard]] const Shape& result(ops::Op op) const {
    return op == ops::Op::convolution ? y : op == ops::Op::convolution_input_gradient ? x : filter;
  }
};

}  // namespace ddx::testing
