#include "ddx/tensor/predicate.h"

#include "ddx/core/device.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace ddx {
namespace predicate_test {

using Limits = std::numeric_limits<float>;

TEST(Predicates, TellTheKindsOfNumbersApart) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto x =
        Tensor<float>{
            0,   Limits::max(), Limits::denorm_min(), Limits::infinity(), -Limits::infinity(),
            NAN, -NAN}
            .to(device);
    EXPECT_EQ(is_finite(x), (Tensor<bool>{true, true, true, false, false, false, false}));
    EXPECT_EQ(is_inf(x), (Tensor<bool>{false, false, false, true, true, false, false}));
    EXPECT_EQ(is_nan(x), (Tensor<bool>{false, false, false, false, false, true, true}));
    EXPECT_EQ(is_nan(zeros<double>({0, 3}, device)).shape(), (Shape{0, 3}));
  }
}

}  // namespace predicate_test
}  // namespace ddx
