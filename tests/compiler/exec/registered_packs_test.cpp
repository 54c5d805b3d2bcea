// Derivatives registered with packs of parameters, and for forward mode with the tangents that are
// wanted.

#include "gradient_check.h"

#include <cmath>
#include <tuple>

namespace {

/// first^2 + the sum of the products of first with the others.
template <class... Numbers>
double with_first(const double& first, const Numbers&... others) {
  return first * first + (0.0 + ... + (first * others));
}

template <class... Numbers>
DDX_DERIVATIVE_OF(with_first)
auto with_first_vjp(const double& first, const Numbers&... others) {
  const double sum = (0.0 + ... + others);
  return ddx::vjp(with_first(first, others...), [first, sum](double dy) {
    return std::tuple(dy * (2 * first + sum), static_cast<Numbers>(dy * first)...);
  });
}

double pack(double x, double y) {
  return with_first(x, y * y, std::sin(x)) * with_first(y);
}

/// A product; its derivative for forward mode shows which tangents are not wanted.
double product_of(double a, double b) {
  return a * b;
}

DDX_DERIVATIVE_OF(product_of)
auto product_of_vjp(double a, double b) {
  return ddx::vjp(a * b, [a, b](double dy) { return std::tuple(dy * b, dy * a); });
}

DDX_DERIVATIVE_OF(product_of)
auto product_of_jvp(double a, double b, double da, double db,
                    ddx::Wanted<2> moving = ddx::Wanted<2>::all()) {
  return ddx::ValueWithTangent<double, double>{
      a * b, (moving[0] ? da * b : 1000) + (moving[1] ? a * db : 2000)};
}

double both_move(double x, double y) {
  return product_of(x * x, y) * x;
}

TEST(RegisteredPacks, TangentsOfConstantsAreNotWanted) {
#ifndef DDX_THROUGH_MEMORY  // There, all are.
  const auto by_first = [](double x) { return product_of(x, 3.0); };
  const auto by_second = [](double x) { return product_of(3.0, x); };
  EXPECT_EQ(ddx::jvp(by_first, ddx::along(2.0), 5.0).tangent, 6 + 2000);
  EXPECT_EQ(ddx::jvp(by_second, ddx::along(2.0), 5.0).tangent, 6 + 1000);
#endif
}

DDX_CHECK_GRADIENT(pack, at(0.3, -0.7), at(1.5, 0.4), at(-0.8, 1.1))
DDX_CHECK_GRADIENT(both_move, at(0.3, -0.7), at(1.5, 0.4), at(-0.8, 1.1))

}  // namespace
