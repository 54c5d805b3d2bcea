/// \file
/// Random classes by their scores. Equal keys give equal numbers on every device.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx {

namespace detail {
/// The scores of random_categorical, and where its result lies.
struct CategoricalLogits {
  std::vector<double> elements;
  Shape shape;
  Device device;
};
/// The classes drawn for rows of scores.
Tensor<std::int32_t> random_categorical(const RandomKey& key, const CategoricalLogits& logits,
                                        std::int64_t count, const std::source_location& where);
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
  return detail::random_categorical(
      key, {{elements.begin(), elements.end()}, logits.shape(), logits.device()}, count, where);
}

}  // namespace ddx
