/// Lambdas that the run of the program alone leads to: pointers to functions made of them, and
/// std::functions that hold one with a templated call operator.

#include "gradient_check.h"

#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace {

double square(double x) {
  return x * x;
}
double cube(double x) {
  return x * x * x;
}
struct Weighted {
  double (*f)(double);
  double weight;
};
double from_a_table(const std::vector<Weighted>& table, double x) {
  double s = 0;
  for (const Weighted& entry : table) {
    s += entry.f(x) * entry.weight + s * x;
  }
  return s;
}
double lambdas_as_pointers(double x) {
  double (*locals[2])(double) = {[](double v) { return v * v; }, cube};
  double s = 0;
  for (const auto f : locals) {
    s += f(x) * x;
  }
  std::vector<double (*)(double)> kept;
  kept.push_back([](double v) { return 2 * v * v; });
  kept.push_back(+[](double v) { return v / 2; });
  std::vector<std::function<double(double)>> functions;
  functions.push_back(+[](double v) { return v * v * v; });
  functions.emplace_back(square);
  for (std::size_t i = 0; i < 2; ++i) {
    s += kept[i](x) * functions[i](s);
  }
  return s;
}

double generic_and_stored(double x) {
  std::vector<std::function<double(double)>> kept{[x](auto v) { return v * x; }, square};
  kept.emplace_back([](auto v) { return v * v * v; });
  std::vector<double (*)(double)> pointers{[](auto v) { return 3 * v; }, square};
  double s = x;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    s += kept[i](s) + pointers[i % 2](x * s);
  }
  return s;
}

}  // namespace

DDX_CHECK_GRADIENT(lambdas_as_pointers, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(generic_and_stored, at(0.83), at(0.57), at(-0.37))

#ifdef __DDX__
TEST(LambdaPointers, AreDifferentiatedByWhatTheLambdaDoes) {
  std::vector<Weighted> table;
  table.push_back({[](double v) { return v * v; }, 2.0});
  table.push_back({[](auto v) { return v * v * v; }, 1.0});
  // The sum of w f(x) (1 + x)^(places after it).
  const auto sum = [&](double x) { return from_a_table(table, x); };
  EXPECT_NEAR(ddx::gradient(sum, 1.5), 4 * 1.5 * 2.5 + 2 * 1.5 * 1.5 + 3 * 1.5 * 1.5, 1e-12);
  // As single functions: no other pointer of this type is named in this unit.
  std::vector<float (*)(float)> single{[](float v) { return v * v; }};
  single.push_back([](auto v) { return v * v * v; });
  EXPECT_FLOAT_EQ(ddx::gradient(single[0], 1.5F), 3.0F);
  EXPECT_FLOAT_EQ(ddx::gradient(single[1], 1.5F), 6.75F);
  EXPECT_FLOAT_EQ(ddx::differential(single[1], 1.5F)(2.0F), 13.5F);
}
#endif
