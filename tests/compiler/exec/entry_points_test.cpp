// The ways to name a function and to call the operators. Expected values are derived by hand.
#include "ddx/ad.h"

#include <array>
#include <gtest/gtest.h>
#include <tuple>
#include <utility>
#include <vector>

namespace {

double square(double x) {
  return x * x;
}
double product(double x, double y) {
  return x * y;
}
double product(double x, double y, double z) {
  return x * y * z;
}
float product(float x, float y) {
  return x * y + 1;
}

template <class T>
T cube(T x) {
  return x * x * x;
}

double weighted(double x, int n, double y, const std::vector<double>& w) {
  return x * n + y * w[0];
}

struct Line {
  double slope = 1;
  double operator()(double x) const { return slope * x * x; }
  double value(double x) const { return slope * x; }
  static double doubled(double x) { return 2 * x; }
  DDX_DIFFERENTIABLE(Line, slope)
};

TEST(EntryPoints, gradient_of_a_function_by_name) {
  EXPECT_DOUBLE_EQ(ddx::gradient(square, 3.0), 6);
  EXPECT_DOUBLE_EQ(ddx::gradient(&square, -1.5), -3);
}

TEST(EntryPoints, gradient_of_one_overload_by_cast) {
  const auto [x, y] = ddx::gradient(static_cast<double (*)(double, double)>(product), 2.0, 5.0);
  EXPECT_DOUBLE_EQ(x, 5);
  EXPECT_DOUBLE_EQ(y, 2);
  const auto three =
      ddx::gradient(static_cast<double (*)(double, double, double)>(&product), 2.0, 5.0, 7.0);
  EXPECT_EQ(three, (std::tuple{35.0, 14.0, 10.0}));
  const auto single = ddx::gradient(static_cast<float (*)(float, float)>(product), 2.0F, 5.0F);
  EXPECT_EQ(single, (std::tuple{5.0F, 2.0F}));
}

TEST(EntryPoints, gradient_of_a_function_template) {
  EXPECT_DOUBLE_EQ(ddx::gradient(cube<double>, 2.0), 12);
  EXPECT_FLOAT_EQ(ddx::gradient(cube<float>, 3.0F), 27);
}

TEST(EntryPoints, several_functions_of_one_type) {
  EXPECT_DOUBLE_EQ(ddx::gradient(square, 5.0), 10);
  EXPECT_DOUBLE_EQ(ddx::gradient(cube<double>, 5.0), 75);
  EXPECT_DOUBLE_EQ(ddx::gradient(Line::doubled, 5.0), 2);
}

TEST(EntryPoints, gradient_of_a_lambda_with_captures) {
  const double a = 3;
  std::vector<double> w{1, 2};
  const auto f = [a, &w](double x) { return a * x + w[1] * x * x; };
  EXPECT_DOUBLE_EQ(ddx::gradient(f, 5.0), 3 + 20);
  w[1] = -1;
  EXPECT_DOUBLE_EQ(ddx::gradient(f, 5.0), 3 - 10);
}

TEST(EntryPoints, gradient_of_a_functor) {
  EXPECT_DOUBLE_EQ(ddx::gradient(Line{4}, 0.5), 4);
}

/// Calling it changes what it reads, const or not.
struct Counting {
  mutable double calls = 1;

