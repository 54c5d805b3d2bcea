/// \file
/// How many steps have been taken.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/path.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>

namespace ddx::nn::detail {

/// The number of steps taken. In a function that is being staged, and in its results, it may be an
/// element that has not been observed, so that steps are recorded once and still counted.
class StepCount {
 public:
  /// Looks at the number.
  ///
  /// Throws:  UsageError in a function that is being staged, where it is an argument of it.
  [[nodiscard]] std::int64_t taken() const { return count_.item(); }
  /// The number of the next step; the first is 1.
  [[nodiscard]] RuntimeNumber next() const;
  /// A step was taken.
  void advance();

  /// Calls `visitor(path, number)` with an std::int64_t, which may be changed.
  template <class Visitor>
  void visit_state(const Path& path, Visitor& visitor) {
    std::int64_t number = taken();
    visitor(path, number);
    count_ = Tensor<std::int64_t>(number);
  }

 private:
  /// Whether the element is still to be computed.
  [[nodiscard]] bool is_awaited() const noexcept {
    return count_.array().view().data<std::int64_t>() == nullptr;
  }

  Tensor<std::int64_t> count_ = Tensor<std::int64_t>(std::int64_t{0});

 public:
  DDX_NO_DERIVATIVE(count_)
};

}  // namespace ddx::nn::detail
