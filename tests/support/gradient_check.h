/// \file
/// Compares compiled gradients, pullbacks and tangents with differences. A new program costs one
/// row:
///
///     double cube(double x) { return x * x * x; }
///     DDX_CHECK_GRADIENT(cube, at(-1.0), at(0.5), at(2.0))
///
/// Arguments without tangent (an int, a bool) may stand anywhere; `ddx::wrt` leaves them out.
/// Without the compiler plugin only the rows themselves are checked: that differences settle at
/// each point and agree in two step sizes.

#pragma once

#include "ddx/ad.h"

#include "differences.h"
#include "scalars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Instantiated for each program: to optimise it would take longer than all else in these tests.
// What it calls, the programs and their derivatives, is optimised as the options say.
#pragma clang optimize off

namespace ddx::testing {

/// What is checked of a program.
enum class Orders {
  Reverse,  ///< Reverse mode alone.
  First,    ///< Forward mode too.
  All,      ///< Second derivatives too, where DDX_CHECK_SECOND_ORDER is defined.
};

/// The arguments of one call.
template <class... Args>
[[nodiscard]] std::tuple<Args...> at(const Args&... arguments) {
  return {arguments...};
}

/// The positions of the arguments that carry a tangent, as a std::index_sequence.
template <class... Args>
[[nodiscard]] constexpr auto differentiated_positions() {
  constexpr std::array carries{Differentiable<Args>...};
  constexpr auto count = static_cast<std::size_t>(std::ranges::count(carries, true));
  constexpr auto positions = [&carries] {
    std::array<std::size_t, count> found{};
    for (std::size_t i = 0, next = 0; i < carries.size(); ++i) {
      if (carries[i]) {
        found[next++] = i;
      }
    }
    return found;
  }();
  return [&positions]<std::size_t... K>(std::index_sequence<K...>) {
    return std::index_sequence<positions[K]...>{};
  }(std::make_index_sequence<count>{});
}

/// Expects `actual` near `expected`, scalar by scalar, relative to the largest.
inline void expect_near(const std::vector<double>& actual, const std::vector<double>& expected,
                        double tolerance, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  double scale = 1;
  for (const double e : expected) {
    scale = std::max(scale, std::fabs(e));
  }
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], tolerance * scale) << what << ", scalar " << i;
  }
}

/// The differences at one point, after the check that they have settled.
template <class Scalar, class Program, class... Args>
std::vector<double> settled_differences(const Program& program,
                                        const std::tuple<Args...>& arguments,
                                        const std::vector<double>& weights) {
  std::vector<double> result;
  double scale = 1;
  for (const auto& [value, spread] : differences<Scalar>(program, arguments, weights)) {
    scale = std::max(scale, std::fabs(value));
    EXPECT_LE(spread, Precision<Scalar>::tolerance * scale)
        << "the point lies too near a kink, scalar " << result.size();
    EXPECT_TRUE(std::isfinite(value));
    result.push_back(value);
  }
  return result;
}

#ifdef __DDX__
/// A direction to go in from `values`: its scalars all different, none of them 0 or 1.
template <class... Values>
[[nodiscard]] std::tuple<TangentOf<Values>...> some_direction(const Values&... values) {
  std::tuple<TangentOf<Values>...> direction{detail::zeros_like(values)...};
  std::vector<double> parts(scalars(direction).size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = 0.5 + 0.25 * static_cast<double>(i % 7) - static_cast<double>(i % 2);
  }
  set_scalars(direction, parts);
  return direction;
}

[[nodiscard]] inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

