#include "program_checks.h"

#include "differences.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <utility>

namespace ddx::testing {
namespace {

/// A program at a point of its own.
class Called {
 public:
  Called(const void* program, const ProgramPoint& point) : program_(program), point_(point) {}

  [[nodiscard]] Request operator()(Request request) const {
    point_.run(program_, point_.point, request);
    return request;
  }

  [[nodiscard]] bool has_gradient() const { return point_.has_gradient; }

  /// The arguments' scalars.
  [[nodiscard]] Numbers arguments() const {
    return (*this)({.kind = Request::Kind::Value}).arguments;
  }

  [[nodiscard]] Numbers value(const Numbers* moved = nullptr) const {
    return (*this)({.kind = Request::Kind::Value, .moved = moved}).value;
  }

  [[nodiscard]] Numbers pulled_back(const Numbers& weights, const Numbers& moved) const {
    return (*this)({.kind = Request::Kind::Pullback, .moved = &moved, .weights = &weights}).result;
  }

 private:
  const void* program_;
  ProgramPoint point_;
};

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

/// The differences at one point, after the check that they have settled.
Numbers settled_differences(const Called& program, const Precision& precision,
                            const Numbers& weights) {
  const auto objective = [&](const Numbers& moved) { return dot(weights, program.value(&moved)); };
  Numbers result;
  double scale = 1;
  for (const auto& [value, spread] : differences(objective, program.arguments(), precision.step)) {
    scale = std::max(scale, std::fabs(value));
    EXPECT_LE(spread, precision.tolerance * scale)
        << "the point lies too near a kink, scalar " << result.size();
    EXPECT_TRUE(std::isfinite(value));
    result.push_back(value);
  }
  return result;
}

/// Checks forward mode against the pullback `gradient` of the cotangent `weights`: the tangent
/// along v has the product <weights, Jv> = <gradient, v>.
void check_forward(const Called& program, const Precision& precision, const Numbers& weights,
                   const Numbers& gradient) {
  const Request moved = program({.kind = Request::Kind::Forward});
  expect_near(moved.value, program.value(), precision.exact, "value of jvp");
  const Numbers along = some_direction(gradient.size());
  double scale = 1;
  for (std::size_t i = 0; i < along.size(); ++i) {
    scale = std::max(scale, std::fabs(along[i] * gradient[i]));
  }
  ASSERT_EQ(moved.result.size(), weights.size()) << "tangent";
  EXPECT_NEAR(dot(weights, moved.result), dot(gradient, along), precision.tolerance * scale)
      << "tangent";
}

/// Checks the second derivative that is contracted with `weights` and a direction v, reverse over
/// forward, against differences of the gradient along v.
void check_second_order(const Called& program, const Numbers& weights) {
  const Numbers second = program({.kind = Request::Kind::SecondOrder, .weights = &weights}).result;
  const Numbers start = program.arguments();
  const Numbers along = some_direction(start.size());
  const auto gradient_at = [&](double step) {
    Numbers at = start;
    for (std::size_t i = 0; i < at.size(); ++i) {
      at[i] += step * along[i];
    }
    return program.pulled_back(weights, at);
  };
  const double h = 1e-3;
  const auto far = std::pair(gradient_at(2 * h), gradient_at(-2 * h));
  const auto near = std::pair(gradient_at(h), gradient_at(-h));
  Numbers expected;
  for (std::size_t i = 0; i < second.size(); ++i) {
    expected.push_back((8 * (near.first[i] - near.second[i]) - (far.first[i] - far.second[i])) /
                       (12 * h));
  }
  expect_near(second, expected, 1e-6, "second order");
}

/// Checks the compiled derivatives at one point.
void check_compiled(const Called& program, const ProgramFacts& facts, const Numbers& weights,
                    const Numbers& expected) {
  const Precision& precision = facts.precision;
  const Numbers value = program.value();
  const Request pulled = program({.kind = Request::Kind::Pullback, .weights = &weights});
  expect_near(pulled.value, value, precision.exact, "value of value_with_pullback");
  expect_near(pulled.result, expected, precision.tolerance, "pullback");
  expect_near(pulled.again, pulled.result, precision.exact,
              "pullback called again with -2 times the cotangent");
  if (facts.orders != Orders::Reverse) {
    check_forward(program, precision, weights, expected);
    if (facts.checks_second_order) {
      check_second_order(program, weights);
    }
  }
  if (program.has_gradient()) {
    const Request both = program({.kind = Request::Kind::Gradient});
    expect_near(both.value, value, precision.exact, "value of value_with_gradient");
    expect_near(scaled(both.result, weights[0]), expected, precision.tolerance, "gradient");
  }
}

}  // namespace

Numbers some_direction(std::size_t count) {
  Numbers direction(count);
  for (std::size_t i = 0; i < count; ++i) {
    direction[i] = 0.5 + 0.25 * static_cast<double>(i % 7) - static_cast<double>(i % 2);
  }
  return direction;
}

Numbers scaled(Numbers numbers, double factor) {
  for (double& n : numbers) {
    n *= factor;
  }
  return numbers;
}

void expect_near(const Numbers& actual, const Numbers& expected, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  double scale = 1;
  for (const double e : expected) {
    scale = std::max(scale, std::fabs(e));
  }
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], tolerance * scale) << what << ", scalar " << i;
  }
}

void check_program(const void* program, const ProgramFacts& facts,
                   std::span<const ProgramPoint> points) {
  int number = 0;
  for (const ProgramPoint& point : points) {
    SCOPED_TRACE("point " + std::to_string(++number));
    const Called called(program, point);
    Numbers weights;
    for (std::size_t j = 0; j < called.value().size(); ++j) {
      weights.push_back(0.75 + 0.5 * static_cast<double>(j % 5) - static_cast<double>(j % 3));
    }
    const Numbers expected = settled_differences(called, facts.precision, weights);
    if (facts.is_compiled) {
      check_compiled(called, facts, weights, expected);
    }
  }
}

}  // namespace ddx::testing
