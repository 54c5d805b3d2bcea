/// \file
/// Runs a random program twice, as it stands and over jets, and compares. A unit made by
/// `tools/fuzz` holds some dozens of programs; each line printed judges one of them at one point.

#pragma once

#include "ddx/ad.h"

#include "jet.h"
#include "jet_library.h"
#include "scalars.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::testing::fuzz {

/// The directions that are followed at once: no program has more real inputs.
inline constexpr std::size_t directions = 24;

template <class T>
inline constexpr bool is_jet = false;
template <class V, std::size_t N>
inline constexpr bool is_jet<jets::Jet<V, N>> = true;

/// As for_each_scalar, over the jets of an object.
template <class T, class Visit>
void for_each_jet(T& object, const Visit& visit) {
  using Object = std::remove_cv_t<T>;
  const auto visit_all = [&visit](auto&&... parts) { (for_each_jet(parts, visit), ...); };
  if constexpr (is_jet<Object>) {
    visit(object);
  } else if constexpr (requires { object.real() + object.imag(); }) {
    using Part = typename Object::value_type;
    using Parts = std::conditional_t<std::is_const_v<T>, const Part(&)[2], Part(&)[2]>;
    auto& parts = reinterpret_cast<Parts>(object);
    visit_all(parts[0], parts[1]);
  } else if constexpr (requires { object.ddx_fields(); }) {
    std::apply(visit_all, object.ddx_fields());
  } else if constexpr (std::ranges::range<Object>) {
    for (auto&& part : object) {
      for_each_jet(part, visit);
    }
  } else if constexpr (requires { std::tuple_size<Object>::value; }) {
    std::apply(visit_all, object);
  }
}

/// The cotangent of scalar `j` of a result: all different, none of them 1.
inline double weight(std::size_t j) {
  return 0.75 + 0.5 * static_cast<double>(j % 5) - 0.3 * static_cast<double>(j % 3);
}

/// Component `i` of the direction of forward mode.
inline double direction(std::size_t i) {
  return 0.5 + 0.25 * static_cast<double>(i % 7) - static_cast<double>(i % 2);
}

/// What the jets say.
struct Expected {
  std::vector<double> value;
  std::vector<double> gradient;  ///< Of the weighted sum of the value's scalars.
  std::vector<double> tangent;   ///< Of the value, along `direction`.
};

template <class Program, class... Args>
Expected run_on_jets(const Program& program, std::tuple<Args...> arguments) {
  std::size_t count = 0;
  for_each_jet(arguments, [&count](auto& jet) { jet.slope.at(count++) = 1; });
  auto result = std::apply(program, std::as_const(arguments));
  Expected expected{{}, std::vector<double>(count), {}};
  for_each_jet(result, [&](const auto& jet) {
    const double w = weight(expected.value.size());
    expected.value.push_back(static_cast<double>(jet.value));
    double along = 0;
    for (std::size_t i = 0; i < count; ++i) {
      expected.gradient[i] += w * jet.slope[i];
      along += direction(i) * jet.slope[i];
    }
    expected.tangent.push_back(along);
  });
  return expected;
}

/// The Hessian of the weighted sum of the value's scalars, times the direction: by jets of jets.
template <class Program, class... Args>
std::vector<double> second_order_on_jets(const Program& program, std::tuple<Args...> arguments) {
  std::size_t count = 0;
  for_each_jet(arguments, [&count](auto& jet) {
    jet.slope.at(count) = 1;
    jet.value.slope[0] = direction(count++);
  });
  auto result = std::apply(program, std::as_const(arguments));
  std::vector<double> product(count);
  std::size_t j = 0;
  for_each_jet(result, [&](const auto& jet) {
    for (std::size_t i = 0; i < count; ++i) {
      product[i] += weight(j) * jet.slope[i].slope[0];
    }
    ++j;
  });
  return product;
}

/// The derivative of `f` by its argument, taken by the compiler.
template <class F>
double slope(const F& f, double x) {
  return ddx::gradient(f, x);
}

/// Replaces the program over jets of jets if second derivatives are not requested.
struct FirstOrder {};

/// Prints the first difference that is too great; false if there is one.
inline bool near(const std::vector<double>& actual, const std::vector<double>& expected,
                 double tolerance, const char* name, int point, const char* what) {
  if (actual.size() != expected.size()) {
    std::printf("wrong %s point %d: %s has %zu scalars, not %zu\n", name, point, what,
                actual.size(), expected.size());
    return false;
  }
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!(std::fabs(actual[i] - expected[i]) <= tolerance)) {
      std::printf("wrong %s point %d: %s, scalar %zu: %.15g, not %.15g\n", name, point, what, i,
                  actual[i], expected[i]);
      return false;
    }
  }
  return true;
}

/// Judges `program` at one point. `precision`: relative to the largest number on the way.
template <class Program, class Dual, class Twice, class... Args, class... DualArgs,
          class TwiceArguments, std::size_t... I>
