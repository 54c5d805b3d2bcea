/// \file
/// What a derivative written by hand returns: a value and the way back.

#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace ddx {

/// The value of a function at some arguments, and its pullback there (vector-Jacobian product).
template <class Value, class Function>
struct Vjp {
  Value value;
  Function pullback;  ///< Takes the tangent of the result, returns those of the arguments.
};

/// Pairs a value with its pullback; the return expression of a registered derivative.
///
/// The pullback takes `const TangentOf<Value>&` (or by value) and, where it helps, a `Wanted<N>`, N
/// the number of differentiable parameters. It returns one tangent, or a `std::tuple` with one for
/// each differentiable parameter, in order.
///
/// Example: return ddx::vjp(x * x * x, [x](double dy) { return 3 * x * x * dy; });
template <class Value, class Function>
[[nodiscard]] constexpr Vjp<std::decay_t<Value>, std::decay_t<Function>> vjp(Value&& value,
                                                                             Function&& pullback) {
  return {std::forward<Value>(value), std::forward<Function>(pullback)};
}

/// Says which of the N tangents a pullback is asked for; the others are thrown away, so a pullback
/// may return them default-constructed.
template <std::size_t N>
class Wanted {
 public:
  template <std::same_as<bool>... Flags>
    requires(sizeof...(Flags) == N)
  constexpr explicit Wanted(Flags... wanted) : wanted_{wanted...} {}

  /// Every tangent is wanted.
  [[nodiscard]] static constexpr Wanted all() {
    Wanted result;
    result.wanted_.fill(true);
    return result;
  }

  /// True where the tangent of the differentiable parameter `index` will be used.
  [[nodiscard]] constexpr bool operator[](std::size_t index) const { return wanted_[index]; }

 private:
  constexpr Wanted() = default;

  std::array<bool, N> wanted_{};
};

}  // namespace ddx
