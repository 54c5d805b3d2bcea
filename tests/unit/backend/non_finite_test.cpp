#include "backend/non_finite.h"

#include "ddx/backend/asynchronous.h"
#include "ddx/backend/debug_nans.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/float16.h"
#include "ddx/tensor.h"

#include "backend/queue.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <complex>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>
#include <string>
#include <vector>

namespace ddx::backend {
namespace non_finite_test {

using ddx::testing::message_of;

class DebugNansTest : public ::testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static Tensor<float> row(const std::vector<float>& values) {
    return Tensor<float>(Shape{static_cast<Shape::Extent>(values.size())}, values, GetParam());
  }
};

std::string place(std::uint32_t line) {
  return std::string(std::source_location::current().file_name()) + ":" + std::to_string(line);
}

TEST_P(DebugNansTest, TheFirstOperationIsNamed) {
  const DebugNans nans;
  const auto x = Tensor<float>(Shape{2, 2}, std::vector<float>{4, 1, 1, -1}, GetParam());
  const std::string text = message_of<UsageError>([&] { (void)exp(sqrt(x) * 3.0F).values(); });
  EXPECT_TRUE(text.starts_with("sqrt: element [1, 1] of result 0, f32[2, 2], is ")) << text;
  EXPECT_NE(text.find("nan though all operands are finite: f32[2, 2]"), std::string::npos) << text;
}

TEST_P(DebugNansTest, InfinitiesCountAndTheLineIsTheUsers) {
  const DebugNans nans;
  const auto x = row({3e38F, 3e38F});
  const auto line = std::source_location::current().line() + 1;
  const std::string text = message_of<UsageError>([&] { (void)sum(x).item(); });
  EXPECT_TRUE(text.starts_with("sum: element [] of result 0, f32[], is inf")) << text;
  EXPECT_NE(text.find("(at " + place(line) + ")"), std::string::npos) << text;
}

TEST_P(DebugNansTest, WhoseOperandsAreNotFiniteIsNotBlamed) {
  const DebugNans nans;
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(row({1, inf}).device(), GetParam());
  const auto values = (row({1, inf}) * row({2, 0})).values();
  EXPECT_EQ(values[0], 2);
  EXPECT_TRUE(std::isnan(values[1]));
  // A mask is made of nothing.
  EXPECT_EQ(full<float>({2}, -inf, GetParam()).values(), (std::vector<float>{-inf, -inf}));
}

TEST_P(DebugNansTest, AnOperandThatIsWrittenOverWasFinite) {
  const DebugNans nans;
  const std::string text = message_of<UsageError>([&] {
    auto x = row({1, 0});
    x /= row({1, 0});
    (void)x.values();
  });
  EXPECT_TRUE(text.starts_with("div: element [1] of result 0, f32[2], is ")) << text;
}

TEST_P(DebugNansTest, OffByDefaultAndAfterTheScope) {
  const auto program = [] { (void)log(row({-1, 2})).values(); };
  EXPECT_EQ(message_of<UsageError>(program), "(no exception)");
  {
    const DebugNans nans;
    EXPECT_TRUE(message_of<UsageError>(program).starts_with("log: "));
    {
      const DebugNans not_here(false);
      EXPECT_EQ(message_of<UsageError>(program), "(no exception)");
    }
    EXPECT_TRUE(message_of<UsageError>(program).starts_with("log: "));
  }
  EXPECT_EQ(message_of<UsageError>(program), "(no exception)");
}

TEST_P(DebugNansTest, EveryFloatingTypeIsSeen) {
  const DebugNans nans;
  const auto overflow = [](auto one) {
    using T = decltype(one);
    const auto x = cast<T>(full<float>({3}, 200.0F, GetParam()));
    return message_of<UsageError>([&] { (void)exp(x).values(); });
  };
  EXPECT_TRUE(overflow(Half{}).starts_with("exp: element [0] of result 0, f16[3]"));
  EXPECT_TRUE(overflow(BFloat16{}).starts_with("exp: element [0] of result 0, bf16[3]"));
  EXPECT_TRUE(overflow(float{}).starts_with("exp: element [0] of result 0, f32[3]"));
  EXPECT_EQ(overflow(double{}), "(no exception)");
  const auto z = Tensor<std::complex<double>>(
      Shape{2}, std::vector<std::complex<double>>{{0, 0}, {1, 0}}, GetParam());
  const std::string text = message_of<UsageError>([&] { (void)log(z).values(); });
  EXPECT_TRUE(text.starts_with("log: element [0]")) << text;
  // 1e300 is finite, though no float is.
  EXPECT_EQ(
      message_of<UsageError>([&] { (void)(full<double>({2}, 1e300, GetParam()) * 2.0).values(); }),
      "(no exception)");
}

TEST_P(DebugNansTest, InsideOfALoopTheNodesRunApart) {
  // Long enough for a loop of the lazy device.
  const auto x = full<float>({512, 512}, 0.25F, GetParam());
  const auto y = full<float>({512, 512}, 0.5F, GetParam());
  const auto program = [&] { return (exp(log(x - y) * 2.0F) + x).values(); };
  EXPECT_EQ(message_of<UsageError>([&] { (void)program(); }), "(no exception)");
  const DebugNans nans;
  const std::string text = message_of<UsageError>([&] { (void)program(); });
  EXPECT_TRUE(text.starts_with("log: element [0, 0] of result 0, f32[512, 512], is ")) << text;
}

INSTANTIATE_TEST_SUITE_P(Devices, DebugNansTest,
                         ::testing::Values(Device::naive(), Device::cpu(), Device::lazy()),
                         [](const ::testing::TestParamInfo<Device>& info) {
                           return to_string(info.param);
                         });

TEST(DebugNans, OfAnAsynchronousDeviceItIsThrownAtTheLook) {
  const DebugNans nans;
  set_asynchronous(Device::cpu(), true);
  const double before = set_break_even(0);
  const auto y = log(Tensor<float>({-1, 2}, Device::cpu())) + 1.0F;
  const std::string text = message_of<UsageError>([&] { (void)y.values(); });
  set_asynchronous(Device::cpu(), false);
  (void)set_break_even(before);
  EXPECT_TRUE(text.starts_with("log: element [0]")) << text;
}

}  // namespace non_finite_test
}  // namespace ddx::backend