bool judge(const char* name, int point, double precision, const Program& program, const Dual& dual,
           const Twice& twice, const std::tuple<Args...>& arguments,
           const std::tuple<DualArgs...>& dual_arguments, const TwiceArguments& twice_arguments,
           std::index_sequence<I...>) {
  jets::JetTrouble::reset();
  const Expected expected = run_on_jets(dual, dual_arguments);
  if (jets::JetTrouble::kink || jets::JetTrouble::unbounded || jets::JetTrouble::largest > 1e6) {
    std::printf("skipped %s point %d: %s\n", name, point,
                jets::JetTrouble::kink ? "at a kink" : "too large");
    return true;
  }
  const double tolerance = precision * (1 + jets::JetTrouble::largest);
  const auto run = [&](const auto& differentiate) {
    return std::apply([&](const Args&... x) { return differentiate(x...); }, arguments);
  };
  const auto value = std::apply(program, arguments);
  if (!near(scalars(value), expected.value, tolerance, name, point, "oracle's value")) {
    return false;
  }
  const auto pulled = run(
      [&](const Args&... x) { return ddx::value_with_pullback(program, ddx::wrt<I...>, x...); });
  if (!near(scalars(pulled.value), expected.value, tolerance, name, point, "value")) {
    return false;
  }
  for (const double factor : {1.0, -2.0}) {
    auto cotangent = ddx::detail::zeros_like(value);
    std::vector<double> weights(expected.value.size());
    for (std::size_t j = 0; j < weights.size(); ++j) {
      weights[j] = factor * weight(j);
    }
    set_scalars(cotangent, weights);
    std::vector<double> gradient = scalars(pulled.pullback(cotangent));
    for (double& g : gradient) {
      g /= factor;
    }
    if (!near(gradient, expected.gradient, tolerance, name, point,
              factor == 1 ? "pullback" : "second pullback")) {
      return false;
    }
  }
  if constexpr (std::is_floating_point_v<std::remove_cv_t<decltype(value)>>) {
    const auto both = run(
        [&](const Args&... x) { return ddx::value_with_gradient(program, ddx::wrt<I...>, x...); });
    std::vector<double> gradient = scalars(both.gradient);
    for (double& g : gradient) {
      g *= weight(0);
    }
    if (!near(gradient, expected.gradient, tolerance, name, point, "gradient")) {
      return false;
    }
  }
  auto tangents = std::make_tuple(ddx::detail::zeros_like(std::get<I>(arguments))...);
  // Two rows from one sweep.
  if constexpr (std::is_same_v<std::remove_cv_t<decltype(value)>, double> &&
                std::is_same_v<Twice, FirstOrder> && ddx::detail::HasLanes<decltype(tangents), 2>) {
    const auto twofold = [&](const Args&... x) {
      const double once = program(x...);
      return std::array<double, 2>{-once, weight(0) * once};
    };
    const auto rows = run(
        [&](const Args&... x) { return ddx::value_with_jacobian(twofold, ddx::wrt<I...>, x...); });
    std::vector<double> row;
    for (std::size_t i = 0; i < rows.jacobian.columns; ++i) {
      row.push_back(rows.jacobian(1, i) + rows.jacobian(0, i) + rows.jacobian(1, i) / weight(0));
    }
    if (!near(row, expected.gradient, tolerance, name, point, "row")) {
      return false;
    }
  }
  std::vector<double> parts(scalars(tangents).size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = direction(i);
  }
  set_scalars(tangents, parts);
  const auto moved = run([&](const Args&... x) {
    return std::apply(
        [&](const auto&... t) { return ddx::jvp(program, ddx::wrt<I...>, ddx::along(t...), x...); },
        tangents);
  });
  if (!near(scalars(moved.value), expected.value, tolerance, name, point, "value of jvp") ||
      !near(scalars(moved.tangent), expected.tangent, tolerance, name, point, "tangent of jvp")) {
    return false;
  }
  if constexpr (!std::is_same_v<Twice, FirstOrder>) {
    const std::vector<double> product = second_order_on_jets(twice, twice_arguments);
    if (jets::JetTrouble::kink || jets::JetTrouble::unbounded || jets::JetTrouble::largest > 1e6) {
      std::printf("skipped %s point %d: second order\n", name, point);
      return true;
    }
    auto cotangent = ddx::detail::zeros_like(value);
    std::vector<double> weights(expected.value.size());
    for (std::size_t j = 0; j < weights.size(); ++j) {
      weights[j] = weight(j);
    }
    set_scalars(cotangent, weights);
    const auto towards = std::apply([](const auto&... t) { return ddx::along(t...); }, tangents);
    const auto along = [&](const Args&... x) {
      return ddx::jvp(program, ddx::wrt<I...>, towards, x...).tangent;
    };
    const std::vector<double> second = run([&](const Args&... x) {
      return scalars(ddx::pullback(along, ddx::wrt<I...>, x...)(cotangent));
    });
    if (!near(second, product, 10 * precision * (1 + jets::JetTrouble::largest), name, point,
              "second order")) {
      return false;
    }
  }
  std::printf("right %s point %d\n", name, point);
  return true;
}

/// The positions among `Args` that carry a tangent.
template <class... Args>
constexpr auto positions() {
  constexpr std::array carries{Differentiable<Args>...};
  constexpr std::size_t count = (std::size_t{Differentiable<Args>} + ...);
  constexpr auto found = [&carries] {
    std::array<std::size_t, count> result{};
    for (std::size_t i = 0, next = 0; i < carries.size(); ++i) {
      if (carries[i]) {
        result[next++] = i;
      }
    }
    return result;
  }();
  return [&found]<std::size_t... K>(std::index_sequence<K...>) {
    return std::index_sequence<found[K]...>{};
  }(std::make_index_sequence<count>{});
}

/// Judges `program` at one point, after saying so: should it crash, its name stands last.
template <class Program, class Dual, class Twice, class... Args, class... DualArgs,
          class TwiceArguments>
bool check(const char* name, int point, double precision, const Program& program, const Dual& dual,
           const Twice& twice, const std::tuple<Args...>& arguments,
           const std::tuple<DualArgs...>& dual_arguments, const TwiceArguments& twice_arguments) {
  std::printf("begin %s point %d\n", name, point);
  std::fflush(stdout);
  return judge(name, point, precision, program, dual, twice, arguments, dual_arguments,
               twice_arguments, positions<Args...>());
}

}  // namespace ddx::testing::fuzz
