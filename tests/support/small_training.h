/// \file
/// A training small enough for unit tests: a two-layer network on eleven points.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/nn/losses/mean_squared_error.h"
#include "ddx/nn/pipe.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/supervised.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::testing {

/// Layers with parameters, with state beside them, and with random numbers.
struct SmallModel {
  nn::Dense<float> first{{.in = 2, .out = 4, .activation = nn::Activation::Tanh}};
  nn::BatchNorm<float> norm{{.features = 4, .momentum = 0.5}};
  nn::Dropout<float> dropout{{.rate = 0.25}};
  nn::Dense<float> last{{.in = 4, .out = 1}};

  [[nodiscard]] Tensor<float> operator()(const Tensor<float>& x) const {
    return x | first | norm | dropout | last;
  }

  DDX_DIFFERENTIABLE(SmallModel, first, norm, dropout, last)
};

/// Some points and the values there.
struct SmallBatch {
  Tensor<float> x;
  Tensor<float> y;
};

/// Points of a smooth function.
struct SmallData {
  std::int64_t count = 11;

  [[nodiscard]] std::int64_t size() const { return count; }
  [[nodiscard]] SmallBatch batch(std::span<const std::int64_t> samples) const {
    std::vector<float> x;
    std::vector<float> y;
    for (const auto sample : samples) {
      const auto t = static_cast<float>(sample) / 5 - 1;
      x.insert(x.end(), {t, t * t});
      y.push_back(std::sin(3 * t));
    }
    const auto rows = static_cast<std::int64_t>(samples.size());
    return {.x = Tensor<float>({rows, 2}, std::span<const float>(x)),
            .y = Tensor<float>({rows, 1}, std::span<const float>(y))};
  }
};

/// The mean squared error of the model on a batch.
inline constexpr auto small_loss = [](const SmallModel& model, const SmallBatch& batch) {
  return nn::mean_squared_error(model(batch.x), batch.y);
};

/// The same in its parts.
inline constexpr train::Supervised small_objective{
    &SmallBatch::x, &SmallBatch::y, [](const Tensor<float>& output, const Tensor<float>& target) {
      return nn::mean_squared_error(output, target);
    }};

}  // namespace ddx::testing