  double operator()(double x) const {
    const double first = x * calls;
    calls += 1;
    return first * (calls * x);
  }
};

TEST(EntryPoints, a_functor_that_changes_while_it_is_called) {
  const Counting counting;
  EXPECT_DOUBLE_EQ(ddx::gradient(counting, 3.0), 2 * 1 * 2 * 3.0);
  EXPECT_DOUBLE_EQ(ddx::gradient(counting, 3.0), 2 * 2 * 3 * 3.0);
}

TEST(EntryPoints, gradient_with_respect_to_an_object) {
  const auto f = [](const Line& line, double x) { return line(x) + line.value(x); };
  const auto [line, x] = ddx::gradient(f, Line{2}, 3.0);
  EXPECT_DOUBLE_EQ(line.slope, 9 + 3);
  EXPECT_DOUBLE_EQ(x, 12 + 2);
}

TEST(EntryPoints, gradient_inside_a_template) {
  const auto slope = []<class T>(T x) { return ddx::gradient([](T v) { return v * v * v; }, x); };
  EXPECT_DOUBLE_EQ(slope(2.0), 12);
  EXPECT_FLOAT_EQ(slope(2.0F), 12);
}

TEST(EntryPoints, value_with_gradient) {
  const auto [value, gradient] = ddx::value_with_gradient(square, 3.0);
  EXPECT_DOUBLE_EQ(value, 9);
  EXPECT_DOUBLE_EQ(gradient, 6);
  const auto both =
      ddx::value_with_gradient(static_cast<double (*)(double, double)>(product), 2.0, 5.0);
  EXPECT_DOUBLE_EQ(both.value, 10);
  EXPECT_DOUBLE_EQ(std::get<0>(both.gradient), 5);
}

TEST(EntryPoints, derivative_of_a_scalar_function) {
  EXPECT_DOUBLE_EQ(ddx::derivative(square, 3.0), 6);
  const auto [value, slope] = ddx::value_with_derivative(cube<double>, 2.0);
  EXPECT_DOUBLE_EQ(value, 8);
  EXPECT_DOUBLE_EQ(slope, 12);
}

TEST(EntryPoints, wrt_selects_arguments) {
  const std::vector<double> w{7, 8};
  EXPECT_DOUBLE_EQ(ddx::gradient(weighted, ddx::wrt<0>, 2.0, 3, 5.0, w), 3);
  EXPECT_DOUBLE_EQ(ddx::gradient(weighted, ddx::wrt<2>, 2.0, 3, 5.0, w), 7);
  const auto [x, weights] = ddx::gradient(weighted, ddx::wrt<0, 3>, 2.0, 3, 5.0, w);
  EXPECT_DOUBLE_EQ(x, 3);
  EXPECT_EQ(weights, (std::vector{5.0, 0.0}));
}

TEST(EntryPoints, an_unused_vector_gets_zeros_of_its_size) {
  const auto f = [](double x, const std::vector<double>&) { return x * x; };
  const auto [x, v] = ddx::gradient(f, 2.0, std::vector{1.0, 2.0, 3.0});
  EXPECT_DOUBLE_EQ(x, 4);
  EXPECT_EQ(v, (std::vector{0.0, 0.0, 0.0}));
}

TEST(EntryPoints, a_pullback_runs_many_times_and_outlives_its_arguments) {
  const auto make = [] {
    const std::vector<double> x{1, 2, 3};
    const double factor = 2;
    return ddx::pullback(
        [&, factor](const std::vector<double>& v, double y) {
          std::array<double, 2> r{v[0] * v[1] * y, factor * v[2]};
          return r;
        },
        x, 10.0);
  };
  const auto pullback = make();
  for (int repetition = 0; repetition < 2; ++repetition) {
    const auto [v, y] = pullback(std::array{1.0, 0.0});
    EXPECT_EQ(v, (std::vector{20.0, 10.0, 0.0}));
    EXPECT_DOUBLE_EQ(y, 2);
    const auto [v2, y2] = pullback(std::array{0.0, 1.0});
    EXPECT_EQ(v2, (std::vector{0.0, 0.0, 2.0}));
    EXPECT_DOUBLE_EQ(y2, 0);
  }
  const auto copy = pullback;
  EXPECT_DOUBLE_EQ(std::get<1>(copy(std::array{3.0, 1.0})), 6);
}

TEST(EntryPoints, two_pullbacks_do_not_share_records) {
  const auto f = [](double x, int n) {
    double s = 1;
    for (int i = 0; i < n; ++i) {
      s *= x;
    }
    return s;
  };
  const auto a = ddx::pullback(f, ddx::wrt<0>, 2.0, 3);
  const auto b = ddx::pullback(f, ddx::wrt<0>, 3.0, 4);
  EXPECT_DOUBLE_EQ(a(1.0), 12);
  EXPECT_DOUBLE_EQ(b(1.0), 108);
  EXPECT_DOUBLE_EQ(a(0.5), 6);
}

TEST(EntryPoints, value_with_pullback) {
  const auto [value, pullback] = ddx::value_with_pullback(cube<double>, 2.0);
  EXPECT_DOUBLE_EQ(value, 8);
  EXPECT_DOUBLE_EQ(pullback(0.5), 6);
}

TEST(EntryPoints, four_arguments) {
  const auto f = [](double a, double b, double c, double d) { return a * b * c * d; };
  EXPECT_EQ(ddx::gradient(f, 1.0, 2.0, 3.0, 4.0), (std::tuple{24.0, 12.0, 8.0, 6.0}));
}

}  // namespace
