/// \file
/// The derivatives of detail::mapped. The function is a class without members: its arguments are
/// the axes, a tuple of what is mapped, and what the closure captured, which all examples share.

#pragma once

#include "ddx/ad/detail/differentiable_positions.h"
#include "ddx/ad/detail/direction.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/run_differential.h"
#include "ddx/ad/detail/run_request.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/detail/control_tangents.h"
#include "ddx/tensor/detail/kept_form.h"
#include "ddx/tensor/detail/mapped.h"
#include "ddx/tensor/detail/staged_values.h"
#include "ddx/tensor/reduction.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

namespace ddx::detail {

/// Takes the axis of the examples, the first, out of a cotangent: it goes to where the argument has
/// it, or is summed over where all examples share the argument.
template <class Tangent>
void take_from_examples(Tangent& tangent, const std::optional<std::int64_t>& axis) {
  visit_tensors(
      [&](auto& tensor) {
        tensor = axis ? move_axis(tensor, 0, *axis) : sum(tensor, {.axes = {0}});
      },
      tangent);
}

template <class F, class X, class... Captured>
class MappedPullback;

/// The pullback.
template <class F, class... X, class... Captured>
class MappedPullback<F, MappedAxes, std::tuple<X...>, Captured...> {
  using Arguments = std::tuple<X...>;
  using All = std::tuple<MappedAxes, Arguments, Captured...>;
  using Positions = DifferentiablePositions<MappedAxes, Arguments, Captured...>;
  using Tangents = TangentsOf<Positions, MappedAxes, Arguments, Captured...>;
  using Value = ValueOf<F, MappedAxes, Arguments, Captured...>;

 public:
  MappedPullback(const MappedAxes& axes, const Arguments& x, const Captured&... captured)
      : at_(axes, x, captured...) {}

  /// Calls the function for all examples.
  Value run() {
    Value value =
        mapped([this](const X&... one) -> Value { return std::apply(F{}, example(one...)); },
               axes(), std::get<1>(at_));
    form_.emplace(value);
    return value;
  }

  /// Returns the tangents of all arguments that have one.
  Tangents operator()(const TangentOf<Value>& seed) const {
    MappedAxes with_seed = axes();
    with_seed.emplace_back(0);
    Tangents tangents = mapped(
        [this](const X&... one, const TangentOf<Value>& of_one) { return back(of_one, one...); },
        with_seed,
        std::tuple_cat(std::get<1>(at_),
                       std::tuple<TangentOf<Value>>(conformed<Value>(seed, form_->zeros()))));
    take_all(Positions{}, tangents);
    conform_at(Positions{}, tangents, at_);  // To the devices of the arguments.
    return tangents;
  }

 private:
  [[nodiscard]] const MappedAxes& axes() const { return std::get<0>(at_); }

  /// The arguments of one example.
  [[nodiscard]] All example(const X&... one) const {
    return std::apply(
        [&](const MappedAxes& axes, const Arguments&, const Captured&... captured) {
          return All(axes, Arguments(one...), captured...);
        },
        at_);
  }

  /// The tangents of one example.
  [[nodiscard]] Tangents back(const TangentOf<Value>& seed, const X&... one) const {
    const All at = example(one...);
    Tangents tangents = std::apply(
        [&](const auto&... args) -> Tangents {
          (void)&primal<F, MappedAxes, Arguments, Captured...>;  // Read by the compiler.
          const auto state =
              pullback_entry<Positions, F, MappedAxes, Arguments, Captured...>(F{}, args...);
          Tangents made = zeros_at(Positions{}, at);
          state->reverse(conformed<Value>(seed, state->value.value()), made);
          return made;
        },
        at);
    conform_at(Positions{}, tangents, at);
    return tangents;
  }

  template <std::size_t... Places>
  void take_all(std::index_sequence<Places...>, Tangents& tangents) const {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (take<Places>(std::get<I>(tangents)), ...);
    }(std::make_index_sequence<sizeof...(Places)>{});
  }

