#include "ddx/ad/detail/complex_declaration.h"

#include "ddx/ad/detail/accumulate.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/tangent.h"

#include <complex>
#include <concepts>
#include <gtest/gtest.h>
#include <vector>

namespace complex_declaration_test {

using Complex = std::complex<double>;

TEST(ComplexTangent, IsAComplexNumber) {
  EXPECT_TRUE((std::same_as<ddx::TangentOf<Complex>, Complex>));
  EXPECT_TRUE((std::same_as<ddx::TangentOf<std::vector<std::complex<float>>>,
                            std::vector<std::complex<float>>>));
  EXPECT_TRUE((std::same_as<ddx::TangentOf<std::complex<int>>, ddx::NoTangent>));
}

TEST(ComplexTangent, AddsAndLeavesZeros) {
  std::vector<Complex> into = {{1, 2}, {3, 4}};
  ddx::detail::accumulate(into, std::vector<Complex>{{10, 20}, {30, 40}});
  EXPECT_EQ(into, (std::vector<Complex>{{11, 22}, {33, 44}}));
  EXPECT_EQ(ddx::detail::take(into[0]), Complex(11, 22));
  EXPECT_EQ(into[0], Complex(0, 0));
  ddx::detail::set_zero(into);
  EXPECT_EQ(into[1], Complex(0, 0));
  EXPECT_EQ(ddx::detail::zeros_like(Complex(1, 2)), Complex(0, 0));
}

TEST(ComplexTangent, PartsAreTheNumberItself) {
  Complex z(1, 2);
  ddx::detail::parts(z)[1] = 5;
  EXPECT_EQ(z, Complex(1, 5));
  const Complex& fixed = z;
  EXPECT_EQ(ddx::detail::parts(fixed)[0], 1);
}

}  // namespace complex_declaration_test
