/// \file
/// A mean that stays on its device until someone reads it.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <limits>
#include <optional>

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