  template <std::size_t place, class Tangent>
  void take(Tangent& tangent) const {
    if constexpr (place == 1) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (take_from_examples(std::get<I>(tangent), axes()[I]), ...);
      }(std::index_sequence_for<X...>{});
    } else {
      take_from_examples(tangent, std::nullopt);
    }
  }

  All at_;
  std::optional<KeptForm<Value>> form_;  ///< Of what was returned.
};

/// Returns what the function returns for all examples.
template <class F, class... X, class... Captured>
auto mapped_at(const F& f, const MappedAxes& axes, const std::tuple<X...>& x,
               const Captured&... captured) {
  return mapped([&](const X&... one) { return f(axes, std::tuple<X...>(one...), captured...); },
                axes, x);
}

/// Returns the same with its pullback.
template <class F, class... Args>
auto mapped_vjp(const F& /*f*/, const Args&... args) {
  MappedPullback<F, Args...> pullback(args...);
  auto value = pullback.run();
  return ddx::vjp(std::move(value), std::move(pullback));
}

/// Calls the function with its tangent for all examples, whose arguments at `Moving` move.
template <bool arguments_move>
struct MappedTangent {
  template <class Value, class F, class Moving, class Direction, class... X, class... Captured>
  static auto of(Moving moving, const F& f, const Direction& direction, const MappedAxes& axes,
                 const std::tuple<X...>& x, const Captured&... captured) {
    const auto along = [&](const X&... one) {
      const auto both = run_jvp<F, MappedAxes, std::tuple<X...>, Captured...>(
          moving, f, direction, axes, std::tuple<X...>(one...), captured...);
      return std::pair<Value, TangentOf<Value>>(both.value,
                                                conformed<Value>(both.tangent, both.value));
    };
    return mapped(along, axes, x);
  }
};

template <>
struct MappedTangent<true> {
  template <class Value, class F, class Moving, class Tangents, class... X, class... Captured>
  static auto of(Moving moving, const F& f, const Tangents& direction, const MappedAxes& axes,
                 const std::tuple<X...>& x, const Captured&... captured) {
    using Of = TangentOf<std::tuple<X...>>;
    const auto along = [&](const X&... one, const TangentOf<X>&... tangent) {
      const auto both = run_jvp<F, MappedAxes, std::tuple<X...>, Captured...>(
          moving, f, replaced_first(Of(tangent...), direction), axes, std::tuple<X...>(one...),
          captured...);
      return std::pair<Value, TangentOf<Value>>(both.value,
                                                conformed<Value>(both.tangent, both.value));
    };
    return mapped(along, twice(axes),
                  with_tangents(std::index_sequence_for<X...>{}, x,
                                conformed<std::tuple<X...>>(direction.first, x)));
  }

 private:
  template <std::size_t... I, class... X>
  static std::tuple<X..., TangentOf<X>...> with_tangents(
      std::index_sequence<I...>, const std::tuple<X...>& x,
      const TangentOf<std::tuple<X...>>& tangents) {
    return {std::get<I>(x)..., std::get<I>(tangents)...};
  }

  static MappedAxes twice(const MappedAxes& axes) {
    MappedAxes both = axes;
    both.insert(both.end(), axes.begin(), axes.end());
    return both;
  }

  template <class First, class... Rest>
  static Direction<First, Rest...> replaced_first(const First& first,
                                                  const Direction<First, Rest...>& direction) {
    return {first, direction.rest};
  }
};

/// Returns what the function returns for all examples, and writes its tangent along `direction`, of
/// the arguments at `Moving`, to `tangent`.
template <std::size_t... Moving, class F, class Tangent, class Direction, class Arguments,
          class... Captured>
auto mapped_tangent(std::index_sequence<Moving...> moving, const F& /*f*/, Tangent& tangent,
                    const Direction& direction, const MappedAxes& axes, const Arguments& x,
                    const Captured&... captured) {
  using Value = ValueOf<F, MappedAxes, Arguments, Captured...>;
  constexpr bool arguments_move = has_position(std::index_sequence<Moving...>{}, 1);
  const std::pair<Value, TangentOf<Value>> both = MappedTangent<arguments_move>::template of<Value>(
      moving, F{}, direction, axes, x, captured...);
  tangent = both.second;
  return both.first;
}

}  // namespace ddx::detail
