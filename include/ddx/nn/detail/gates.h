/// \file
/// What recurrent cells share.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstdint>

namespace ddx::nn::detail {

/// The settings of a recurrent cell.
struct CellOptions {
  std::int64_t in = 0;      ///< Numbers that enter in each step.
  std::int64_t hidden = 0;  ///< Numbers that go from step to step.
  RandomKey key{0};         ///< Of the initial weights; `initialize` draws new ones.
  Device device = {};
};

/// Draws both weights uniformly within 1 / sqrt(hidden), as PyTorch does.
template <FloatingScalar Scalar>
void draw_weights(RandomKey key, Tensor<Scalar>& input_weight, Tensor<Scalar>& hidden_weight) {
  const double bound = 1 / std::sqrt(static_cast<double>(hidden_weight.shape()[0]));
  input_weight = random_uniform<Scalar>(key.fold_in(0), input_weight.shape(),
                                        {.low = -bound, .high = bound}, input_weight.device());
  hidden_weight = random_uniform<Scalar>(key.fold_in(1), hidden_weight.shape(),
                                         {.low = -bound, .high = bound}, hidden_weight.device());
}

}  // namespace ddx::nn::detail
