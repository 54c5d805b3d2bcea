#include "tensor/detail/dispatch.h"

#include "ddx/backend/backend.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"

#include <span>
#include <string>

namespace ddx::detail {

Device common_device(const ops::Site& site, std::span<const Array* const> arrays) {
  const Array* first = nullptr;
  for (const Array* array : arrays) {
    if (array->is_symbolic_zero()) {
      continue;
    }
    if (first == nullptr) {
      first = array;
    } else if (array->device() != first->device()) {
      site.fail("operands lie on devices " + to_string(first->device()) + " and " +
                to_string(array->device()) + "; shapes " + to_string(first->shape()) + " and " +
                to_string(array->shape()));
    }
  }
  return first == nullptr ? Device() : first->device();
}

void run(ops::Op op, DType key, Device device, std::span<const ops::View> inputs,
         std::span<const ops::View> outputs, const void* attributes) {
  const backend::Backend& implementation = backend::backend_of(device);
  const backend::Cell& cell = implementation.kernels().at(op, key);
  if (cell.kernel() == nullptr) {
    throw UsageError(std::string(to_string(op)), "unsupported on device " + to_string(device) +
                                                     " for " + std::string(to_string(key)) + ": " +
                                                     cell.reason());
  }
  cell.kernel()(ops::Call(inputs, outputs, attributes));
}

}  // namespace ddx::detail
