#include "ddx/tensor/detail/array_of.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/array.h"

#include "ops/detail/numbers.h"

#include <algorithm>
#include <vector>

namespace ddx::detail {

Array array_of(const std::vector<double>& numbers, const Shape& shape, DType dtype, Device device) {
  Array array(shape, dtype, device);
  visit(dtype, [&](auto element) {
    using Element = decltype(element);
    std::transform(numbers.begin(), numbers.end(), static_cast<Element*>(array.mutable_data()),
                   [](double number) { return ops::detail::converted<Element>(number); });
  });
  return array;
}

}  // namespace ddx::detail
