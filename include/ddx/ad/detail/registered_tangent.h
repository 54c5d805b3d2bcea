/// \file
/// Value and tangent of a call of which only the pullback is registered, with the pullback of both.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/detail/differentiable_positions.h"
#include "ddx/ad/detail/direction.h"
#include "ddx/ad/detail/registered_pullback.h"
#include "ddx/ad/detail/run_request.h"
#include "ddx/ad/detail/tangent_by_transpose.h"
#include "ddx/ad/no_tangent.h"
#include "ddx/ad/results.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Names a registered derivative, as the type of a function without state, and the tuple of
/// tangents that its pullback returns. (A function object that is passed as an argument would be
/// inlined.)
template <class Tuple, class Vjp>
struct Registered {};

/// The tangents of a direction as a tuple, with zeros for those of constants (NoTangent).
template <class Parts, class Tangents, std::size_t... I>
Parts parts_along(const Tangents& along, std::index_sequence<I...>) {
  return Parts(tangent_or_zero<std::tuple_element_t<I, Parts>>(TangentAt<I>::of(along))...);
}

/// Which tangents of a direction are not those of constants.
template <class Along, std::size_t... I>
constexpr Wanted<sizeof...(I)> moving(const Along&, std::index_sequence<I...>) {
  return Wanted<sizeof...(I)>(
      !std::is_same_v<std::decay_t<decltype(TangentAt<I>::of(std::declval<const Along&>()))>,
                      NoTangent>...);
}

/// The direction that consists of the parts of a tuple; nothing where it has constants.
template <class... Tangents, class Parts, std::size_t... I>
Direction<Tangents...> direction_of(const Direction<Tangents...>&, const Parts& parts,
                                    std::index_sequence<I...>) {
  const auto part = [&]<std::size_t Position, class Tangent>(std::in_place_type_t<Tangent>) {
    if constexpr (std::is_same_v<Tangent, NoTangent>) {
      return NoTangent{};
    } else {
      return std::get<Position>(parts);
    }
  };
  return make_direction(part.template operator()<I>(std::in_place_type<Tangents>)...);
}

/// The tangents of a direction and of several arguments, as one tuple.
template <class Along, class Tangents, std::size_t... Wrt>
auto joined(const Along& along, const Tangents& tangents, std::index_sequence<Wrt...>) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<Along, std::tuple_element_t<I, Tangents>...>(along, std::get<I>(tangents)...);
  }(std::make_index_sequence<sizeof...(Wrt)>{});
}

/// Returns the value of a function and its tangent by the derivative registered for it. `along` has
/// a tangent for each of its differentiable parameters, or a NoTangent for a constant.
///
/// Cost: one run of the pullback with a record, and its way back.
template <class Parts, class Vjp, class Along, class... Args>
auto registered_tangent(Registered<Parts, Vjp>, const Along& along, const Args&... args) {
  auto both = Vjp()(args...);
  using Value = decltype(both.value);
  TangentOf<Value> tangent{};
  const auto transpose = [&]<std::size_t... I>(std::index_sequence<I...>) {
    tangent_by_transpose<Parts>(both.pullback, both.value, tangent,
                                moving(along, std::index_sequence<I...>{}),
                                TangentAt<I>::of(along)...);
  };
  transpose(std::make_index_sequence<std::tuple_size_v<Parts>>{});
  return ValueWithTangent<Value, TangentOf<Value>>{std::move(both.value), std::move(tangent)};
}

/// The pullback of that. With P(a, w) the registered pullback at the arguments a, which is linear
/// in w, the tangent is t = P(a, .)^T da. So <w, t> = <P(a, w), da>: the cotangent of `along` is
/// P(a, w), that of the arguments the gradient of the product.
template <class Parts, class Vjp, class Along, class... Args>
class RegisteredTangentPullback {
 public:
  explicit RegisteredTangentPullback(const Along& along, const Args&... args)
      : along_(along), at_(args...) {}

  /// Returns the tangents of the direction and of all arguments that have one.
  ///
  /// Cost: a call of the function and of its pullback with a record, and the way back.
  template <class Seed>
  auto operator()(const Seed& seed) const {
    using All = std::make_index_sequence<std::tuple_size_v<Parts>>;
    const auto& tangent = seed.tangent;
    const auto wanted = moving(along_, All{});
    const auto both = [&tangent, &wanted](const Args&... args) {
      const auto made = Vjp()(args...);
      return std::pair(made.value, call_pullback<Parts>(made.pullback, tangent, wanted));
    };
    return std::apply(
        [&](const Args&... args) {
          using Wrt = DifferentiablePositions<Args...>;
          auto run = run_value_with_pullback<std::remove_const_t<decltype(both)>, Args...>(
              Wrt{}, both, args...);
          auto towards_along = direction_of(along_, run.value.second, All{});
          auto towards_arguments =
              run.pullback(std::pair(seed.value, parts_along<Parts>(along_, All{})));
          if constexpr (Wrt::size() == 1) {
            return std::tuple(std::move(towards_along), std::move(towards_arguments));
          } else {
            return joined(towards_along, towards_arguments, Wrt{});
          }
        },
        at_);
  }

 private:
  Along along_;
  std::tuple<Args...> at_;
};

template <class Parts, class Vjp, class Along, class... Args>
DDX_DERIVATIVE_OF(registered_tangent)
auto registered_tangent_vjp(Registered<Parts, Vjp> registered, const Along& along,
                            const Args&... args) {
  return ddx::vjp(registered_tangent(registered, along, args...),
                  RegisteredTangentPullback<Parts, Vjp, Along, Args...>(along, args...));
}

}  // namespace ddx::detail
