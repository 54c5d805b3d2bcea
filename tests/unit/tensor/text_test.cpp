#include "ddx/tensor/text.h"

#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace {

TEST(Text, PrintsNestedLists) {
  EXPECT_EQ(to_string(Tensor<float>{{1, 2.5F}, {-0.1F, 1e20F}}), "[[1, 2.5], [-0.1, 1e+20]]");
  EXPECT_EQ(to_string(Tensor<float>(3)), "3");
  EXPECT_EQ(to_string(Tensor<bool>{true, false}), "[true, false]");
  EXPECT_EQ(to_string(Tensor<std::uint8_t>{200}), "[200]");
  EXPECT_EQ(to_string(zeros<float>({2, 0})), "[[], []]");
}

TEST(Text, ShortensLargeTensors) {
  EXPECT_EQ(to_string(iota<std::int32_t>(1000)), "[0, 1, 2, ..., 997, 998, 999]");
  EXPECT_EQ(to_string(reshape(iota<std::int32_t>(1000), {500, 2})),
            "[[0, 1], [2, 3], [4, 5], ..., [994, 995], [996, 997], [998, 999]]");
}

}  // namespace
}  // namespace ddx
