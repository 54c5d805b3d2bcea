/// \file
/// Copies of boxes of elements from some places to others.

#pragma once

#include "ddx/core/shape.h"

#include <cstddef>

namespace ddx::backend::cpu {

/// A box of elements: its extents, and how far apart neighbours lie where it comes from and where
/// it goes. Distances may be zero or negative where it comes from.
struct Box {
  Shape shape;
  Strides from{};
  Strides to{};
};

/// Copies a box of elements of 1, 2, 4 or 8 bytes; the pointers are those of its first element.
/// Parts of a large box are copied by several threads. The two sides do not overlap.
void copy_box(const Box& box, const void* from, void* to, std::size_t element_bytes) noexcept;

}  // namespace ddx::backend::cpu
