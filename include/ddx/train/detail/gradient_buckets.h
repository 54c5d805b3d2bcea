/// \file
/// Many arrays, averaged over replicas in few messages.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/distributed/process_group.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ddx::train::detail {

/// An array of one replica that is to become the mean of all replicas'.
struct AveragedArray {
  DType dtype = DType::f32;
  std::size_t count = 0;
  std::function<void(std::byte* into)> read;         ///< Waits for the elements, copies them out.
  std::function<void(const std::byte* from)> write;  ///< Takes the mean.
};

/// Averages the arrays, each replica's with its weight: sum of weight times array over the sum of
/// weights. They go in order, in messages of up to `bucket_bytes` of one element type each, larger
/// arrays in one of their own; while one is under way the next are filled.
///
/// Throws: as the collective operations; what `read` and `write` throw.
void average(const std::vector<AveragedArray>& arrays, const distributed::ProcessGroup& group,
             double weight, std::int64_t bucket_bytes);

}  // namespace ddx::train::detail
