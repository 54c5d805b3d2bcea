#include "ddx/tensor/text.h"

#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ir/text.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <iomanip>
#include <sstream>
#include <string>

namespace ddx {
namespace text_test {

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

/// What is written to a stream.
template <class T>
std::string streamed(const T& value) {
  std::ostringstream stream;
  stream << std::setprecision(2) << std::fixed << value;
  return stream.str();
}

TEST(Text, StreamsTakeTensorsAndWhatDescribesThem) {
  const Tensor<float> x{{1, 2.5F}, {0.333333343F, 1e20F}};
  EXPECT_EQ(streamed(x), "[[1, 2.5], [0.33333334, 1e+20]]");
  EXPECT_EQ(streamed(x.shape()), "[2, 2]");
  EXPECT_EQ(streamed(Indices{2, -1}), "[2, -1]");
  EXPECT_EQ(streamed(x.device()), "cpu");
  EXPECT_EQ(streamed(DType::bf16), "bf16");
  EXPECT_EQ(streamed(RandomKey(42)), "key(42)");
  EXPECT_EQ(streamed(RandomKey::from_state({1, 2})), "key(1, 2)");
  EXPECT_EQ(streamed(iota<std::int32_t>(1000)), "[0, 1, 2, ..., 997, 998, 999]");
  EXPECT_EQ(streamed(ir::Type{Shape{3}, DType::f32}), "f32[3]");
  EXPECT_EQ(streamed(graph([](const Tensor<float>& y) { return -y; })(x)),
            "graph(%0: f32[2, 2]) {\n  %1: f32[2, 2] = neg(%0)\n  return %1\n}\n");
}

TEST(Text, LongAxesWithoutElementsAreSummarised) {
  EXPECT_EQ(to_string(zeros<float>({std::int64_t{1} << 40, 0})), "[[], [], [], ..., [], [], []]");
  EXPECT_EQ(to_string(zeros<float>({2, 0, std::int64_t{1} << 40})), "[[], []]");
}

TEST(Text, WritingALazyTensorComputesItOnce) {
  const auto x = Tensor<float>({2}, {1, 2}, Device::lazy()) * 2.0F;
  const auto before = backend::lazy_statistics().flushes;
  EXPECT_EQ(streamed(x), "[2, 4]");
  EXPECT_EQ(streamed(x), "[2, 4]");
  EXPECT_EQ(backend::lazy_statistics().flushes, before + 1);
}

}  // namespace text_test
}  // namespace ddx
