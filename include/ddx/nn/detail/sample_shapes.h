/// \file
/// What layers demand of the shapes of batches: samples first, channels (or features) last.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn::detail {

/// The last axis.
///
/// Throws: UsageError where it has not the extent `features`.
[[nodiscard]] Indices feature_axis(const char* layer, const Shape& x, std::int64_t features,
                                   const std::source_location& where);

/// The extents of samples, places, groups and channels of a group. A single axis is one sample.
///
/// Throws: UsageError where the last axis has not the extent `features`.
[[nodiscard]] Indices grouped_extents(const char* layer, const Shape& x, std::int64_t features,
                                      std::int64_t groups, const std::source_location& where);

/// Throws: UsageError where `part` does not divide `whole`; names both options.
void require_divisor(const char* layer, const char* part_name, std::int64_t part,
                     const char* whole_name, std::int64_t whole);

/// The axes between the first and the last.
///
/// Throws: UsageError where there is none.
[[nodiscard]] Indices places(const char* layer, const Shape& x, const std::source_location& where);

/// `value`, the amounts, `value`: a list for all axes from one for those between the first and the
/// last.
///
/// Throws: UsageError where there are not as many amounts as axes between.
[[nodiscard]] Indices between(const char* layer, const Shape& x, const Indices& amounts,
                              std::int64_t value, const std::source_location& where);

/// The extents behind the number of samples.
///
/// Throws: UsageError where `x` is a scalar, or there are too many extents.
[[nodiscard]] Indices with_samples(const char* layer, const Shape& x, const Indices& extents,
                                   const std::source_location& where);

}  // namespace ddx::nn::detail
