/// \file
/// Forward mode: how the result of a function moves when its arguments move.

#pragma once

#include "ddx/ad/detail/direction.h"
#include "ddx/ad/detail/run_differential.h"
#include "ddx/ad/results.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/wrt.h"
#ifdef __DDX__
// Derivatives need it at the end of the unit, where macros of the program would reach into it.
#include "ddx/ad/detail/synthesised.h"
#endif

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx {

/// A direction in the space of several arguments: one tangent for each. Made by `ddx::along`.
template <class... Tangents>
struct Along {
  detail::Direction<Tangents...> tangents;

  using DdxPrimal = Along;  ///< A vector space: it is its own tangent.
  constexpr auto ddx_fields() { return std::tie(tangents); }
  constexpr auto ddx_fields() const { return std::tie(tangents); }
};

/// Lists the tangents of the selected arguments, in order, for `ddx::jvp`.
template <class... Tangents>
[[nodiscard]] constexpr Along<Tangents...> along(const Tangents&... tangents) {
  return {detail::make_direction(tangents...)};
}

/// Returns the value of `f` at the arguments and its tangent along a direction, in one run: the
/// product of the Jacobian and the direction.
///
/// Returns: `{value, tangent}`. An empty vector in the direction counts as zeros.
/// Throws:  what `f` throws; UsageError where a vector in the direction has another length than in
///          the argument; std::bad_alloc.
/// Cost:    one to three calls of `f`, without any record.
/// Example: auto [y, dy] = ddx::jvp(f, ddx::along(dx, dz), x, z);
template <class F, class... Tangents, class... Args>
[[nodiscard]] auto jvp(const F& f, const Along<Tangents...>& direction, const Args&... args) {
  return detail::run_jvp<std::decay_t<const F>, Args...>(std::index_sequence_for<Args...>{}, f,
                                                         direction.tangents, args...);
}

/// As above, with respect to the selected arguments alone; the others are constants.
///
/// Example: auto [y, dy] = ddx::jvp(f, ddx::wrt<0>, ddx::along(dx), x, steps);
template <class F, std::size_t... Positions, class... Tangents, class... Args>
[[nodiscard]] auto jvp(const F& f, Wrt<Positions...>, const Along<Tangents...>& direction,
                       const Args&... args) {
  return detail::run_jvp<std::decay_t<const F>, Args...>(std::index_sequence<Positions...>{}, f,
                                                         direction.tangents, args...);
}

/// The differential of a function at a point: the linear map from tangents of the selected
/// arguments to the tangent of the result. Holds copies of the function and its arguments; each
/// call runs the function once, with its tangent.
template <class Wrt, class F, class... Args>
class Differential;

/// Where the selected positions have names.
template <std::size_t... Positions, class F, class... Args>
class Differential<std::index_sequence<Positions...>, F, Args...> {
 public:
  /// Made by ddx::differential.
  explicit Differential(const F& f, const Args&... args) : f_(f), arguments_(args...) {}

  /// Returns the tangent of the result along one tangent for each selected argument.
  ///
  /// Throws: what the function throws; UsageError where a vector has another length than in the
  ///         argument.
  [[nodiscard]] auto operator()(
      const TangentOf<std::tuple_element_t<Positions, std::tuple<Args...>>>&... tangents) const {
    return std::apply(
        [&](const Args&... args) {
          return detail::run_jvp<F, Args...>(std::index_sequence<Positions...>{}, f_,
                                             detail::make_direction(tangents...), args...)
              .tangent;
        },
        arguments_);
  }

 private:
  F f_;
  std::tuple<Args...> arguments_;
};

/// Returns the differential of `f` at the arguments, with respect to all of them.
///
/// Example: auto df = ddx::differential(f, x, y); auto dz = df(dx, dy);
template <class F, class... Args>
[[nodiscard]] auto differential(const F& f, const Args&... args) {
  return Differential<std::index_sequence_for<Args...>, std::decay_t<const F>, Args...>(f, args...);
}

/// As above, with respect to the selected arguments alone.
///
/// Example: auto dz = ddx::differential(f, ddx::wrt<1>, x, y)(dy);
template <class F, std::size_t... Positions, class... Args>
[[nodiscard]] auto differential(const F& f, Wrt<Positions...>, const Args&... args) {
  return Differential<std::index_sequence<Positions...>, std::decay_t<const F>, Args...>(f,
                                                                                         args...);
}

/// Returns the value of `f` at the arguments, and its differential there.
///
/// Throws:  what `f` throws.
/// Cost:    one call of `f`, and copies of the arguments. For one direction, `ddx::jvp` gives the
///          value beside the tangent in one run.
/// Example: auto [y, df] = ddx::value_with_differential(f, x);
template <class F, class... Args>
[[nodiscard]] auto value_with_differential(const F& f, const Args&... args) {
  using Value = detail::ValueOf<std::decay_t<const F>, Args...>;
  auto map = ddx::differential(f, args...);
  return ValueWithDifferential<Value, decltype(map)>{f(args...), std::move(map)};
}

}  // namespace ddx
