#include "ddx/ad/without_derivative.h"

#include <gtest/gtest.h>
#include <memory>

namespace without_derivative_test {

TEST(WithoutDerivative, ReturnsItsArgument) {
  static_assert(ddx::without_derivative(2.5) == 2.5);
  EXPECT_EQ(*ddx::without_derivative(std::make_unique<int>(3)), 3);
}

}  // namespace without_derivative_test
