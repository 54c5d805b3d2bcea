#include "ddx/tensor/attention_over_range.h"

#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>
#include <vector>

namespace ddx {
namespace attention_over_range_test {

using Doubles = Tensor<double>;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Three places, with no numbers before and behind them.
Doubles surrounded(const Doubles& x) {
  return pad(x, {0, 1, 0}, {0, 2, 0}, none);
}

void expect_equal(const Doubles& got, const Doubles& expected) {
  ASSERT_EQ(got.shape(), expected.shape());
  for (std::size_t i = 0; i < expected.count(); ++i) {
    EXPECT_NEAR(got.elements()[i], expected.elements()[i], 1e-14) << i;
  }
}

// The derivatives are those of attention to the places of the range alone.
TEST(AttentionOverRange, DerivativesReadNothingOutsideTheRange) {
  const auto here = std::source_location::current();
  const DotProductAttentionOptions options{.scale = 0.7};
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto drawn = [&](std::uint64_t key, const Shape& shape) {
      return random_normal<double>(RandomKey(key), shape, {}, device);
    };
    const Doubles q = drawn(1, {2, 2, 4});
    const Doubles k = drawn(2, {2, 3, 4});
    const Doubles v = drawn(3, {2, 3, 5});
    const Tensor<std::int32_t> range({2}, {1, 4}, device);

    const auto y = attention_over_range_vjp(q, surrounded(k), surrounded(v), range, options, here);
    const auto [dq, dk, dv] = y.pullback(drawn(4, {2, 2, 5}), Wanted<3>{true, true, true});
    const auto whole = attention_vjp(q, k, v, options, here);
    const auto [of_q, of_k, of_v] =
        whole.pullback(drawn(4, {2, 2, 5}), Wanted<3>{true, true, true});
    expect_equal(y.value, whole.value);
    expect_equal(dq, of_q);
    expect_equal(dk, pad(of_k, {0, 1, 0}, {0, 2, 0}));
    expect_equal(dv, pad(of_v, {0, 1, 0}, {0, 2, 0}));

    const Doubles tq = drawn(5, q.shape());
    const Doubles tk = drawn(6, k.shape());
    const Doubles tv = drawn(7, v.shape());
    expect_equal(attention_over_range_jvp(q, surrounded(k), surrounded(v), range, options, here, tq,
                                          surrounded(tk), surrounded(tv))
                     .tangent,
                 attention_jvp(q, k, v, options, here, tq, tk, tv).tangent);
  }
}

}  // namespace attention_over_range_test
}  // namespace ddx
