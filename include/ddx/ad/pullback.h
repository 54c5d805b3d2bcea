/// \file
/// The way back through one call: from a change of its result to changes of its arguments.

#pragma once

#include "ddx/ad/detail/owned.h"
#include "ddx/ad/detail/pullback_state.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/tangent.h"

#include <cstddef>
#include <tuple>
#include <utility>

namespace ddx {

/// The pullback of a function with result `Value` at a point: the transposed Jacobian, as a
/// function. Arguments are those it was taken with respect to.
///
/// A value: it may be called many times, outlives the scope that made it, and copies share what the
/// forward sweep saved. Not to be called from several threads at once.
template <class Value, class... Arguments>
class Pullback {
 public:
  /// The tangent of the one argument, or a tuple of the tangents of several.
  using Result = std::conditional_t<sizeof...(Arguments) == 1,
                                    TangentOf<std::tuple_element_t<0, std::tuple<Arguments...>>>,
                                    std::tuple<TangentOf<Arguments>...>>;
  using State = detail::PullbackState<Value, std::tuple<TangentOf<Arguments>...>>;

  /// Made by ddx::pullback.
  Pullback(detail::Owned<State> state, const Arguments&... arguments)
      : shared_(detail::Shared<Point>::make(std::move(state),
                                            std::tuple<Arguments...>(arguments...))) {}

  /// Returns the tangents of the arguments for one cotangent of the result.
  ///
  /// Throws: UsageError where a vector in the cotangent has another length than in the result.
  [[nodiscard]] Result operator()(TangentOf<Value> cotangent) const {
    detail::conform<Value>(cotangent, shared_->state->value.value());
    return std::apply(
        [&](const Arguments&... arguments) {
          std::tuple<TangentOf<Arguments>...> tangents(detail::zeros_like(arguments)...);
          shared_->state->reverse(cotangent, tangents);
          [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::conform<Arguments>(std::get<I>(tangents), arguments), ...);
          }(std::index_sequence_for<Arguments...>{});
          if constexpr (sizeof...(Arguments) == 1) {
            return std::get<0>(std::move(tangents));
          } else {
            return tangents;
          }
        },
        shared_->arguments);
  }

 private:
  struct Point {
    Point(detail::Owned<State> saved, std::tuple<Arguments...> selected)
        : state(std::move(saved)), arguments(std::move(selected)) {}

    detail::Owned<State> state;
    std::tuple<Arguments...> arguments;  ///< Give their shapes to the tangents.
  };

  detail::Shared<Point> shared_;
};

}  // namespace ddx
