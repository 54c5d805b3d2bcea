/// \file
/// The order of the elements of published arrays.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/tensor/detail/array.h"

#include <cstdint>
#include <optional>

namespace ddx::models::detail {

/// How a published array, or the part of it, becomes one of the model: it is reshaped to `split`,
/// its axes are put in another order, and the result has the shape `ours`.
struct Arrangement {
  Shape theirs;
  Shape split;
  Indices order;
  Shape ours;
  bool moves = true;  ///< False: all of it is as it is.
};

/// The arrangement of a rule for an array of the model of this shape; nothing where the layout has
/// no such shape.
[[nodiscard]] std::optional<Arrangement> arrangement(const NameRule& rule, const Shape& ours);

/// How a published matrix [out, in], or the part of it, becomes the transposed matrix of the model,
/// which has the shape `ours`, [in, out]: by another order of whole rows; nothing where the layout
/// is not one of rows.
[[nodiscard]] std::optional<Arrangement> row_arrangement(const NameRule& rule, const Shape& ours);

/// Whether the part of a rule may have this extent.
[[nodiscard]] bool has_extent(const Part& part, std::int64_t extent) noexcept;

/// Where part number `index` begins along its axis; with the number of all parts, where the last
/// one ends. Precondition: has_extent.
[[nodiscard]] std::int64_t first_of_part(const Part& part, std::int64_t index,
                                         std::int64_t extent) noexcept;

/// A published array as the model has it, and back.
[[nodiscard]] ddx::detail::Array to_ours(const ddx::detail::Array& theirs,
                                         const Arrangement& arrangement);
[[nodiscard]] ddx::detail::Array to_theirs(const ddx::detail::Array& ours,
                                           const Arrangement& arrangement);

}  // namespace ddx::models::detail
