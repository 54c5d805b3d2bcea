/// \file
/// Random classes by their scores. Equal keys give equal numbers on every device.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx {

namespace detail {
/// The classes drawn for rows of scores; the shape is that of the scores.
std::vector<std::int32_t> categorical_numbers(RandomKey key, const std::vector<double>& logits,
                                              const Shape& shape, std::int64_t count,
                                              const std::source_location& where);
/// The shape with its last extent replaced.
///
/// Throws:  UsageError where there is no such shape.
Shape with_last(const Shape& shape, std::int64_t extent, const std::source_location& where);
}  // namespace detail

/// `count` classes for each row of scores, class i with probability softmax(row)_i: the inverse of
/// the distribution function at numbers of random_uniform<double>, computed in double. A class of
/// score -infinity never comes.
///
/// Shapes:  logits [..., c] -> [..., count]
/// Throws:  UsageError where `logits` has no axis, `count` is negative, or a row has a NaN, an
///          infinity, or no class of a finite score.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<std::int32_t> random_categorical(
    RandomKey key, const Tensor<Scalar>& logits, std::int64_t count,
    std::source_location where = std::source_location::current()) {
  const auto elements = logits.elements();
  const auto drawn = detail::categorical_numbers(
      key, std::vector<double>(elements.begin(), elements.end()), logits.shape(), count, where);
  return Tensor<std::int32_t>(detail::with_last(logits.shape(), count, where), drawn,
                              logits.device());
}

}  // namespace ddx
