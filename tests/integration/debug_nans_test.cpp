// A NaN that only the gradient makes is traced to its operation.

#include "ddx/tensor/debug_nans.h"

#include "ddx/ddx.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx {
namespace {

/// Its derivative is infinite where an element is zero.
Tensor<float> sum_of_roots(const Tensor<float>& x) {
  return sum(sqrt(x));
}

class DebugNansInGradients : public testing::TestWithParam<Device> {};

TEST_P(DebugNansInGradients, TheDivisionByZeroIsNamed) {
  const Tensor<float> x(Shape{3}, std::vector<float>{4, 0, 1}, GetParam());
  // Without it, the derivative of the root is infinite, without an error.
  EXPECT_TRUE(std::isinf(gradient(sum_of_roots, x).values()[1]));
  const DebugNans nans;
  EXPECT_EQ(sum_of_roots(x).item(), 3) << "the forward computation is finite";
  try {
    (void)gradient(sum_of_roots, x).values();
    ADD_FAILURE() << "no error";
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("element [1] of result 0, f32[3], is inf"), std::string::npos) << text;
    EXPECT_TRUE(text.starts_with("cotangent_quotient: ")) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, DebugNansInGradients,
                         testing::Values(Device::naive(), Device::cpu(), Device::lazy()),
                         [](const testing::TestParamInfo<Device>& info) {
                           return to_string(info.param);
                         });

}  // namespace
}  // namespace ddx
