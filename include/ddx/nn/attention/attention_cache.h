/// \file
/// What attention remembers of the places it has seen.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/attention_over_range.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"
#include "ddx/tensor/update.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

namespace ddx::nn {

namespace detail {

/// The room of a cache that is to hold `places`: twice as much until that is enough.
[[nodiscard]] std::int64_t enough_room(std::int64_t room, std::int64_t places) noexcept;

/// Small integers as an array of a device, which a recorded graph is given at each run.
///
/// Shapes:  [numbers.size()]
[[nodiscard]] Tensor<std::int32_t> numbers_for(Device device,
                                               std::span<const std::int64_t> numbers);

/// Fails where new keys and values differ in shape, or are not [n, heads, places, depth].
///
/// Throws:  UsageError.
void check_places(const Shape& keys, const Shape& values, const std::source_location& where);

/// Fails where new places differ from those of a cache beyond their number.
///
/// Throws:  UsageError.
void check_new_places(const Shape& cached, const Shape& added, const std::source_location& where);

}  // namespace detail

/// Keys and values of the places that an attention layer has seen, for generating a sequence place
/// by place. Begins empty. The arrays have room for places to come, which are written into them:
/// all steps have the same shapes, and which places are filled is in arrays too, so that a lazy
/// device compiles one step for all places.
///
/// Example:
///   nn::AttentionCache<float> cache{.room = 256};
template <FloatingScalar Scalar>
struct AttentionCache {
  Tensor<Scalar> keys = {};    ///< [n, heads, room, depth]; symbolic while there are no places.
  Tensor<Scalar> values = {};  ///< The same.
  /// For how many places the first arrays are to have room; arrays that are full are replaced by
  /// ones of twice the room.
  std::int64_t room = 0;
  std::int64_t filled = 0;  ///< How many places are in it; later elements are unspecified.

  /// How many places are in it.
  [[nodiscard]] std::int64_t places() const noexcept { return filled; }

  /// Adds places behind those that are in it.
  ///
  /// Shapes:  new_keys [n, heads, new places, depth], new_values the same
  /// Throws:  UsageError where the shapes differ or do not fit those before, or devices differ; the
  ///          cache keeps its earlier places then.
  /// Cost:    O(new places) where there is room and no other tensor shares the arrays, otherwise
  ///          O(room).
  void append(const Tensor<Scalar>& new_keys, const Tensor<Scalar>& new_values,
              std::source_location where = std::source_location::current()) {
    detail::check_places(new_keys.shape(), new_values.shape(), where);
    const std::int64_t count = new_keys.shape()[2];
    if (filled > 0) {  // A cache that was moved from has none.
      detail::check_new_places(keys.is_symbolic_zero() ? Shape{} : keys.shape(), new_keys.shape(),
                               where);
    }
    if (filled == 0 || filled + count > keys.shape()[2]) {
      const std::int64_t extent = filled == 0
                                      ? std::max(room, count)
                                      : detail::enough_room(keys.shape()[2], filled + count);
      auto all_keys = grown(keys, new_keys, extent, where);
      values = grown(values, new_values, extent, where);
      keys = std::move(all_keys);
    } else {
      const auto place = reshape(
          detail::numbers_for(new_keys.device(), std::array<std::int64_t, 1>{filled}), {}, where);
      keys = written(keys, new_keys, place, where);
      values = written(values, new_values, place, where);
    }
    filled += count;
  }

  /// Keys or values of the places from `first` on that are in it.
  [[nodiscard]] Tensor<Scalar> from(
      const Tensor<Scalar>& x, std::int64_t first,
      std::source_location where = std::source_location::current()) const {
    const Shape s = x.shape();
    return slice(x, {.start = {0, 0, first, 0}, .stop = {s[0], s[1], filled, s[3]}}, where);
  }

 private:
  /// Keys or values with new places in their room, in place where they can be. They are not lost
  /// where devices differ: that fails, or captures them in a staged function.
  static Tensor<Scalar> written(Tensor<Scalar>& x, const Tensor<Scalar>& added,
                                const Tensor<std::int32_t>& place, std::source_location where) {
    return x.device() == added.device() ? update_at(std::move(x), added, place, 2, where)
                                        : update_at(x, added, place, 2, where);
  }
  /// Keys or values with new places behind those that are in them, and zeros.
  Tensor<Scalar> grown(const Tensor<Scalar>& old, const Tensor<Scalar>& added, std::int64_t extent,
                       std::source_location where) const {
    const Indices none{0, 0, 0, 0};
    const Indices behind{0, 0, extent - filled - added.shape()[2], 0};
    if (filled == 0) {
      return behind[2] == 0 ? added : pad(added, none, behind, 0, where);
    }
    const auto all = concatenate(std::vector<Tensor<Scalar>>{from(old, 0, where), added}, 2, where);
    return behind[2] == 0 ? all : pad(all, none, behind, 0, where);
  }
};

/// The attention of queries to the places of a cache from `first` on: the same operations whatever
/// the place.
///
/// Shapes:  queries [n, heads, queries, depth] -> [n, heads, queries, depth]
/// Throws:  UsageError where the shapes do not fit those of the cache.
/// Cost:    as ddx::attention_over_range.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> attention_to_cache(
    const Tensor<Scalar>& queries, const AttentionCache<Scalar>& cache, std::int64_t first,
    double scale, std::source_location where = std::source_location::current()) {
  const auto range =
      detail::numbers_for(queries.device(), std::array<std::int64_t, 2>{first, cache.filled});
  return attention_over_range(queries, cache.keys, cache.values, range, {.scale = scale}, where);
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
