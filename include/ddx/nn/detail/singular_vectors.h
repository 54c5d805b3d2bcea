/// \file
/// The largest singular value of a weight, by power iteration.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/clip.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace ddx::nn::detail {

/// The weight of a layer: its member `weight` or `filter`.
template <class Layer>
const auto& weight_of(const Layer& layer) {
  if constexpr (requires { layer.weight; }) {
    return layer.weight;
  } else {
    return layer.filter;
  }
}

template <class Layer>
using WeightOf = std::remove_cvref_t<decltype(weight_of(std::declval<const Layer&>()))>;

/// Estimates of the singular vectors of the largest singular value, of length 1; in f32 for a
/// weight of 16-bit elements.
template <class Weight>
struct SingularVectors {
  using Vector = Tensor<WideScalar<typename Weight::Element>>;

  Vector left;   ///< One number per row. [1, rows]
  Vector right;  ///< One number per column, that is, per output. [outputs, 1]

  DDX_NO_DERIVATIVE(left, right)
};

/// The weight as a matrix: all axes but the last are its rows.
///
/// Shapes:  weight [..., outputs] -> [rows, outputs]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> as_matrix(const Tensor<Scalar>& weight) {
  const Shape shape = weight.shape();
  return reshape(weight, {-1, shape[shape.rank() - 1]});
}

/// The vector with length 1, or shorter where it is shorter than epsilon.
///
/// Shapes:  x [...] -> [...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> with_unit_length(const Tensor<Scalar>& x, double epsilon) {
  return x / maximum(sqrt(sum(square(x))), static_cast<Scalar>(epsilon));
}

/// Random vectors.
///
/// Shapes:  weight [..., outputs]
template <FloatingScalar Scalar>
[[nodiscard]] SingularVectors<Tensor<Scalar>> drawn_vectors(const Tensor<Scalar>& weight,
                                                            RandomKey key) {
  const Shape shape = as_matrix(weight).shape();
  const auto [for_left, for_right] = key.split();
  using Wide = WideScalar<Scalar>;
  const auto left = random_normal<Scalar>(for_left, {1, shape[0]}, {}, weight.device());
  const auto right = random_normal<Scalar>(for_right, {shape[1], 1}, {}, weight.device());
  return {with_unit_length(cast<Wide>(left), 0), with_unit_length(cast<Wide>(right), 0)};
}

/// The vectors after some iterations of right <- weight^T left, left <- weight right, each made of
/// length 1.
///
/// Shapes:  weight [..., outputs]
template <FloatingScalar Scalar>
[[nodiscard]] SingularVectors<Tensor<Scalar>> improved(SingularVectors<Tensor<Scalar>> vectors,
                                                       const Tensor<Scalar>& weight,
                                                       std::int64_t iterations, double epsilon) {
  const auto matrix = as_matrix(cast<WideScalar<Scalar>>(weight));
  for (std::int64_t i = 0; i < iterations; ++i) {
    vectors.right = with_unit_length(
        matmul(matrix, vectors.left, {.transpose_left = true, .transpose_right = true}), epsilon);
    vectors.left = with_unit_length(
        matmul(vectors.right, matrix, {.transpose_left = true, .transpose_right = true}), epsilon);
  }
  return vectors;
}

/// left weight right.
///
/// Shapes:  weight [..., outputs] -> scalar
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<WideScalar<Scalar>> largest_singular_value(
    const Tensor<Scalar>& weight, const SingularVectors<Tensor<Scalar>>& vectors) {
  const auto matrix = as_matrix(cast<WideScalar<Scalar>>(weight));
  return reshape(matmul(matmul(vectors.left, matrix), vectors.right), {});
}

/// The weight divided by its largest singular value.
///
/// Shapes:  weight [..., outputs] -> [..., outputs]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> spectrally_normalized(const Tensor<Scalar>& weight,
                                                   const SingularVectors<Tensor<Scalar>>& vectors) {
  const auto value = largest_singular_value(weight, vectors);
  if constexpr (NarrowScalar<Scalar>) {
    return cast<Scalar>(cast<WideScalar<Scalar>>(weight) / value);
  } else {
    return weight / value;
  }
}

}  // namespace ddx::nn::detail