/// Checks forward mode against the pullback `gradient` of the cotangent `weights`: the tangent
/// along v has the product <weights, Jv> = <gradient, v>.
template <class Scalar, class Program, class... Args, std::size_t... I>
void check_forward(const Program& program, const std::tuple<Args...>& arguments,
                   const std::vector<double>& weights, const std::vector<double>& gradient,
                   std::index_sequence<I...>) {
  const auto direction = some_direction(std::get<I>(arguments)...);
  const auto moved = std::apply(
      [&](const Args&... x) {
        return ddx::jvp(program, ddx::wrt<I...>, ddx::along(std::get<I>(direction)...), x...);
      },
      arguments);
  const double exact = 8 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  expect_near(scalars(moved.value), scalars(std::apply(program, arguments)), exact, "value of jvp");
  const std::vector<double> along = scalars(direction);
  double scale = 1;
  for (std::size_t i = 0; i < along.size(); ++i) {
    scale = std::max(scale, std::fabs(along[i] * gradient[i]));
  }
  const std::vector<double> tangent = scalars(moved.tangent);
  ASSERT_EQ(tangent.size(), weights.size()) << "tangent";
  EXPECT_NEAR(dot(weights, tangent), dot(gradient, along), Precision<Scalar>::tolerance * scale)
      << "tangent";
}

/// A cotangent for `value`: its scalars all different, none of them 1.
template <class Value>
TangentOf<Value> some_cotangent(const Value& value, const std::vector<double>& weights) {
  TangentOf<Value> cotangent = detail::zeros_like(value);
  set_scalars(cotangent, weights);
  return cotangent;
}

#ifdef DDX_CHECK_SECOND_ORDER
/// Checks the second derivative that is contracted with `weights` and a direction v, reverse over
/// forward, against differences of the gradient along v.
template <class Scalar, class Program, class... Args, std::size_t... I>
void check_second_order(const Program& program, const std::tuple<Args...>& arguments,
                        const std::vector<double>& weights, std::index_sequence<I...>) {
  const auto direction = some_direction(std::get<I>(arguments)...);
  const auto along_direction = [&](const Args&... x) {
    return ddx::jvp(program, ddx::wrt<I...>, ddx::along(std::get<I>(direction)...), x...).tangent;
  };
  const auto cotangent = [&](const Args&... x) { return some_cotangent(program(x...), weights); };
  const std::vector<double> second = std::apply(
      [&](const Args&... x) {
        return scalars(ddx::pullback(along_direction, ddx::wrt<I...>, x...)(cotangent(x...)));
      },
      arguments);
  const auto gradient_at = [&](double step) {
    std::tuple<Args...> moved = arguments;
    std::vector<double> at = scalars(std::tie(std::get<I>(moved)...));
    const std::vector<double> along = scalars(direction);
    for (std::size_t i = 0; i < at.size(); ++i) {
      at[i] += step * along[i];
    }
    auto selected = std::tie(std::get<I>(moved)...);
    set_scalars(selected, at);
    return std::apply(
        [&](const Args&... x) {
          return scalars(ddx::pullback(program, ddx::wrt<I...>, x...)(cotangent(x...)));
        },
        moved);
  };
  const double h = 1e-3;
  const auto far = std::pair(gradient_at(2 * h), gradient_at(-2 * h));
  const auto near = std::pair(gradient_at(h), gradient_at(-h));
  std::vector<double> expected;
  for (std::size_t i = 0; i < second.size(); ++i) {
    expected.push_back((8 * (near.first[i] - near.second[i]) - (far.first[i] - far.second[i])) /
                       (12 * h));
  }
  expect_near(second, expected, 1e-6, "second order");
}
#endif

