/// \file
/// Scalars of a graph as programs take them.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"

#include <array>
#include <cstddef>

namespace ddx::backend::pjrt {

/// A scalar as a parameter of this type: a number of rank 0, or the words of a key. What is left of
/// the bytes is zero.
[[nodiscard]] std::array<std::byte, 16> bytes_of(const ir::ScalarValue& value,
                                                 const ir::Type& type);

}  // namespace ddx::backend::pjrt
