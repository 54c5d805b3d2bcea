/// \file
/// The pullback of ddx::with_derivative.

#pragma once

#include "ddx/ad/detail/differentiable_positions.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/vjp.h"

#include <cstddef>
#include <tuple>
#include <utility>

namespace ddx::detail {

/// Of the arguments, the last is the value; those before it are what the closure of the change
/// captured.
template <class F, class... Args>
class ChangedCotangentPullback {
 public:
  explicit ChangedCotangentPullback(const Args&... args) : at_(args...) {}

  /// Returns the tangents of all arguments that have one: zeros, and the changed cotangent.
  template <class Seed>
  auto operator()(const Seed& seed) const {
    using Positions = DifferentiablePositions<Args...>;
    constexpr std::size_t last = sizeof...(Args) - 1;
    using Value = std::tuple_element_t<last, std::tuple<Args...>>;
    auto tangents = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return TangentsOf<Positions, Args...>(zeros_like(std::get<I>(at_))...);
    }(Positions{});
    TangentOf<Value> cotangent = seed;
    conform<Value>(cotangent, std::get<last>(at_));
    std::get<std::tuple_size_v<decltype(tangents)> - 1>(tangents) =
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          return F{}(std::get<I>(at_)..., cotangent);
        }(std::make_index_sequence<last>{});
    return tangents;
  }

 private:
  std::tuple<Args...> at_;
};

/// Returns the value.
template <class F, class... Args>
auto changed_cotangent_at(const F& /*f*/, const Args&... args) {
  return std::get<sizeof...(Args) - 1>(std::tie(args...));
}

/// Returns the value with that pullback.
template <class F, class... Args>
auto changed_cotangent_vjp(const F& f, const Args&... args) {
  return ddx::vjp(changed_cotangent_at(f, args...), ChangedCotangentPullback<F, Args...>(args...));
}

}  // namespace ddx::detail
