/// \file
/// The mean loss over samples.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/metrics/detail/running_mean.h"

#include <cstdint>

namespace ddx::train {

/// The mean loss over all samples, from the mean losses of batches.
class MeanLoss {
 public:
  /// Takes the mean loss of a batch and the number of its samples.
  void accumulate(double loss, std::int64_t samples) { accumulate(Tensor<double>(loss), samples); }
  /// As above, without reading the loss from its device.
  ///
  /// Shapes:  loss []
  template <FloatingScalar Scalar>
  void accumulate(const Tensor<Scalar>& loss, std::int64_t samples) {
    mean_.add(cast<double>(loss) * static_cast<double>(samples), samples);
  }

  /// NaN over nothing.
  [[nodiscard]] double measure() const { return mean_.value(); }
  void reset() { *this = {}; }

 private:
  detail::RunningMean<double> mean_;
};

}  // namespace ddx::train
