/// \file
/// The family Indexing: elements chosen by a tensor of indices.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/movement.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ddx::ops {

/// The shape with `axis` replaced by the axes of `indices`.
///
/// Throws:  UsageError where the axis does not exist or the result has too high a rank.
[[nodiscard]] Resolved<AxisAttributes> gather_shape(const Site& site, const Shape& x,
                                                    const Shape& indices, std::int64_t axis);

/// The axis along which `indices` chooses; the result has the shape of the indices.
///
/// Throws:  UsageError where the axis does not exist, or shapes differ beyond it.
[[nodiscard]] AxisAttributes along_axis(const Site& site, const Shape& x, const Shape& indices,
                                        std::int64_t axis);

/// The shape of the indices with one axis more.
///
/// Throws:  UsageError where the depth is negative or the result has too high a rank.
[[nodiscard]] Shape one_hot_shape(const Site& site, const Shape& indices, std::int64_t depth);

/// Which index is not in [0, extent), if any. `what` says in the message what the indices are.
[[nodiscard]] std::optional<std::string> wrong_index(const char* what,
                                                     std::span<const std::int32_t> indices,
                                                     std::int64_t extent);

/// Throws:  UsageError where there is a wrong index.
void check_indices(const Site& site, const char* what, std::span<const std::int32_t> indices,
                   std::int64_t extent);

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel indexing_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
