/// \file
/// Batch normalisation.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/batch_statistics.h"
#include "ddx/nn/detail/options.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/normalization.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <memory>
#include <source_location>

namespace ddx::nn {

/// Normalises each channel: in a training step (see begin_step) by the mean and variance of the
/// batch, else by running averages of these.
///
/// When a step ends: running = momentum running + (1 - momentum) batch, with the statistics of the
/// layer's last call in that step. The averages of a layer of 16-bit elements are in f32, where
/// small changes are not rounded away.
///
/// Shapes:  x [..., features] -> [..., features]
/// Source:  S. Ioffe, C. Szegedy, "Batch normalization", ICML 2015.
template <FloatingScalar Scalar>
struct BatchNorm {
  struct Options {
    std::int64_t features = 0;
    double momentum = 0.99;
    double epsilon = 1e-3;
    Device device = {};
  };

  Tensor<Scalar> scale;
  Tensor<Scalar> offset;
  Tensor<WideScalar<Scalar>> running_mean;
  Tensor<WideScalar<Scalar>> running_variance;
  double momentum = 0.99;
  BatchNormOptions options;
  /// Where a training step leaves the statistics of its batch; absent outside of one. The one thing
  /// in a layer that copies share, and only copies made within the step.
  std::shared_ptr<detail::BatchStatistics<Scalar>> statistics;

  /// Throws: UsageError where `features` is below 1 or the momentum not in [0, 1).
  explicit(false) BatchNorm(const Options& given)
      : momentum(given.momentum), options{.epsilon = given.epsilon} {
    detail::require_positive("BatchNorm", "features", given.features);
    detail::require_fraction("BatchNorm", "momentum", given.momentum);
    scale = ones<Scalar>({given.features}, given.device);
    offset = zeros<Scalar>({given.features}, given.device);
    running_mean = cast<WideScalar<Scalar>>(offset);
    running_variance = cast<WideScalar<Scalar>>(scale);
  }

  /// From here on the statistics of the batch are used, and kept.
  void begin_step(RandomKey) { statistics = std::make_shared<detail::BatchStatistics<Scalar>>(); }

  /// Moves the running averages.
  void end_step() {
    if (statistics && !statistics->mean.is_symbolic_zero()) {
      const auto kept = static_cast<WideScalar<Scalar>>(momentum);
      const auto taken = static_cast<WideScalar<Scalar>>(1 - momentum);
      running_mean = running_mean * kept + statistics->mean * taken;
      running_variance = running_variance * kept + statistics->variance * taken;
    }
    statistics.reset();
  }

  /// Shapes:  x [..., features] -> [..., features]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    if (statistics != nullptr) {
      return detail::normalized_by_batch(x, scale, offset, options, statistics, where);
    }
    return batch_norm_inference(x, scale, offset, running_mean, running_variance, options, where);
  }

  /// Names the running averages, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    visitor("running_mean", running_mean);
    visitor("running_variance", running_variance);
  }

  /// Names the running averages, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) const {
    visitor("running_mean", running_mean);
    visitor("running_variance", running_variance);
  }

  DDX_DIFFERENTIABLE(BatchNorm, scale, offset)
  DDX_NO_DERIVATIVE(running_mean, running_variance, momentum, options, statistics)
};

}  // namespace ddx::nn