/// Checks the compiled derivatives of `program` at one point; forward mode too, unless
/// `reverse_only`.
template <class Scalar, Orders orders, class Program, class... Args, std::size_t... I>
void check_compiled(const Program& program, const std::tuple<Args...>& arguments,
                    const std::vector<double>& weights, const std::vector<double>& expected,
                    std::index_sequence<I...>) {
  const auto value = std::apply(program, arguments);
  const double tolerance = Precision<Scalar>::tolerance;
  const double exact = 8 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  const auto run = [&](const auto& differentiate) {
    return std::apply([&](const Args&... x) { return differentiate(x...); }, arguments);
  };

  const auto pulled = run(
      [&](const Args&... x) { return ddx::value_with_pullback(program, ddx::wrt<I...>, x...); });
  expect_near(scalars(pulled.value), scalars(value), exact, "value of value_with_pullback");
  const auto cotangent = some_cotangent(value, weights);
  const auto first = scalars(pulled.pullback(cotangent));
  expect_near(first, expected, tolerance, "pullback");
  std::vector<double> opposite = weights;
  for (double& w : opposite) {
    w *= -2;
  }
  std::vector<double> second = scalars(pulled.pullback(some_cotangent(value, opposite)));
  for (double& s : second) {
    s /= -2;
  }
  expect_near(second, first, exact, "pullback called again with -2 times the cotangent");
  if constexpr (orders != Orders::Reverse) {
    check_forward<Scalar>(program, arguments, weights, expected, std::index_sequence<I...>{});
#ifdef DDX_CHECK_SECOND_ORDER
    if constexpr (orders == Orders::All && std::is_same_v<Scalar, double>) {
      check_second_order<Scalar>(program, arguments, weights, std::index_sequence<I...>{});
    }
#endif
  }

  if constexpr (std::is_floating_point_v<std::remove_cv_t<decltype(value)>>) {
    const auto both = run(
        [&](const Args&... x) { return ddx::value_with_gradient(program, ddx::wrt<I...>, x...); });
    expect_near(scalars(both.value), scalars(value), exact, "value of value_with_gradient");
    std::vector<double> scaled = scalars(both.gradient);
    for (double& s : scaled) {
      s *= weights[0];
    }
    expect_near(scaled, expected, tolerance, "gradient");
  }
}
#endif

/// Checks `program` at one point. `Scalar` is the type it computes in.
template <class Scalar, Orders orders, class Program, class... Args>
void check_point(const Program& program, const std::tuple<Args...>& arguments) {
  std::vector<double> weights;
  for (std::size_t j = 0; j < scalar_count(std::apply(program, arguments)); ++j) {
    weights.push_back(0.75 + 0.5 * static_cast<double>(j % 5) - static_cast<double>(j % 3));
  }
  const auto expected = settled_differences<Scalar>(program, arguments, weights);
#ifdef __DDX__
  check_compiled<Scalar, orders>(program, arguments, weights, expected,
                                 differentiated_positions<Args...>());
#endif
}

/// Checks `program` at three points or more; see the head of this file.
template <class Scalar, Orders orders = Orders::All, class Program, class... Points>
void check_gradient(const Program& program, const Points&... points) {
  static_assert(sizeof...(Points) >= 3, "a program is checked at three points at least");
  int number = 0;
  const auto check = [&](const auto& point) {
    SCOPED_TRACE("point " + std::to_string(++number));
    check_point<Scalar, orders>(program, point);
  };
  (check(points), ...);
}

}  // namespace ddx::testing

#pragma clang optimize on

/// A callable that forwards to the function, template or overload set `program`.
#define DDX_CALL_OF(program) \
  [](const auto&... x) -> decltype(program(x...)) { return program(x...); }

/// One test: `program` (double arithmetic) at three points or more.
#define DDX_CHECK_GRADIENT(program, ...)                                       \
  TEST(Gradient, program) {                                                    \
    using ::ddx::testing::at;                                                  \
    ::ddx::testing::check_gradient<double>(DDX_CALL_OF(program), __VA_ARGS__); \
  }

/// As above, without forward mode; the reason stands beside the row.
#define DDX_CHECK_GRADIENT_REVERSE(program, ...)                                                  \
  TEST(Gradient, program) {                                                                       \
    using ::ddx::testing::at;                                                                     \
    ::ddx::testing::check_gradient<double, ::ddx::testing::Orders::Reverse>(DDX_CALL_OF(program), \
                                                                            __VA_ARGS__);         \
  }

/// As above, without second derivatives; the reason stands beside the row.
#define DDX_CHECK_GRADIENT_FIRST_ORDER(program, ...)                                            \
  TEST(Gradient, program) {                                                                     \
    using ::ddx::testing::at;                                                                   \
    ::ddx::testing::check_gradient<double, ::ddx::testing::Orders::First>(DDX_CALL_OF(program), \
                                                                          __VA_ARGS__);         \
  }

/// One test: `program` (where float arithmetic limits the precision) at three points or more.
#define DDX_CHECK_GRADIENT_FLOAT(program, ...)                                \
  TEST(FloatGradient, program) {                                              \
    using ::ddx::testing::at;                                                 \
    ::ddx::testing::check_gradient<float>(DDX_CALL_OF(program), __VA_ARGS__); \
  }
