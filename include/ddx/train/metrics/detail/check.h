/// \file
/// What metrics demand of their operands.

#pragma once

#include "ddx/core/shape.h"

#include <source_location>

namespace ddx::train::detail {

/// Throws: UsageError where the labels are not one for each row of scores; names both shapes.
void check_labels(const char* metric, const Shape& scores, const Shape& labels,
                  const std::source_location& where);

/// Throws: UsageError where the shapes differ; names both.
void check_same_shape(const char* metric, const Shape& output, const Shape& target,
                      const std::source_location& where);

}  // namespace ddx::train::detail
