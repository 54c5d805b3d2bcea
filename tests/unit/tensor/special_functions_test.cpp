#include "ddx/tensor/special_functions.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/tensor.h"
#include "ddx/tensor/text.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx {
namespace special_functions_test {

using testing::thrown;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Recording {
  std::string name;
  std::vector<double> points;
  std::vector<double> values;
};

const Recording recordings[] = {
#include "tests/goldens/special_functions.inc"
};

template <class Scalar>
Tensor<Scalar> apply_named(const std::string& name, const Tensor<Scalar>& x) {
  if (name == "lgamma") {
    return lgamma(x);
  }
  if (name == "digamma") {
    return digamma(x);
  }
  if (name.starts_with("polygamma ")) {
    return polygamma(name.back() - '0', x);
  }
  return name == "erf" ? erf(x) : erfc(x);
}

Tensor<double> vector_of(const std::vector<double>& values, Device device) {
  return Tensor<double>({static_cast<Shape::Extent>(values.size())}, values, device);
}

TEST(SpecialFunctions, AgreeWithRecordingsInFortyDigits) {
  for (const Recording& recording : recordings) {
    for (const Device device : {Device::naive(), Device::cpu()}) {
      SCOPED_TRACE(recording.name + " on " + to_string(device));
      const auto x = vector_of(recording.points, device);
      const auto y = vector_of(recording.values, device);
      const auto got = apply_named(recording.name, x);
      EXPECT_TRUE(all_close(got, y, {.relative = 2e-13, .absolute = 1e-15}))
          << to_string(got) << " " << to_string(y);
    }
  }
}

// The argument, rounded to float, is taken as given: the condition of the functions is not theirs.
TEST(SpecialFunctions, OfFloatAreThoseOfDoubleRounded) {
  for (const Recording& recording : recordings) {
    SCOPED_TRACE(recording.name);
    const auto x = cast<float>(vector_of(recording.points, Device::cpu()));
    const auto expected = cast<float>(apply_named(recording.name, cast<double>(x)));
    EXPECT_TRUE(
        all_close(apply_named(recording.name, x), expected, {.relative = 1e-6, .absolute = 1e-37}))
        << to_string(apply_named(recording.name, x)) << " " << to_string(expected);
  }
}

TEST(SpecialFunctions, AtTheirPolesAndAtInfinity) {
  EXPECT_EQ(lgamma(Tensor<double>{0, -3, infinity}),
            (Tensor<double>{infinity, infinity, infinity}));
  for (const double value : digamma(Tensor<double>{-1, -2, -infinity, NAN}).values()) {
    EXPECT_TRUE(std::isnan(value)) << value;
  }
  EXPECT_EQ(digamma(Tensor<double>{0.0, -0.0, infinity}),
            (Tensor<double>{-infinity, infinity, infinity}));
  EXPECT_EQ(polygamma(1, Tensor<double>{0, -1, infinity}), (Tensor<double>{infinity, infinity, 0}));
  EXPECT_TRUE(std::isnan(polygamma(2, Tensor<double>(-1)).item()));
  EXPECT_TRUE(std::isnan(polygamma(1, Tensor<double>(-infinity)).item()));
  EXPECT_EQ(erf(Tensor<float>{-1000, 1000}), (Tensor<float>{-1, 1}));
  EXPECT_EQ(erfc(Tensor<float>{-1000, 1000}), (Tensor<float>{2, 0}));
  EXPECT_TRUE(std::isnan(erf(Tensor<float>(NAN)).item()));
  EXPECT_TRUE(std::isnan(erfc(Tensor<float>(NAN)).item()));
}

TEST(SpecialFunctions, PolygammaKnowsOrdersToAHundred) {
  // n! zeta(n + 1) is n! (1 + 2^-101 + ...).
  EXPECT_NEAR(polygamma(100, Tensor<double>(1)).item() / -std::tgamma(101.0), 1, 1e-13);
  EXPECT_EQ(thrown<UsageError>([] { (void)polygamma(-1, Tensor<double>{1, 2}); }),
            "polygamma: order -1 is not in [0, 100]; shape [2] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)polygamma(101, Tensor<double>{1, 2}); }),
            "polygamma: order 101 is not in [0, 100]; shape [2] (here)");
}

}  // namespace special_functions_test
}  // namespace ddx
