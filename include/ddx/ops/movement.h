/// \file
/// The families Movement, Update and Concatenation.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ddx::ops {

/// A result's shape together with the attributes that make it.
template <class Attributes>
struct Resolved {
  Shape shape;
  Attributes attributes;
};

/// The shape with an axis of extent 1 more, which becomes axis `axis`; negative ones count from the
/// end of the result.
///
/// Throws:  UsageError where the result has no such axis or too high a rank.
[[nodiscard]] Shape inserted_axis(const Site& site, const Shape& x, std::int64_t axis);

/// The shape that `extents` asks for; one of them may be -1.
///
/// Throws:  UsageError where the counts differ, or more than one extent is negative.
[[nodiscard]] Shape reshape_shape(const Site& site, const Shape& x, const Indices& extents);

/// The shape with its axes in another order; an empty order reverses them.
///
/// Throws:  UsageError where the order is no permutation of the axes.
[[nodiscard]] Resolved<PermutationAttributes> transpose_shape(const Site& site, const Shape& x,
                                                              const Indices& order);

/// The shape of a box with steps. Empty lists mean: all of it. Bounds count from the end where
/// negative, and are clamped.
///
/// Throws:  UsageError where a list has another length than the rank, or a step is not positive.
[[nodiscard]] Resolved<SliceAttributes> slice_shape(const Site& site, const Shape& x,
                                                    const Indices& start, const Indices& stop,
                                                    const Indices& step);

/// The box of `x` that `update` replaces.
///
/// Throws:  as slice_shape, and where `update` does not stretch to the box.
[[nodiscard]] Resolved<SliceAttributes> updated_box(const Site& site, const Shape& x,
                                                    const Shape& update, const Indices& start,
                                                    const Indices& stop, const Indices& step);

/// The axis along which `update` replaces as many positions of `x` as it has, from a place on that
/// the operation is given.
///
/// Throws:  UsageError where the axis does not exist, shapes differ beyond it, or the update has
///          more positions along it.
[[nodiscard]] AxisAttributes updated_axis(const Site& site, const Shape& x, const Shape& update,
                                          std::int64_t axis);

/// What is wrong with a place at which `update` positions are to lie within `extent`, if anything.
[[nodiscard]] std::optional<std::string> wrong_place(std::int64_t place, std::int64_t update,
                                                     std::int64_t extent);

/// The shape with borders.
///
/// Throws:  UsageError where a list has another length than the rank, or an amount is negative.
[[nodiscard]] Resolved<PadAttributes> pad_shape(const Site& site, const Shape& x,
                                                const Indices& low, const Indices& high,
                                                Literal value);

/// The shape of the parts joined along `axis`.
///
/// Throws:  UsageError where there is no part, or extents of other axes differ.
[[nodiscard]] Resolved<AxisAttributes> concatenate_shape(const Site& site,
                                                         std::span<const Shape* const> parts,
                                                         std::int64_t axis);

/// The reference kernel, or null where the operation is of another family.
[[nodiscard]] Kernel movement_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
