/// \file
/// Several cotangents of one number side by side: what a reverse sweep carries that serves several
/// rows of a Jacobian at once.

#pragma once

#include "ddx/ad/detail/emit_macros.h"
#include "ddx/ad/detail/tangent_kinds.h"

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// The bytes of a register that the target's processors have.
#if defined(__AVX__)
inline constexpr std::size_t lane_bytes = 32;
#else
inline constexpr std::size_t lane_bytes = 16;
#endif

/// `count` numbers that are added and scaled together, in registers of `register_bytes`: units that
/// are compiled for other processors have other types.
template <class T, std::size_t count, std::size_t register_bytes>
class Lanes {
  static_assert(count == 2 || count == 4, "a register holds a power of two");
  static constexpr std::size_t whole = count * sizeof(T);
  static constexpr std::size_t part_bytes = whole < register_bytes ? whole : register_bytes;
  static constexpr std::size_t part_count = whole / part_bytes;
  static constexpr std::size_t width = count / part_count;
  typedef T Part __attribute__((vector_size(part_bytes)));

 public:
  static constexpr std::size_t size = count;

  /// What an adjoint begins with: minus zero leaves all that is added to it as it is.
  DDX_INLINE Lanes() noexcept : Lanes(-T{}) {}
  /// The same number in each.
  DDX_INLINE Lanes(T number) noexcept {
    for (Part& part : parts_) {
      part = number - Part{};  // Minus zero plus zero would be zero.
    }
  }
  template <class U>
  DDX_INLINE explicit Lanes(const Lanes<U, count, register_bytes>& other) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      set(i, static_cast<T>(other[i]));
    }
  }

  [[nodiscard]] DDX_INLINE T operator[](std::size_t i) const noexcept {
    return parts_[i / width][i % width];
  }
  DDX_INLINE void set(std::size_t i, T number) noexcept { parts_[i / width][i % width] = number; }

  DDX_INLINE Lanes& operator+=(const Lanes& other) noexcept {
    DDX_ADJOINT_SUM
    for (std::size_t i = 0; i < part_count; ++i) {
      parts_[i] += other.parts_[i];
    }
    return *this;
  }
  DDX_INLINE Lanes& operator-=(const Lanes& other) noexcept { return *this += -other; }
  DDX_INLINE Lanes& operator*=(T factor) noexcept {
    DDX_ADJOINT_SUM
    for (Part& part : parts_) {
      part *= factor;
    }
    return *this;
  }
  DDX_INLINE Lanes& operator/=(T divisor) noexcept {
    DDX_ADJOINT_SUM
    for (Part& part : parts_) {
      part /= divisor;
    }
    return *this;
  }

  /// Each times `factor`, and zero where it is zero, whatever the factor.
  [[nodiscard]] DDX_INLINE Lanes scaled_by(T factor) const noexcept {
    Lanes result;
    for (std::size_t i = 0; i < part_count; ++i) {
      result.parts_[i] = parts_[i] == Part{} ? Part{} : parts_[i] * factor;
    }
    return result;
  }

  DDX_INLINE friend Lanes operator-(Lanes a) noexcept {
    for (Part& part : a.parts_) {
      part = -part;
    }
    return a;
  }
  DDX_INLINE friend Lanes operator+(Lanes a, const Lanes& b) noexcept { return a += b; }
  DDX_INLINE friend Lanes operator-(Lanes a, const Lanes& b) noexcept { return a -= b; }
  DDX_INLINE friend Lanes operator*(Lanes a, T factor) noexcept { return a *= factor; }
  DDX_INLINE friend Lanes operator*(T factor, Lanes a) noexcept { return a *= factor; }
  DDX_INLINE friend Lanes operator/(Lanes a, T divisor) noexcept { return a /= divisor; }

 private:
  Part parts_[part_count];
};

/// As `scaled` for one number, each by itself.
template <class T, std::size_t count, std::size_t bytes, class Partial>
[[nodiscard]] DDX_INLINE Lanes<T, count, bytes> scaled(const Lanes<T, count, bytes>& cotangent,
                                                       Partial partial) {
  return cotangent.scaled_by(static_cast<T>(partial));
}

