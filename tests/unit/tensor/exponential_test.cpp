#include "ddx/tensor/exponential.h"

#include "ddx/core/device.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace ddx {
namespace exponential_test {

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(Exponential, PowersOfTwoAreExact) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto x = Tensor<float>{-149, -126, -3, 0, 1, 10, 127}.to(device);
    const auto y = Tensor<float>{0x1p-149F, 0x1p-126F, 0.125F, 1, 2, 1024, 0x1p127F}.to(device);
    EXPECT_EQ(exp2(x), y) << to_string(device);
    EXPECT_EQ(log2(y), x) << to_string(device);
  }
}

TEST(Exponential, PowersOfTen) {
  const Tolerance tight{.relative = 4e-7, .absolute = 0};
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto x = Tensor<float>{-37, -2, 0, 1, 5, 38}.to(device);
    const auto y = Tensor<float>{1e-37F, 0.01F, 1, 10, 1e5F, 1e38F}.to(device);
    EXPECT_TRUE(all_close(exp10(x), y, tight)) << to_string(device);
    EXPECT_TRUE(all_close(log10(y), x, tight)) << to_string(device);
  }
}

TEST(Exponential, AtTheEdges) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto far = Tensor<float>{-1000, 1000, -infinity, infinity}.to(device);
    EXPECT_EQ(exp2(far), (Tensor<float>{0, infinity, 0, infinity})) << to_string(device);
    EXPECT_EQ(exp10(far), (Tensor<float>{0, infinity, 0, infinity})) << to_string(device);
    const auto edge = Tensor<float>{0, infinity}.to(device);
    EXPECT_EQ(log2(edge), (Tensor<float>{-infinity, infinity})) << to_string(device);
    EXPECT_EQ(log10(edge), (Tensor<float>{-infinity, infinity})) << to_string(device);
    EXPECT_TRUE(std::isnan(log2(Tensor<float>(-1).to(device)).item()));
    EXPECT_TRUE(std::isnan(log10(Tensor<float>(NAN).to(device)).item()));
    EXPECT_TRUE(std::isnan(exp2(Tensor<float>(NAN).to(device)).item()));
  }
}

// log(1 - e^-x) is log(x) - x / 2 near 0 and -e^-x for large x.
TEST(Log1mexp, IsAccurateAtBothEnds) {
  const Tolerance tight{.relative = 1e-14, .absolute = 0};
  EXPECT_TRUE(all_close(log1mexp(Tensor<double>{-1e-12, -40, -700}),
                        Tensor<double>{std::log(1e-12) - 0.5e-12, -std::exp(-40), -std::exp(-700)},
                        tight));
  // 1 - e^-log 2 = 1 / 2, on either side of the switch.
  EXPECT_NEAR(log1mexp(Tensor<double>(-std::log(2.0))).item(), -std::log(2.0), 1e-15);
  EXPECT_NEAR(log1mexp(Tensor<double>(-std::log(2.0) * 1.0001)).item(),
              std::log(1 - std::pow(2.0, -1.0001)), 1e-15);
  EXPECT_EQ(log1mexp(Tensor<double>{0, -1000}),
            (Tensor<double>{-std::numeric_limits<double>::infinity(), 0}));
  EXPECT_TRUE(std::isnan(log1mexp(Tensor<double>(0.5)).item()));
  // -1 / (e^x - 1): -1 at log 2.
  const auto pullback = log1mexp_vjp(Tensor<double>{-std::log(2.0), -1000}).pullback;
  EXPECT_TRUE(all_close(pullback(Tensor<double>{3, 3}), Tensor<double>{-3, 0}, tight));
}

}  // namespace exponential_test
}  // namespace ddx
