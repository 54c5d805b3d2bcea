/// \file
/// Makes a problem of the table from a program and its input.

#pragma once

#include "ddx/ad.h"

#include "hvp.h"
#include "number_tree.h"
#include "problem.h"
#include "programs/case.h"

#include <concepts>
#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::bench {
namespace detail {

template <class... Inputs>
struct GradientOf {
  using Type = std::tuple<TangentOf<Inputs>...>;
};
template <class Input>
struct GradientOf<Input> {
  using Type = TangentOf<Input>;
};

/// The tangent, or the tuple of several, as a tuple.
template <class Gradient>
auto as_tuple(const Gradient& gradient) {
  return std::tie(gradient);
}
template <class... Tangents>
const std::tuple<Tangents...>& as_tuple(const std::tuple<Tangents...>& gradient) {
  return gradient;
}

}  // namespace detail

/// Makes the problem of a program, without an adjoint by hand.
template <class Program, class... Inputs>
Problem problem_of(Case<Program, Inputs...> given) {
  const auto c = std::make_shared<const Case<Program, Inputs...>>(std::move(given));
  using Gradient = typename detail::GradientOf<Inputs...>::Type;
  using Value = decltype(std::apply(c->program, c->inputs));
  const auto latest = std::make_shared<ValueWithGradient<Value, Gradient>>();

  Problem problem;
  std::apply([&](const auto&... inputs) { (append_numbers(inputs, problem.inputs), ...); },
             c->inputs);
  problem.primal = [c] { return static_cast<double>(std::apply(c->program, c->inputs)); };
  problem.dual = [c](const std::vector<Dual>& all) {
    const Dual* next = all.data();
    return std::apply(
        [&](const auto&... inputs) {
          // Braces evaluate the inputs in order.
          const std::tuple<Rebound<Inputs, Dual>...> duals{with_numbers(inputs, next)...};
          return std::apply(c->program, duals);
        },
        c->inputs);
  };
  problem.gradient = [c, latest] {
    *latest = std::apply(
        [&](const auto&... inputs) { return value_with_gradient(c->program, inputs...); },
        c->inputs);
  };
  problem.gradient_flat = [latest](std::vector<double>& flat) {
    flat.clear();
    std::apply([&](const auto&... tangents) { (append_numbers(tangents, flat), ...); },
               detail::as_tuple(latest->gradient));
    return static_cast<double>(latest->value);
  };
  if constexpr ((std::same_as<Rebound<Inputs, double>, Inputs> && ...)) {
    add_hvp(problem, c->program, c->inputs);  // Float differences are too coarse.
  }
  return problem;
}

}  // namespace ddx::bench
