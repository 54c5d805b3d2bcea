/// \file
/// How several results become one.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx::nn {

/// How the results of several layers, or of two directions, become one.
enum class Merge : std::uint8_t {
  Concatenate,  ///< One after the other along an axis.
  Sum,
  Average,
  Multiply,
  Stack,  ///< Side by side along a new axis.
};

/// How, and along which axis.
struct MergeOptions {
  Merge how = Merge::Sum;
  std::int64_t axis = -1;  ///< Of Concatenate and Stack; negative ones count from the end.

  friend bool operator==(const MergeOptions&, const MergeOptions&) = default;
};

/// The parts as one tensor.
///
/// Shapes:  parts [...] each -> [...]; longer by Concatenate, with one more axis by Stack
/// Throws:  UsageError where there is no part, the shapes do not fit, or the axis does not exist.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> merged(const std::vector<Tensor<Scalar>>& parts,
                                    const MergeOptions& options,
                                    std::source_location where = std::source_location::current()) {
  if (options.how == Merge::Concatenate) {
    return concatenate(parts, options.axis, where);
  }
  const auto side_by_side = stack(parts, options.how == Merge::Stack ? options.axis : 0, where);
  switch (options.how) {
    case Merge::Sum:
      return sum(side_by_side, {.axes = {0}});
    case Merge::Average:
      return mean(side_by_side, {.axes = {0}});
    case Merge::Multiply:
      return product(side_by_side, {.axes = {0}});
    case Merge::Concatenate:
    case Merge::Stack:
      break;
  }
  return side_by_side;
}

}  // namespace ddx::nn
