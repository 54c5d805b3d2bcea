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
///
/// The checks themselves are in program_checks.cpp. What is instantiated for each program is one
/// function that calls it and its derivatives, since compile time is spent here.

#pragma once

#include "ddx/ad.h"

#include "program_checks.h"
#include "scalars.h"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// What it calls, the programs and their derivatives, is optimised as the options say.
#pragma clang optimize off

namespace ddx::testing {

/// Rounding costs about epsilon / step, truncation step^6.
template <class Scalar>
constexpr Precision precision_of{1e-3, 1e-8, 8 * std::numeric_limits<Scalar>::epsilon()};
template <>
inline constexpr Precision precision_of<float>{
    0.06, 4e-4, 8 * static_cast<double>(std::numeric_limits<float>::epsilon())};

template <class T>
constexpr bool is_real = std::is_floating_point_v<std::remove_cvref_t<T>>;

/// Whether second derivatives of a program in `Scalar` are compiled and checked.
template <class Scalar, Orders orders>
constexpr bool checks_second_order =
#if defined(__DDX__) && defined(DDX_CHECK_SECOND_ORDER)
    orders == Orders::All && std::is_same_v<Scalar, double>;
#else
    false;
#endif

/// The arguments of one call.
template <class... Args>
[[nodiscard]] std::tuple<Args...> at(const Args&... arguments) {
  return {arguments...};
}

/// The positions of those arguments that carry a tangent, as a std::index_sequence.
template <class... Args>
[[nodiscard]] constexpr auto differentiated_positions() {
  constexpr std::array carries{Differentiable<Args>...};
  constexpr std::size_t count = (std::size_t{Differentiable<Args>} + ... + 0);
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

#ifdef __DDX__
/// A tangent of `value` whose scalars are `numbers`.
template <class Value>
[[nodiscard]] TangentOf<Value> tangent_of(const Value& value, const Numbers& numbers) {
  TangentOf<Value> tangent = detail::zeros_like(value);
  set_scalars(tangent, numbers);
  return tangent;
}

/// A direction in the space of `values`.
template <class... Values>
[[nodiscard]] std::tuple<TangentOf<Values>...> direction_of(const Values&... values) {
  std::tuple<TangentOf<Values>...> direction{detail::zeros_like(values)...};
  set_scalars(direction, some_direction(scalars(direction).size()));
  return direction;
}

/// `program` and its tangent along `direction`, which has a part for each of the arguments `I`.
template <class Program, class Direction, std::size_t... I, std::size_t... K, class... Args>
[[nodiscard]] auto moved_along(const Program& program, const Direction& direction,
                               std::index_sequence<I...>, std::index_sequence<K...>,
                               const Args&... x) {
  return ddx::jvp(program, ddx::wrt<I...>, ddx::along(std::get<K>(direction)...), x...);
}

/// The pullback of `program`, called twice.
template <class Program, std::size_t... I, class... Args>
void pull_back(const Program& program, Request& request, std::index_sequence<I...>,
               const Args&... x) {
  auto pulled = ddx::value_with_pullback(program, ddx::wrt<I...>, x...);
  request.value = scalars(pulled.value);
  auto cotangent = tangent_of(program(x...), *request.weights);
  request.result = scalars(pulled.pullback(cotangent));
  set_scalars(cotangent, scaled(*request.weights, -2));
  request.again = scaled(scalars(pulled.pullback(cotangent)), -0.5);
}

/// The derivatives of `program` that a request asks for. `I` are the positions of the arguments
/// that carry a tangent.
template <class Scalar, Orders orders, class Program, std::size_t... I, class... Args>
void differentiate(const Program& program, Request& request,
                   std::index_sequence<I...> differentiated, const Args&... x) {
  if (request.kind == Request::Kind::Pullback) {
    pull_back(program, request, differentiated, x...);
  }
  if constexpr (is_real<decltype(program(x...))>) {
    if (request.kind == Request::Kind::Gradient) {
      const auto both = ddx::value_with_gradient(program, ddx::wrt<I...>, x...);
      request.value = scalars(both.value);
      request.result = scalars(both.gradient);
    }
  }
  if constexpr (orders != Orders::Reverse) {
    const auto arguments = std::tie(x...);
    constexpr std::make_index_sequence<sizeof...(I)> parts;
    if (request.kind == Request::Kind::Forward) {
      const auto moved = moved_along(program, direction_of(std::get<I>(arguments)...),
                                     differentiated, parts, x...);
      request.value = scalars(moved.value);
      request.result = scalars(moved.tangent);
    }
    if constexpr (checks_second_order<Scalar, orders>) {
      if (request.kind == Request::Kind::SecondOrder) {
        const auto direction = direction_of(std::get<I>(arguments)...);
        const auto along_direction = [&](const Args&... y) {
          return moved_along(program, direction, differentiated, parts, y...).tangent;
        };
        request.result = scalars(ddx::pullback(along_direction, ddx::wrt<I...>,
                                               x...)(tangent_of(program(x...), *request.weights)));
      }
    }
  }
}
#endif

/// Does what `request` asks for, of a program at a point whose types are known here alone.
template <class Scalar, Orders orders, class Program, class... Args, std::size_t... All>
void run_request(const Program& program, std::tuple<Args...> arguments, Request& request,
                 std::index_sequence<All...>) {
  if (request.moved != nullptr) {
    set_scalars(arguments, *request.moved);
  }
  if (request.kind == Request::Kind::Value) {
    request.arguments = scalars(arguments);
    request.value = scalars(program(std::as_const(std::get<All>(arguments))...));
    return;
  }
#ifdef __DDX__
  differentiate<Scalar, orders>(program, request, differentiated_positions<Args...>(),
                                std::as_const(std::get<All>(arguments))...);
#endif
}

/// `program` at `point`, with both types erased.
template <class Scalar, Orders orders, class Program, class... Args>
[[nodiscard]] ProgramPoint erased([[maybe_unused]] const Program& program,
                                  const std::tuple<Args...>& point) {
  return {[](const void* program, const void* place, Request& request) {
            run_request<Scalar, orders>(*static_cast<const Program*>(program),
                                        *static_cast<const std::tuple<Args...>*>(place), request,
                                        std::index_sequence_for<Args...>{});
          },
          &point, is_real<decltype(program(std::declval<const Args&>()...))>};
}

/// Checks `program` at three points or more; see the head of this file. `Scalar` is the type it
/// computes in.
template <class Scalar, Orders orders = Orders::All, class Program, class... Points>
void check_gradient(const Program& program, const Points&... points) {
  static_assert(sizeof...(Points) >= 3, "a program is checked at three points at least");
  const std::array erased_points{erased<Scalar, orders>(program, points)...};
  ProgramFacts facts{.precision = precision_of<Scalar>, .orders = orders};
#ifdef __DDX__
  facts.is_compiled = true;
#endif
  facts.checks_second_order = checks_second_order<Scalar, orders>;
  check_program(&program, facts, erased_points);
}

}  // namespace ddx::testing

#pragma clang optimize on

/// A callable that forwards to the function, template or overload set `program`.
#define DDX_CALL_OF(program) \
  [](const auto&... x) -> decltype(program(x...)) { return program(x...); }

/// The suite of a row; the build sets it to the stem of the source.
#ifndef DDX_SUITE
#define DDX_SUITE Gradient
#endif

/// What is checked of a row that does not say it.
#ifndef DDX_ORDERS
#define DDX_ORDERS ::ddx::testing::Orders::All
#endif

/// The test `name`: `program`, which computes in `Scalar`, at three points or more.
#define DDX_CHECK_PROGRAM(name, program, Scalar, orders, ...)                          \
  TEST(DDX_SUITE, name) {                                                              \
    using ::ddx::testing::at;                                                          \
    ::ddx::testing::check_gradient<Scalar, orders>(DDX_CALL_OF(program), __VA_ARGS__); \
  }

/// One test: `program` (double arithmetic) at three points or more.
#define DDX_CHECK_GRADIENT(program, ...) \
  DDX_CHECK_PROGRAM(program, program, double, DDX_ORDERS, __VA_ARGS__)

/// As above, without forward mode; the reason stands beside the row.
#define DDX_CHECK_GRADIENT_REVERSE(program, ...) \
  DDX_CHECK_PROGRAM(program, program, double, ::ddx::testing::Orders::Reverse, __VA_ARGS__)

/// As above, without second derivatives; the reason stands beside the row.
#define DDX_CHECK_GRADIENT_FIRST_ORDER(program, ...) \
  DDX_CHECK_PROGRAM(program, program, double, ::ddx::testing::Orders::First, __VA_ARGS__)

/// One test: `program` (where float arithmetic limits the precision) at three points or more.
#define DDX_CHECK_GRADIENT_FLOAT(program, ...) \
  DDX_CHECK_PROGRAM(program##_in_float, program, float, DDX_ORDERS, __VA_ARGS__)
