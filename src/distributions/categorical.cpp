#include "ddx/distributions/categorical.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"

namespace ddx::distributions::detail {

Shape without_last(const Shape& shape) {
  if (shape.rank() == 0) {
    throw UsageError("Categorical", "logits of shape [] have no classes");
  }
  return Shape(shape.extents().first(shape.rank() - 1));
}

}  // namespace ddx::distributions::detail
