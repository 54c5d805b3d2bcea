#include "ddx/tensor/trigonometry.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <source_location>

namespace ddx {
namespace trigonometry_test {

using std::numbers::pi;
using testing::thrown;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Trigonometry, KnownAngles) {
  const Tolerance tight{.relative = 1e-15, .absolute = 1e-15};
  EXPECT_TRUE(all_close(tan(Tensor<double>{0, pi / 4, -pi / 4}), Tensor<double>{0, 1, -1}, tight));
  EXPECT_TRUE(all_close(asin(Tensor<double>{-1, 0.5}), Tensor<double>{-pi / 2, pi / 6}, tight));
  EXPECT_TRUE(all_close(acos(Tensor<double>{-1, 0.5}), Tensor<double>{pi, pi / 3}, tight));
  EXPECT_TRUE(
      all_close(atan(Tensor<double>{1, -infinity}), Tensor<double>{pi / 4, -pi / 2}, tight));
  EXPECT_TRUE(all_close(atan2(Tensor<double>{1, -1, 0.0, -0.0}, Tensor<double>{1, -1, -1, -1}),
                        Tensor<double>{pi / 4, -3 * pi / 4, pi, -pi}, tight));
}

TEST(Trigonometry, OutsideTheirDomains) {
  for (const double outside : {-1.5, 1.5}) {
    EXPECT_TRUE(std::isnan(asin(Tensor<double>(outside)).item()));
    EXPECT_TRUE(std::isnan(acos(Tensor<double>(outside)).item()));
    EXPECT_TRUE(std::isnan(atanh(Tensor<double>(outside)).item()));
  }
  EXPECT_TRUE(std::isnan(acosh(Tensor<double>(0.5)).item()));
  EXPECT_EQ(atanh(Tensor<double>{-1, 1}), (Tensor<double>{-infinity, infinity}));
  EXPECT_EQ(acosh(Tensor<double>(1)).item(), 0);
}

// e^88.9 is above the largest float, half of it is below. sinh(1e-3) = 1e-3 + 1e-9 / 6.
TEST(Hyperbolic, NeitherOverflowsEarlyNorLosesDigitsNearZero) {
  const Tolerance tight{.relative = 4e-7, .absolute = 0};
  const auto half = static_cast<float>(std::exp(static_cast<double>(88.9F)) / 2);
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto large = Tensor<float>{88.9F, -88.9F}.to(device);
    EXPECT_TRUE(all_close(sinh(large), Tensor<float>{half, -half}.to(device), tight));
    EXPECT_TRUE(all_close(cosh(large), Tensor<float>{half, half}.to(device), tight));
    EXPECT_TRUE(all_close(sinh(Tensor<float>{1e-3F, -1e-20F}.to(device)),
                          Tensor<float>{1.000000167e-3F, -1e-20F}.to(device), tight));
    EXPECT_EQ(cosh(Tensor<float>(0).to(device)).item(), 1);
    const auto far = Tensor<float>{-1000, 1000}.to(device);
    constexpr float top = std::numeric_limits<float>::infinity();
    EXPECT_EQ(sinh(far), (Tensor<float>{-top, top})) << to_string(device);
    EXPECT_EQ(cosh(far), (Tensor<float>{top, top})) << to_string(device);
    EXPECT_TRUE(std::isnan(sinh(Tensor<float>(NAN).to(device)).item()));
  }
}

// asinh'(x) is 1 / |x| for large x, whose square is not a float.
TEST(Hyperbolic, SlopesOfTheInversesAtLargeNumbers) {
  const Tolerance tight{.relative = 1e-5, .absolute = 0};
  const Tensor<float> x{1e30F, 1000};
  const Tensor<float> one{1, 1};
  EXPECT_TRUE(all_close(asinh_vjp(x).pullback(one), Tensor<float>{1e-30F, 1e-3F}, tight));
  EXPECT_TRUE(all_close(acosh_vjp(x).pullback(one), Tensor<float>{1e-30F, 1e-3F}, tight));
}

TEST(Atan2, SlopesAtTheOriginAndFarFromIt) {
  const auto where = std::source_location::current();
  const auto [dy, dx] =
      atan2_vjp(Tensor<double>{0, 1e200, 1e-200}, Tensor<double>{0, 1e200, 0}, where)
          .pullback(Tensor<double>{1, 1, 1}, Wanted<2>::all());
  const Tolerance tight{.relative = 1e-15, .absolute = 0};
  EXPECT_TRUE(all_close(dy, Tensor<double>{0, 0.5e-200, 0}, tight));
  EXPECT_TRUE(all_close(dx, Tensor<double>{0, -0.5e-200, -1e200}, tight));
  EXPECT_EQ(thrown<UsageError>([] { (void)atan2(Tensor<double>{1, 2}, Tensor<double>{1, 2, 3}); }),
            "atan2: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
}

}  // namespace trigonometry_test
}  // namespace ddx
