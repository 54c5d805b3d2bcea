/// \file
/// The product of a problem's Hessian with a vector, timed beside its gradient.

#pragma once

#include "ddx/ad.h"

#include "number_tree.h"
#include "problem.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::bench {
namespace detail {

/// The one input, or the tuple of several.
template <class... Inputs>
struct Whole {
  using Type = std::tuple<Inputs...>;
};
template <class Input>
struct Whole<Input> {
  using Type = Input;
};

template <class Program, class Whole, std::size_t... I>
double call(const Program& program, const Whole& all, std::index_sequence<I...>) {
  return program(std::get<I>(all)...);
}

}  // namespace detail

/// Adds to `problem` the product of the Hessian of `program` at `inputs` with a random vector, and
/// its error: the largest difference from the slope of `problem`'s kind of gradient, relative to
/// the largest number of the product.
///
/// The slope is a central difference of gradients, which measure() has judged; the step is 1e-6.
template <class Program, class... Inputs>
void add_hvp(Problem& problem, Program program, std::tuple<Inputs...> inputs) {
  using Whole = typename detail::Whole<Inputs...>::Type;
  struct State {
    Program program;
    std::tuple<Inputs...> inputs;
    Whole at;
    TangentOf<Whole> along;
    std::vector<double> direction;
    TangentOf<Whole> product;
  };
  const auto whole = [&]() -> Whole {
    if constexpr (sizeof...(Inputs) == 1) {
      return std::get<0>(inputs);
    } else {
      return inputs;
    }
  };
  const Whole at = whole();
  const auto state = std::make_shared<State>(
      State{std::move(program), inputs, at, ddx::detail::zeros_like(at), {}, {}});
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  ddx::detail::for_each_coordinate(state->along, [&](auto& number) {
    state->direction.push_back(uniform(generator));
    number = static_cast<std::decay_t<decltype(number)>>(state->direction.back());
  });
  problem.hvp = [state] {
    if constexpr (sizeof...(Inputs) == 1) {
      state->product = hvp(state->program, state->at, state->along);
    } else {
      state->product = hvp(
          [&program = state->program](const Whole& all) {
            return detail::call(program, all, std::index_sequence_for<Inputs...>{});
          },
          state->at, state->along);
    }
  };
  problem.hvp_error = [state] {
    constexpr double step = 1e-6;
    std::vector<double> numbers;
    std::apply([&](const auto&... each) { (append_numbers(each, numbers), ...); }, state->inputs);
    const auto gradient_at = [&](double distance) {
      std::vector<double> moved = numbers;
      for (std::size_t i = 0; i < moved.size(); ++i) {
        moved[i] += distance * state->direction[i];
      }
      const double* next = moved.data();
      std::vector<double> flat;
      std::apply(
          [&](const auto&... each) {
            // Braces, because only there are the inputs taken in their order.
            const std::tuple<Inputs...> point{with_numbers(each, next)...};
            const auto slope = std::apply(
                [&](const auto&... input) { return gradient(state->program, input...); }, point);
            ddx::detail::for_each_coordinate(
                slope, [&](const auto& number) { flat.push_back(static_cast<double>(number)); });
          },
          state->inputs);
      return flat;
    };
    const std::vector<double> above = gradient_at(step);
    const std::vector<double> below = gradient_at(-step);
    double worst = 0;
    double scale = 0;
    std::size_t i = 0;
    ddx::detail::for_each_coordinate(state->product, [&](const auto& number) {
      const double slope = (above[i] - below[i]) / (2 * step);
      const double difference = std::fabs(static_cast<double>(number) - slope);
      worst = difference <= worst ? worst : difference;  // Not a number counts.
      scale = std::max(scale, std::fabs(slope));
      ++i;
    });
    return worst / scale;
  };
}

}  // namespace ddx::bench
