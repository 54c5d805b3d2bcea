#include "tensor/detail/dispatch.h"

#include "ddx/backend/backend.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"

#include "backend/call_stack/origin.h"
#include "backend/lazy/trace.h"
#include "backend/non_finite.h"
#include "backend/queue.h"
#include "backend/queued_call.h"

#include <cmath>
#include <span>

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

namespace {

/// About how long a kernel takes, in units of the sum of one element and another.
double work_of(ops::Op op, const backend::Request& request) {
  double sum = 0;
  double product = 1;
  for (const auto& views : {request.inputs, request.outputs}) {
    for (const ops::View& view : views) {
      const auto count = static_cast<double>(view.shape().count());
      sum += count;
      product *= count;
    }
  }
  const ops::Family family = ops::info(op).family;
  if (family == ops::Family::Matmul || family == ops::Family::Convolution) {
    // Of [m, k], [k, n] and [m, n]: the root is m k n, of which a vector is done at a time.
    return sum + std::sqrt(product) / 16;
  }
  if (family == ops::Family::Attention) {
    const Shape& key = request.inputs[1].shape();
    const Shape& query = request.inputs[0].shape();
    const auto keys = static_cast<double>(key[key.rank() - 2]);
    return sum + static_cast<double>(query.count()) * keys / 8;
  }
  return family == ops::Family::LinearAlgebra ? sum * std::sqrt(sum) : sum / 3;
}

/// Runs it, or has it run in its turn.
[[gnu::always_inline]] inline void issue(ops::Op op, Device device,
                                         const backend::Request& request) {
  if (backend::concerns_queue(device, request)) {
    backend::submit(device, request, work_of(op, request));
  } else {
    request.run();
  }
}

/// As above, of an operation that may be asked where a NaN comes from.
[[gnu::noinline]] void issue_with_origin(ops::Op op, Device device,
                                         const backend::Request& request) {
  ops::Check named = request.check;
  if (*named.site.operation == '\0') {
    named.site.operation = ops::info(op).name.data();
  }
  const auto origin = backend::Origin::here(named.site.where);
  issue(op, device,
        {request.kernel, request.inputs, request.outputs, request.attributes,
         request.attribute_bytes, named, &origin});
}

}  // namespace

void run(ops::Op op, DType key, Device device, const std::span<const ops::View>& inputs,
         const std::span<const ops::View>& outputs, const AnyAttributes& attributes,
         const ops::Check& check) {
  if (device.is_lazy()) {
    backend::lazy::Trace::of_this_thread(device).record(
        {op, inputs, outputs, attributes.data, check, key});
    return;
  }
  const backend::Backend& implementation = backend::backend_of(device);
  const backend::Cell& cell = implementation.kernels().at(op, key);
  if (cell.kernel() == nullptr) {
    backend::throw_unsupported(to_string(device), op, key, cell);
  }
  const backend::Request request{cell.kernel(),   inputs,           outputs,
                                 attributes.data, attributes.bytes, check};
  if (backend::are_nans_debugged()) [[unlikely]] {
    issue_with_origin(op, device, request);
  } else {
    issue(op, device, request);
  }
}

Array recorded(ops::Op op, DType key, Device device, const Shape& shape, DType dtype,
               const std::span<const ops::View>& inputs, const AnyAttributes& attributes,
               const ops::Check& check) {
  // Made before it is recorded: who gets it copies its fields by vectors, and a load that spans two
  // stores waits until both have left the processor.
  Array result(backend::Buffer::promised(), shape, dtype, device);
  const ops::View output = result.view();
  backend::lazy::Trace::of_this_thread(device).record(
      {op, inputs, {&output, 1}, attributes.data, check, key});
  return result;
}

}  // namespace ddx::detail
