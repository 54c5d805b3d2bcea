/// \file
/// Two-dimensional convolution.

#pragma once

#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>

namespace ddx {

/// Slides a filter over images (as is usual, without mirroring it).
///
/// Shapes:   input [n, h, w, c], filter [kh, kw, c, f] -> [n, (h + top + bottom - kh) / sh + 1,
/// likewise, f] Throws:   UsageError where an operand has not rank 4, channels differ, the padded
/// input is smaller than the filter, a stride is not
///           positive, padding is negative, or devices differ.
/// Gradient: to both operands, each computed only where wanted.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> conv2d(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                                    const Conv2DOptions& options = {},
                                    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::conv2d(input.array(), filter.array(), options, where));
}

// Primal:  y[n, p, q, f] = sum_ijc x[n, p sh + i - top, q sw + j - left, c] w[i, j, c, f]
// Adjoint: adj[x[n, p sh + i - top, ...]] += w[i, j, c, f] adj[y[n, p, q, f]], adj[w[i, j, c, f]]
// += x[...] adj[y[n, p, q, f]] Saves:   x, w
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(conv2d)
auto conv2d_vjp(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                const Conv2DOptions& options, std::source_location where) {
  return detail::tensor_vjp(conv2d(input, filter, options, where),
                            [input, filter, options](const Tensor<Scalar>& dy, Wanted<2> wanted) {
                              Tensor<Scalar> to_input;
                              if (wanted[0]) {
                                to_input = Tensor<Scalar>(detail::conv2d_input_gradient(
                                    dy.array(), filter.array(), input.shape(), options));
                              }
                              Tensor<Scalar> to_filter;
                              if (wanted[1]) {
                                to_filter = Tensor<Scalar>(detail::conv2d_filter_gradient(
                                    input.array(), dy.array(), filter.shape(), options));
                              }
                              return std::tuple(to_input, to_filter);
                            });
}

// Tangent: x * dw + dx * w
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(conv2d)
auto conv2d_jvp(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                const Conv2DOptions& options, std::source_location where,
                const Tensor<Scalar>& d_input, const Tensor<Scalar>& d_filter) {
  Tensor<Scalar> tangent;
  if (!d_input.is_symbolic_zero()) {
    ddx_accumulate(tangent, conv2d(d_input, filter, options, where));
  }
  if (!d_filter.is_symbolic_zero()) {
    ddx_accumulate(tangent, conv2d(input, d_filter, options, where));
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{conv2d(input, filter, options, where),
                                                          tangent};
}

}  // namespace ddx
