/// \file
/// Which part of an array a device of a mesh has.

#pragma once

#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/core/shape.h"
#include "ddx/stablehlo/module.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ddx::backend::pjrt {

/// A part of an array: as many elements as `shape` says, from `begin` on.
struct Part {
  Shape shape;
  std::array<std::int64_t, Shape::max_rank> begin{};

  friend bool operator==(const Part&, const Part&) = default;
};

/// The axes as programs name them.
[[nodiscard]] stablehlo::Mesh axes_of(const Mesh& mesh);

/// What is said of an array of this rank in programs.
[[nodiscard]] stablehlo::Sharding sharding_of(const PartitionSpec& spec, std::size_t rank);

/// The part of the device of this number, in row-major order of the mesh. Requires that extents are
/// multiples of the number of parts.
[[nodiscard]] Part part_of(const Shape& whole, const stablehlo::Sharding& sharding,
                           const stablehlo::Mesh& mesh, std::size_t device);

/// Whether every device has all of the array.
[[nodiscard]] bool is_replicated(const stablehlo::Sharding& sharding) noexcept;

/// How an array is divided after its elements have been given another shape: axes that are the same
/// before and after, counted from the first or from the last on, stay divided; where others were
/// divided, none is.
[[nodiscard]] stablehlo::Sharding reshaped(const stablehlo::Sharding& sharding, const Shape& from,
                                           const Shape& to);

/// Copies a part out of an array. Both are dense and row-major.
void copy_out(const std::byte* whole, const Shape& shape, const Part& part,
              std::size_t element_bytes, std::byte* to);

/// Copies a part to its place in an array.
void copy_in(std::byte* whole, const Shape& shape, const Part& part, std::size_t element_bytes,
             const std::byte* from);

}  // namespace ddx::backend::pjrt
