/// \file
/// A mean that stays on its device until someone reads it.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ddx::train::detail {

/// A sum of tensors of rank 0, divided by a number of things.
template <TensorScalar Scalar>
class RunningMean {
 public:
  /// Adds the sum over `count` things.
  void add(const Tensor<Scalar>& sum, std::int64_t count) {
    sum_ = sum_ ? *sum_ + sum : sum;
    count_ += count;
  }

  /// The sum and the number, to be added to those of others. Reads the sum from its device.
  [[nodiscard]] std::vector<double> totals() const {
    return {sum_ ? static_cast<double>(sum_->item()) : 0.0, static_cast<double>(count_)};
  }
  void set_totals(const std::vector<double>& totals) {
    sum_ = Tensor<Scalar>(static_cast<Scalar>(totals[0]));
    count_ = static_cast<std::int64_t>(totals[1]);
  }

  /// NaN over nothing. Reads the sum from its device.
  [[nodiscard]] double value() const {
    return count_ == 0 ? std::numeric_limits<double>::quiet_NaN()
                       : static_cast<double>(sum_->item()) / static_cast<double>(count_);
  }

 private:
  std::optional<Tensor<Scalar>> sum_;
  std::int64_t count_ = 0;
};

}  // namespace ddx::train::detail
