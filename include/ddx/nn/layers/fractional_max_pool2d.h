/// \file
/// Pooling that shrinks images by a factor that is no integer.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/fractional_pooling.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// The greatest of each region of a random division of the rows and columns, which in a training
/// step (see begin_step) is another one each time.
///
/// Shapes:  x [n, h, w, c] -> [n, floor(h / ratios[0]), floor(w / ratios[1]), c]
/// Source:  B. Graham, "Fractional max-pooling", 2014.
template <FloatingScalar Scalar>
struct FractionalMaxPool2D {
  struct Options {
    FractionalPoolOptions regions;
    RandomKey key{0};  ///< Of the division outside of training.
  };

  FractionalPoolOptions regions;
  RandomKey key{0};          ///< Outside of training.
  RandomKey key_of_step{0};  ///< Of this step.
  bool training = false;

  explicit(false) FractionalMaxPool2D(const Options& options)
      : regions(options.regions), key(options.key) {}

  /// The key decides on the division until the step ends.
  void begin_step(RandomKey key_in) {
    training = true;
    key_of_step = key_in;
  }
  /// Back to the division that is always the same.
  void end_step() {
    training = false;
    key_of_step = RandomKey(0);
  }

  /// Shapes:  x [n, h, w, c] -> [n, floor(h / ratios[0]), floor(w / ratios[1]), c]
  /// Throws:  UsageError where the rank is not 4, or a ratio is below 1 or above the extent.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return fractional_max_pool2d(training ? key_of_step : key, x, regions, where);
  }

  DDX_DIFFERENTIABLE(FractionalMaxPool2D)
  DDX_NO_DERIVATIVE(regions, key, key_of_step, training)
};

}  // namespace ddx::nn
