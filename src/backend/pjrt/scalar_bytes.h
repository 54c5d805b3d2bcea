/// \file
/// Scalars of a graph in the arrays that programs take.

#pragma once

#include "ddx/ir/scalars.h"
#include "ddx/stablehlo/emitter.h"

#include <cstddef>
#include <span>
#include <vector>

namespace ddx::backend::pjrt {

/// The elements of an array of scalars, for the values of a graph's scalars.
[[nodiscard]] std::vector<std::byte> bytes_of(const stablehlo::ScalarArray& array,
                                              std::span<const ir::ScalarValue> values);

}  // namespace ddx::backend::pjrt
