#include "ddx/tensor/view.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include <cstddef>
#include <source_location>
#include <string>

namespace ddx::detail {

void check_view_rank(const Shape& shape, std::size_t expected, const std::source_location& where) {
  if (shape.rank() != expected) {
    throw UsageError("view",
                     "the tensor has rank " + std::to_string(shape.rank()) + ", the view rank " +
                         std::to_string(expected) + "; shape " + to_string(shape),
                     where);
  }
}

void fail_view_index(const Shape& shape, std::size_t axis, Shape::Extent index) {
  throw UsageError("view", "index " + std::to_string(index) + " of axis " + std::to_string(axis) +
                               " lies outside [0, " + std::to_string(shape[axis]) + "); shape " +
                               to_string(shape));
}

}  // namespace ddx::detail
