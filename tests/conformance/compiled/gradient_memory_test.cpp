// How much memory gradients take beside what the way back needs.

#include "ddx/ad/operators.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor.h"

#include <cstddef>
#include <gtest/gtest.h>

namespace ddx::testing {
namespace {

constexpr std::size_t bytes_of_array = std::size_t{64} * 256 * sizeof(float);

Tensor<float> chain(const Tensor<float>& x) {
  auto y = gelu_tanh(x);
  y = gelu_tanh(y);
  y = gelu_tanh(y);
  y = gelu_tanh(y);
  y = gelu_tanh(y);
  y = gelu_tanh(y);
  y = gelu_tanh(y);
  y = gelu_tanh(y);
  y = gelu_tanh(y);
  y = gelu_tanh(y);
  return sum(y);
}

// The ten operands are kept for the way back, the first of them by the caller. Cotangents end where
// they are read: two of them, and what an operation makes of one, are alive at once.
TEST(GradientMemory, OfAChainIsThatOfItsOperands) {
  const auto x = random_normal<float>(RandomKey(1), {64, 256}, {}, Device());
  (void)gradient(chain, x);
  backend::reset_memory_peak();
  const std::size_t before = backend::memory_statistics().in_use;
  (void)gradient(chain, x);
  const std::size_t most = backend::memory_statistics().peak - before;
  EXPECT_GE(most, 9 * bytes_of_array);
  EXPECT_LE(most, 14 * bytes_of_array);
}

}  // namespace
}  // namespace ddx::testing
