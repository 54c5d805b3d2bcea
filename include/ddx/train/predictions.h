/// \file
/// What a classifier answers.

#pragma once

#include "ddx/data/epoch.h"
#include "ddx/tensor/reduction.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::train {

/// The class with the highest score for each of the first `count` samples, computed `batch_size` at
/// a time.
///
/// Throws:  UsageError where the batch size is below 1 or there are not so many samples.
template <class Model, data::Dataset Data>
[[nodiscard]] std::vector<std::int32_t> predicted_classes(const Model& model, const Data& samples,
                                                          std::int64_t count,
                                                          std::int64_t batch_size = 256) {
  std::vector<std::int32_t> classes;
  for (const auto& batch : data::Epoch(samples, batch_size, data::plain_order(count))) {
    const auto best = argmax(model(batch.images));
    classes.insert(classes.end(), best.elements().begin(), best.elements().end());
  }
  return classes;
}

/// The share of predictions that are right, in [0, 1]; 0 for none.
///
/// Throws:  UsageError where the two differ in number.
[[nodiscard]] double accuracy(std::span<const std::int32_t> predicted,
                              std::span<const std::uint8_t> labels);

}  // namespace ddx::train
