/// \file
/// What attention remembers of the places it has seen.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <limits>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx::nn {

namespace detail {

/// Which of `places` are in [begin, end).
[[nodiscard]] Tensor<bool> places_between(std::int64_t places, std::int64_t begin, std::int64_t end,
                                          Device device);

/// The room of a cache that is to hold `places`: twice as much until that is enough.
[[nodiscard]] std::int64_t enough_room(std::int64_t room, std::int64_t places) noexcept;

}  // namespace detail

/// Keys and values of the places that an attention layer has seen, for generating a sequence place
/// by place. Begins empty. Its arrays grow with each place, so that no step is like the one before;
/// with room for places to come they have the same shapes in each step, and which of them are
/// filled is in arrays too: a lazy device compiles one step for all places.
///
/// Example:
///   nn::AttentionCache<float> cache{.room = 256};
template <FloatingScalar Scalar>
struct AttentionCache {
  Tensor<Scalar> keys = {};  ///< [n, heads, places or room, depth]; symbolic while there are none.
  Tensor<Scalar> values = {};  ///< The same.
  /// For so many places there is room in the arrays, zeros behind those that are in it; it doubles
  /// where it is full. 0: none.
  std::int64_t room = 0;
  std::int64_t filled = 0;  ///< How many places are in it, where there is room.

  /// How many places are in it.
  [[nodiscard]] std::int64_t places() const {
    return room > 0 ? filled : keys.is_symbolic_zero() ? 0 : keys.shape()[2];
  }

  /// Adds places behind those that are in it.
  ///
  /// Shapes:  new_keys [n, heads, new places, depth], new_values the same
  /// Throws:  UsageError where the shapes do not fit those before.
  /// Cost:    O(places), with room O(room).
  void append(const Tensor<Scalar>& new_keys, const Tensor<Scalar>& new_values,
              std::source_location where = std::source_location::current()) {
    if (room > 0) {
      const std::int64_t end = filled + new_keys.shape()[2];
      room = detail::enough_room(room, end);
      keys = filled_up(keys, new_keys, where);
      values = filled_up(values, new_values, where);
      filled = end;
      return;
    }
    const bool first = places() == 0;
    auto all_keys =
        first ? new_keys : concatenate(std::vector<Tensor<Scalar>>{keys, new_keys}, 2, where);
    auto all_values =
        first ? new_values : concatenate(std::vector<Tensor<Scalar>>{values, new_values}, 2, where);
    keys = std::move(all_keys);
    values = std::move(all_values);
  }

  /// Keys or values of the places from `first` on that are in it.
  [[nodiscard]] Tensor<Scalar> from(
      const Tensor<Scalar>& x, std::int64_t first,
      std::source_location where = std::source_location::current()) const {
    const Shape s = x.shape();
    return slice(x, {.start = {0, 0, first, 0}, .stop = {s[0], s[1], places(), s[3]}}, where);
  }

 private:
  /// Keys or values with new places behind those that are in them.
  Tensor<Scalar> filled_up(const Tensor<Scalar>& old, const Tensor<Scalar>& added,
                           std::source_location where) const {
    const std::int64_t count = added.shape()[2];
    if (filled == 0) {
      return pad(added, {0, 0, 0, 0}, {0, 0, room - count, 0}, 0, where);
    }
    if (count == 1 && old.shape()[2] == room) {
      const auto at = detail::places_between(room, filled, filled + 1, added.device());
      return select(reshape(at, {room, 1}, where), added, old, where);
    }
    const auto all = concatenate(std::vector<Tensor<Scalar>>{from(old, 0, where), added}, 2, where);
    return pad(all, {0, 0, 0, 0}, {0, 0, room - filled - count, 0}, 0, where);
  }
};

/// The attention of queries at the last place in a cache with room to the places from `first` on:
/// the same operations at each place. 16-bit elements are computed in f32.
///
/// Shapes:  queries [n, heads, queries, depth] -> [n, heads, queries, depth]
/// Throws:  UsageError where the shapes do not fit those of the cache.
/// Cost:    O(queries room depth) time, O(queries room) memory for each head.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> attention_of_last_place(
    const Tensor<Scalar>& queries, const AttentionCache<Scalar>& cache, std::int64_t first,
    double scale, std::source_location where = std::source_location::current()) {
  using Wide = WideScalar<Scalar>;
  const auto visible = detail::places_between(cache.room, first, cache.places(), queries.device());
  const auto scores = matmul(cast<Wide>(queries) * static_cast<Wide>(scale), cast<Wide>(cache.keys),
                             {.transpose_right = true}, where);
  const auto never = full<Wide>({}, -std::numeric_limits<Wide>::infinity(), queries.device());
  const auto weights = softmax(select(visible, scores, never, where), -1, where);
  return cast<Scalar>(matmul(weights, cast<Wide>(cache.values), {}, where));
}

namespace detail {

/// The extents [n, time, heads, depth] of features in heads.
///
/// Throws: UsageError where `x` is not [n, time, features].
Indices head_extents(const char* layer, const Shape& x, std::int64_t heads,
                     const std::source_location& where);

/// The extents [n, time, heads depth] of what is [n, heads, time, depth].
Indices joined_extents(const Shape& x);

}  // namespace detail

}  // namespace ddx::nn
