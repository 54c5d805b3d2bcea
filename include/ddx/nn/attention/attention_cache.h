/// \file
/// What attention remembers of the places it has seen.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx::nn {

/// Keys and values of the places that an attention layer has seen, for generating a sequence place
/// by place. Begins empty.
template <FloatingScalar Scalar>
struct AttentionCache {
  Tensor<Scalar> keys;    ///< [n, heads, places, depth]; symbolic while there are none.
  Tensor<Scalar> values;  ///< The same.

  /// How many places are in it.
  [[nodiscard]] std::int64_t places() const {
    return keys.is_symbolic_zero() ? 0 : keys.shape()[2];
  }

  /// Adds places behind those that are in it.
  ///
  /// Shapes:  new_keys [n, heads, new places, depth], new_values the same
  /// Throws:  UsageError where the shapes do not fit those before.
  void append(const Tensor<Scalar>& new_keys, const Tensor<Scalar>& new_values,
              std::source_location where = std::source_location::current()) {
    const bool first = places() == 0;
    auto all_keys =
        first ? new_keys : concatenate(std::vector<Tensor<Scalar>>{keys, new_keys}, 2, where);
    auto all_values =
        first ? new_values : concatenate(std::vector<Tensor<Scalar>>{values, new_values}, 2, where);
    keys = std::move(all_keys);
    values = std::move(all_values);
  }
};

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
