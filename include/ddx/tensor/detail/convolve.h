/// \file
/// Convolutions over any number of axes, and their gradients: bilinear maps, each of which has the
/// others as its derivatives.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>

namespace ddx::detail {

/// Slides a filter over the input.
template <FloatingScalar Scalar>
Tensor<Scalar> convolution(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                           const WindowMotion& motion, std::source_location where) {
  return Tensor<Scalar>(convolution(input.array(), filter.array(), motion, where));
}

/// The cotangent of the input, which has the shape `input`: a transposed convolution.
template <FloatingScalar Scalar>
Tensor<Scalar> convolution_input_gradient(const Tensor<Scalar>& dy, const Tensor<Scalar>& filter,
                                          const Shape& input, const WindowMotion& motion,
                                          std::source_location where) {
  return Tensor<Scalar>(
      convolution_input_gradient(dy.array(), filter.array(), input, motion, where));
}

/// The cotangent of the filter, which has the shape `filter`.
template <FloatingScalar Scalar>
Tensor<Scalar> convolution_filter_gradient(const Tensor<Scalar>& input, const Tensor<Scalar>& dy,
                                           const Shape& filter, const WindowMotion& motion) {
  return Tensor<Scalar>(convolution_filter_gradient(input.array(), dy.array(), filter, motion));
}

// Primal:  y[n, p, f] = sum_ic x[n, p s - low + i d, c] w[i, c, f]
// Adjoint: adj[x[n, p s - low + i d, c]] += w[i, c, f] adj[y[n, p, f]],
//          adj[w[i, c, f]] += x[n, p s - low + i d, c] adj[y[n, p, f]]
// Saves:   x, w
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(convolution)
auto convolution_vjp(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                     const WindowMotion& motion, std::source_location where) {
  return tensor_vjp(convolution(input, filter, motion, where),
                    [input, filter, motion, where](const Tensor<Scalar>& dy, Wanted<2> wanted) {
                      Tensor<Scalar> to_input;
                      if (wanted[0]) {
                        to_input =
                            convolution_input_gradient(dy, filter, input.shape(), motion, where);
                      }
                      Tensor<Scalar> to_filter;
                      if (wanted[1]) {
                        to_filter = convolution_filter_gradient(input, dy, filter.shape(), motion);
                      }
                      return std::tuple(to_input, to_filter);
                    });
}

// Tangent: x * dw + dx * w
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(convolution)
auto convolution_jvp(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                     const WindowMotion& motion, std::source_location where,
                     const Tensor<Scalar>& d_input, const Tensor<Scalar>& d_filter) {
  Tensor<Scalar> tangent;
  if (!d_input.is_symbolic_zero()) {
    ddx_accumulate(tangent, convolution(d_input, filter, motion, where));
  }
  if (!d_filter.is_symbolic_zero()) {
    ddx_accumulate(tangent, convolution(input, d_filter, motion, where));
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{convolution(input, filter, motion, where),
                                                          tangent};
}

// Primal:  x[n, p s - low + i d, c] = the sum of w[i, c, f] y[n, p, f]
// Adjoint: adj[y] += the convolution of adj[x] with w, adj[w] += its filter gradient
// Saves:   y, w
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(convolution_input_gradient)
auto convolution_input_gradient_vjp(const Tensor<Scalar>& dy, const Tensor<Scalar>& filter,
                                    const Shape& input, const WindowMotion& motion,
                                    std::source_location where) {
  return tensor_vjp(convolution_input_gradient(dy, filter, input, motion, where),
                    [dy, filter, motion, where](const Tensor<Scalar>& dx, Wanted<2> wanted) {
                      Tensor<Scalar> to_dy;
                      if (wanted[0]) {
                        to_dy = convolution(dx, filter, motion, where);
                      }
                      Tensor<Scalar> to_filter;
                      if (wanted[1]) {
                        to_filter = convolution_filter_gradient(dx, dy, filter.shape(), motion);
                      }
                      return std::tuple(to_dy, to_filter);
                    });
}

// Tangent: linear in each
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(convolution_input_gradient)
auto convolution_input_gradient_jvp(const Tensor<Scalar>& dy, const Tensor<Scalar>& filter,
                                    const Shape& input, const WindowMotion& motion,
                                    std::source_location where, const Tensor<Scalar>& d_dy,
                                    const Tensor<Scalar>& d_filter) {
  Tensor<Scalar> tangent;
  if (!d_dy.is_symbolic_zero()) {
    ddx_accumulate(tangent, convolution_input_gradient(d_dy, filter, input, motion, where));
  }
  if (!d_filter.is_symbolic_zero()) {
    ddx_accumulate(tangent, convolution_input_gradient(dy, d_filter, input, motion, where));
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      convolution_input_gradient(dy, filter, input, motion, where), tangent};
}

// Primal:  w[i, c, f] = sum_np x[n, p s - low + i d, c] y[n, p, f]
// Adjoint: adj[x] += the input gradient of y by adj[w], adj[y] += the convolution of x with adj[w]
// Saves:   x, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(convolution_filter_gradient)
auto convolution_filter_gradient_vjp(const Tensor<Scalar>& input, const Tensor<Scalar>& dy,
                                     const Shape& filter, const WindowMotion& motion) {
  return tensor_vjp(convolution_filter_gradient(input, dy, filter, motion),
                    [input, dy, motion](const Tensor<Scalar>& dw, Wanted<2> wanted) {
                      Tensor<Scalar> to_input;
                      if (wanted[0]) {
                        to_input = convolution_input_gradient(dy, dw, input.shape(), motion, {});
                      }
                      Tensor<Scalar> to_dy;
                      if (wanted[1]) {
                        to_dy = convolution(input, dw, motion, {});
                      }
                      return std::tuple(to_input, to_dy);
                    });
}

}  // namespace ddx::detail
