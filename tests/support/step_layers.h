/// \file
/// What tests share of layers that do something in training steps alone.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include <gtest/gtest.h>

namespace ddx::testing {

/// Expects that the layer changes an array in a step, and before and after it does not.
template <class Layer>
void expect_identity_outside_of_a_step(Layer layer) {
  const auto x = random_normal<double>(RandomKey(1), {3, 4});
  EXPECT_EQ(layer(x), x);
  layer.begin_step(RandomKey(2));
  EXPECT_FALSE(layer(x) == x);
  layer.end_step();
  EXPECT_EQ(layer(x), x);
}

}  // namespace ddx::testing
