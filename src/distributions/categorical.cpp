#include "ddx/distributions/categorical.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <string>

namespace ddx::distributions::detail {

void require_an_axis(const Shape& shape, const std::source_location& where) {
  if (shape.rank() == 0) {
    throw UsageError("Categorical", "logits of shape [] have no classes", where);
  }
}

Shape without_last(const Shape& shape) {
  return Shape(shape.extents().first(shape.rank() - 1));
}

Tensor<bool> chosen_classes(const Tensor<std::int32_t>& x, std::int64_t classes,
                            const std::source_location& where) {
  for (const std::int32_t element : x.elements()) {
    if (element < 0 || element >= classes) {
      throw UsageError("Categorical",
                       "class " + std::to_string(element) + " is not in [0, " +
                           std::to_string(classes) + "); shape " + to_string(x.shape()),
                       where);
    }
  }
  return one_hot<bool>(x, classes, where);
}

}  // namespace ddx::distributions::detail
