/// \file
/// The logarithm of a sum of exponentials, one number after another.

#pragma once

#include <cmath>
#include <limits>

namespace ddx::ops::detail {

/// log of the sum of e^x over the numbers given so far; minus infinity for none. The largest e^x
/// counts as 1, so that nothing overflows. A NaN stays.
class LogSumExp {
 public:
  void add(double x) noexcept {
    if (x > largest_ || x != x) {
      sum_ = sum_ * std::exp(largest_ - x) + 1;
      largest_ = x;
    } else if (x == largest_) {
      sum_ += 1;  // Infinities too: their difference would be a NaN.
    } else {
      sum_ += std::exp(x - largest_);
    }
  }

  [[nodiscard]] double value() const noexcept { return largest_ + std::log(sum_); }

  /// value() = largest() + rest(), of which a large first part rounds the second away: x - value()
  /// is computed as (x - largest()) - rest().
  [[nodiscard]] double largest() const noexcept { return largest_; }
  [[nodiscard]] double rest() const noexcept { return std::log(sum_); }

 private:
  double largest_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0;  // Of e^(x - largest).
};

}  // namespace ddx::ops::detail
