// A pullback is that of the values at the time when it was made, whatever becomes of the variables
// that its function refers to.

#include "ddx/ad.h"

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <vector>

namespace {

using Vector = std::vector<double>;
using Back = ddx::Pullback<double, double>;

double of_the_program = 2;

TEST(PullbackReferents, of_captured_variables) {
  double c = 2;
  const auto back = ddx::pullback([&c](double x) { return x * x * c; }, 3.0);
  c = 5;
  EXPECT_EQ(back(1.0), 12);
  EXPECT_EQ(back(2.0), 24);
}

TEST(PullbackReferents, of_variables_that_are_gone) {
  std::optional<Back> back;
  {
    double c = 2;
    back = ddx::pullback([&c](double x) { return std::exp(x * c) + x * c; }, 0.0);
    c = 5;
  }
  EXPECT_EQ((*back)(1.0), 4);
}

TEST(PullbackReferents, of_nested_lambdas) {
  double c = 2;
  const auto inner = [&c](double x) { return x * c; };
  const auto by_reference = ddx::pullback([&](double x) { return x * inner(x); }, 3.0);
  const auto by_value = ddx::pullback([inner](double x) { return x * inner(x); }, 3.0);
  c = 5;
  EXPECT_EQ(by_reference(1.0), 12);
  EXPECT_EQ(by_value(1.0), 12);
}

TEST(PullbackReferents, of_pointers_and_views) {
  double c[] = {2, 2};
  double* const p = c;
  const std::span<double> view(c);
  const auto of_pointer = ddx::pullback([p](double x) { return x * x * *p; }, 3.0);
  const auto of_view = ddx::pullback([view](double x) { return x * x * view[1]; }, 3.0);
  const auto passed = [](double x, const double* given) { return x * x * *given; };
  const auto of_argument = ddx::pullback(passed, ddx::wrt<0>, 3.0, static_cast<const double*>(p));
  c[0] = 5;
  c[1] = 5;
  EXPECT_EQ(of_pointer(1.0), 12);
  EXPECT_EQ(of_view(1.0), 12);
  EXPECT_EQ(of_argument(1.0), 12);
}

TEST(PullbackReferents, of_vectors) {
  Vector c{1, 2, 3, 4};
  const auto dot = [&c](const Vector& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += x[i] * x[i] * c[i];
    }
    return sum;
  };
  const auto back = ddx::pullback(dot, Vector{1, 1, 1, 1});
  c[1] = 9;
  EXPECT_EQ(back(1.0), (Vector{2, 4, 6, 8}));
  c = {0};
  EXPECT_EQ(back(1.0), (Vector{2, 4, 6, 8}));
}

TEST(PullbackReferents, of_counts) {
  int n = 3;
  const auto power = [&n](double x) {
    double result = 1;
    for (int i = 0; i < n; ++i) {
      result *= x;
    }
    return result;
  };
  const auto back = ddx::pullback(power, 3.0);
  n = 1;
  EXPECT_EQ(back(1.0), 27);
}

struct Refers {
  const double& factor;
  double operator()(double x) const { return x * x * factor; }
};

struct Model {
  double factor = 2;
  [[nodiscard]] Back back() const {
    return ddx::pullback([this](double x) { return x * x * factor; }, 3.0);
  }
};

TEST(PullbackReferents, of_members) {
  double c = 2;
  const auto back = ddx::pullback(Refers{c}, 3.0);
  c = 5;
  EXPECT_EQ(back(1.0), 12);
  Model model;
  const Back of_this = model.back();
  model.factor = 5;
  EXPECT_EQ(of_this(1.0), 12);
}

TEST(PullbackReferents, of_globals) {
  const auto back = ddx::pullback([](double x) { return x * x * of_the_program; }, 3.0);
  of_the_program = 5;
  EXPECT_EQ(back(1.0), 12);
  of_the_program = 2;
}

}  // namespace
