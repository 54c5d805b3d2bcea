#include "ddx/tensor/random_categorical.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/creation.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/recorded_keys.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::detail {
namespace {

constexpr const char* name = "random_categorical";

/// The sums of the weights e^(score - largest score) up to each class.
std::vector<double> cumulative_weights(std::span<const double> scores, std::size_t row,
                                       const std::source_location& where) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double score : scores) {
    largest = std::isnan(score) ? score : std::max(largest, score);
    if (std::isnan(largest)) {
      break;
    }
  }
  if (!std::isfinite(largest)) {
    throw UsageError(name,
                     "the largest score of row " + std::to_string(row) + " is " +
                         std::to_string(largest) + ", a finite one is required",
                     where);
  }
  std::vector<double> sums;
  sums.reserve(scores.size());
  double sum = 0;
  for (const double score : scores) {
    sums.push_back(sum += std::exp(score - largest));
  }
  return sums;
}

/// The shape with its last extent replaced.
///
/// Throws:  UsageError where there is no such shape.
Shape with_last(const Shape& shape, std::int64_t extent, const std::source_location& where) {
  std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
  extents.back() = extent;
  return Shape(extents, name, where);
}

std::vector<std::int32_t> categorical_numbers(const RandomKey& key, std::span<const double> logits,
                                              const Shape& shape, std::int64_t count,
                                              const std::source_location& where) {
  if (shape.rank() == 0 || count < 0) {
    throw UsageError(name,
                     "scores of shape " + to_string(shape) + " and a count of " +
                         std::to_string(count) + ": an axis and a count of at least 0 are required",
                     where);
  }
  const auto classes = static_cast<std::size_t>(shape[shape.rank() - 1]);
  const auto rows = static_cast<std::size_t>(with_last(shape, 1, where).count());
  ops::Site{name, where}.check_places(shape[shape.rank() - 1], shape);
  auto drawn = host_vector_with_room<std::int32_t>(name, with_last(shape, count, where).count());
  for (std::size_t row = 0; row < rows; ++row) {
    const auto sums = cumulative_weights(logits.subspan(row * classes, classes), row, where);
    // Rounding must not lead past the last class that has a weight.
    const auto last = std::lower_bound(sums.begin(), sums.end(), sums.back());
    for (std::int64_t i = 0; i < count; ++i) {
      const double level = sums.back() * ops::uniform_f64(key, drawn.size());
      const auto chosen = std::min(std::upper_bound(sums.begin(), sums.end(), level), last);
      drawn.push_back(static_cast<std::int32_t>(chosen - sums.begin()));
    }
  }
  return drawn;
}

}  // namespace

Tensor<std::int32_t> random_categorical(const RandomKey& key, const CategoricalLogits& logits,
                                        std::int64_t count, const std::source_location& where) try {
  const auto scores = std::make_shared<const CategoricalLogits>(logits);
  const auto draw = [scores, count, where](const RandomKey& own) {
    const auto classes = categorical_numbers(own, scores->elements, scores->shape, count, where);
    return Tensor<std::int32_t>(with_last(scores->shape, count, where), classes, scores->device)
        .array();
  };
  return Tensor<std::int32_t>(drawn(key, logits.device, draw));
} catch (const std::bad_alloc&) {
  throw_out_of_memory(name);
}

}  // namespace ddx::detail
