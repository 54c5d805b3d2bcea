/// \file
/// The angle between vectors.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/clip.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/norm.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

/// The cosine of the angle between vectors: sum(a b) / (|a| |b|). They lie along the last axis, or
/// along `.axes`.
///
/// Shapes:   a [...], b [...], broadcast together -> without the axes
/// Returns:  A vector shorter than epsilon counts as one of that length: 0 for a vector of zeros.
/// Throws:   UsageError where they do not broadcast, lie on different devices, or an axis does not
///           exist.
/// Gradient: of |a| as of norm.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> cosine_similarity(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b, const CosineOptions& options = {},
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(cosine_similarity(cast<Wide>(a), cast<Wide>(b), options, where));
  } else {
    const auto epsilon = static_cast<Scalar>(options.epsilon);
    const NormOptions length{.order = 2, .axes = options.axes, .keep_dims = true};
    const auto unit_a = a / maximum(norm(a, length, where), epsilon);
    const auto unit_b = b / maximum(norm(b, length, where), epsilon);
    return sum(unit_a * unit_b, {.axes = options.axes}, where);
  }
}

/// 1 - cosine_similarity(a, b).
///
/// Shapes:   a [...], b [...], broadcast together -> without the axes
/// Throws:   UsageError as cosine_similarity.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> cosine_distance(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b, const CosineOptions& options = {},
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(cosine_distance(cast<Wide>(a), cast<Wide>(b), options, where));
  } else {
    return Scalar{1} - cosine_similarity(a, b, options, where);
  }
}

}  // namespace ddx
