/// \file
/// Compares losses with the recordings of tests/goldens/make_losses.py, and with differences.

#pragma once

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ddx::testing {

/// The operands of the recordings.
struct LossOperands {
  Tensor<double> predicted{{0.5, -1.5, 2.0}, {0.25, 3.0, -0.75}};
  Tensor<double> expected{{1.0, -1.0, -0.5}, {0.75, 2.5, -2.0}};
  Tensor<double> positive{{0.5, 0.125, 2.0}, {0.25, 3.0, 0.75}};
  Tensor<double> expected_positive{{0.25, 0.5, 1.5}, {1.0, 2.0, 0.125}};
  Tensor<double> probabilities{{0.25, 0.125, 0.625}, {0.5, 0.3, 0.2}};
  Tensor<double> expected_probabilities{{0.5, 0.5, 0.0}, {0.1, 0.6, 0.3}};
  Tensor<double> bits{{1.0, 0.0, 1.0}, {0.0, 1.0, 0.0}};
  Tensor<double> signs{{1.0, -1.0, 1.0}, {-1.0, 1.0, -1.0}};
  Tensor<double> one_hot{{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}};
  Tensor<std::int32_t> labels{2, 0};
  Tensor<std::int32_t> pair_labels{1, -1};
  Tensor<double> large{{1000.0, -1000.0, 40.0}, {0.0, -40.0, 1000.0}};
  Tensor<double> anchor{{0.5, 1.0}, {2.0, -1.0}};
  Tensor<double> near{{0.25, 1.5}, {0.0, 1.0}};
  Tensor<double> far{{-0.5, 1.0}, {2.5, -1.5}};
};

/// A recorded loss and its gradient.
struct RecordedLoss {
  double value;
  std::vector<double> slopes;
};

/// Expects the recorded value and gradient of `loss` at `operand`.
template <class Loss>
void expect_recorded_loss(const std::string& name, const Loss& loss,
                          const Tensor<double>& operand) {
  static const std::map<std::string, RecordedLoss> recorded = {
#include "tests/goldens/losses.inc"
  };
  const auto& [expected, slopes] = recorded.at(name);
  const auto [value, slope] = value_with_gradient(loss, operand);
  EXPECT_NEAR(value.item(), expected, 1e-13 * (1 + std::abs(expected))) << name;
  ASSERT_EQ(slope.count(), slopes.size()) << name;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    EXPECT_NEAR(slope.elements()[i], slopes[i], 1e-13 * (1 + std::abs(slopes[i])))
        << name << ", element " << i;
  }
}

/// Expects that the gradient of sum(loss(a, b) weights) by both operands agrees with differences.
template <class Loss>
void expect_differences(const Loss& loss, const Tensor<double>& a, const Tensor<double>& b) {
  constexpr double distance = 1e-5;
  const auto [of_a, of_b] = gradient(loss, a, b);
  for (std::size_t i = 0; i < a.count(); ++i) {
    const double above = loss(moved(a, i, distance), b).item();
    const double below = loss(moved(a, i, -distance), b).item();
    EXPECT_NEAR(of_a.elements()[i], (above - below) / (2 * distance), 1e-6) << "first, " << i;
  }
  for (std::size_t i = 0; i < b.count(); ++i) {
    const double above = loss(a, moved(b, i, distance)).item();
    const double below = loss(a, moved(b, i, -distance)).item();
    EXPECT_NEAR(of_b.elements()[i], (above - below) / (2 * distance), 1e-6) << "second, " << i;
  }
}

/// Expects that `loss(reduction)` has the sum and the mean of what it has without reduction.
template <class Loss>
void expect_reductions(const Loss& loss) {
  const Tensor<double> each = loss(nn::Reduction::None);
  ASSERT_GT(each.count(), 1U);
  EXPECT_NEAR(loss(nn::Reduction::Sum).item(), sum(each).item(), 1e-14);
  EXPECT_NEAR(loss(nn::Reduction::Mean).item(),
              sum(each).item() / static_cast<double>(each.count()), 1e-14);
}

}  // namespace ddx::testing