template <class Tangent, std::size_t count>
struct LanesTrait {};
template <class Tangent, std::size_t count>
concept HasLanes = requires { typename LanesTrait<Tangent, count>::Type; };
template <class T, std::size_t count>
  requires std::is_floating_point_v<T>
struct LanesTrait<T, count> {
  using Type = Lanes<T, count, lane_bytes>;
};
template <class T, std::size_t size, std::size_t count>
  requires HasLanes<T, count>
struct LanesTrait<std::array<T, size>, count> {
  using Type = std::array<typename LanesTrait<T, count>::Type, size>;
};
template <class T, std::size_t size, std::size_t count>
  requires HasLanes<T, count>
struct LanesTrait<T[size], count> {
  using Type = typename LanesTrait<T, count>::Type[size];
};
template <class T, class Allocator, std::size_t count>
  requires HasLanes<T, count>
struct LanesTrait<std::vector<T, Allocator>, count> {
  using Type = std::vector<typename LanesTrait<T, count>::Type>;
};
template <class... Ts, std::size_t count>
  requires(HasLanes<Ts, count> && ...)
struct LanesTrait<std::tuple<Ts...>, count> {
  using Type = std::tuple<typename LanesTrait<Ts, count>::Type...>;
};

/// A tangent with Lanes in the place of each number.
template <class Tangent, std::size_t count>
using LanesOf = typename LanesTrait<Tangent, count>::Type;

template <std::size_t count>
struct LaneCount {};

/// Returns zeros of the shape of `tangent`.
template <std::size_t count, class Tangent>
[[nodiscard]] LanesOf<Tangent, count> zero_lanes(const Tangent& tangent) {
  if constexpr (is_vector<Tangent>) {
    return LanesOf<Tangent, count>(tangent.size(), 0);
  } else if constexpr (is_tuple<Tangent>) {
    return std::apply(
        [](const auto&... parts) { return LanesOf<Tangent, count>(zero_lanes<count>(parts)...); },
        tangent);
  } else if constexpr (is_array<Tangent>) {
    LanesOf<Tangent, count> made;
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i] = zero_lanes<count>(tangent[i]);
    }
    return made;
  } else {
    return Tangent{};
  }
}

/// Sets `to`, of the shape of `from`, to what lane `i` holds.
template <class From, class To>
void take_lane(const From& from, To& to, std::size_t i) {
  if constexpr (is_lanes<From>) {
    to = from[i];
  } else if constexpr (is_vector<From> || is_array<From>) {
    for (std::size_t k = 0; k < from.size(); ++k) {
      take_lane(from[k], to[k], i);
    }
  } else {
    [&]<std::size_t... part>(std::index_sequence<part...>) {
      (take_lane(std::get<part>(from), std::get<part>(to), i), ...);
    }(std::make_index_sequence<std::tuple_size_v<From>>{});
  }
}

/// Writes the first `rows` lanes of each number to rows of `to` that are `stride` apart.
///
/// Returns: where the next number goes.
template <class From, class Number>
DDX_INLINE Number* write_lanes(const From& from, Number* to, std::size_t stride, std::size_t rows) {
  if constexpr (is_lanes<From>) {
    for (std::size_t i = 0; i < From::size; ++i) {
      if (i < rows) {
        to[i * stride] = static_cast<Number>(from[i]);
      }
    }
    return to + 1;
  } else if constexpr (is_vector<From> || is_array<From>) {
    for (const auto& part : from) {
      to = write_lanes(part, to, stride, rows);
    }
    return to;
  } else {
    [&]<std::size_t... part>(std::index_sequence<part...>) DDX_INLINE_CLOSURE {
      ((to = write_lanes(std::get<part>(from), to, stride, rows)), ...);
    }(std::make_index_sequence<std::tuple_size_v<From>>{});
    return to;
  }
}

}  // namespace ddx::detail
