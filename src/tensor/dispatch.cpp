#include "tensor/detail/dispatch.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/staging.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"

#include "backend/lazy/trace.h"
#include "backend/non_finite.h"
#include "backend/queue.h"
#include "backend/queued_call.h"
#include "core/call_stack/origin.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace ddx::detail {

Device common_device(const ops::Site& site, std::span<const Array* const> arrays) {
  const Array* first = nullptr;
  const Array* other = nullptr;
  for (const Array* array : arrays) {
    if (array->is_symbolic_zero()) {
      continue;
    }
    if (first == nullptr) {
      first = array;
    } else if (other == nullptr && array->device() != first->device()) {
      other = array;
    }
  }
  if (other == nullptr) {
    return first == nullptr ? Device() : first->device();
  }
  // A function that is staged takes what it captures from other devices, as it takes its arguments.
  if (const std::optional<Device> staging = backend::staging_device();
      staging && std::ranges::any_of(arrays, [&](const Array* array) {
        return !array->is_symbolic_zero() && array->device() == *staging;
      })) {
    return *staging;
  }
  site.fail("operands lie on devices " + to_string(first->device()) + " and " +
            to_string(other->device()) + "; shapes " + to_string(first->shape()) + " and " +
            to_string(other->shape()));
}

namespace {

/// About how long a kernel takes, in units of the sum of one element and another.
double cost_of(ops::Op op, const backend::Request& request) {
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
    backend::submit(device, request, cost_of(op, request));
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
  const auto origin = Origin::here(named.site.where);
  issue(op, device,
        {request.kernel, request.inputs, request.outputs, request.attributes,
         request.attribute_bytes, named, &origin});
}

/// Runs it on a device that computes at the call.
[[gnu::always_inline]] inline void run_eagerly(ops::Op op, DType key, Device device,
                                               const std::span<const ops::View>& inputs,
                                               const std::span<const ops::View>& outputs,
                                               const AnyAttributes& attributes,
                                               const ops::Check& check) {
  const SharedUse use;
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

}  // namespace

void run(ops::Op op, DType key, Device device, const std::span<const ops::View>& inputs,
         const std::span<const ops::View>& outputs, const AnyAttributes& attributes,
         const ops::Check& check) {
  check_fork();
  with_memory_for(ops::info(op).name, [&] {
    if (device.is_lazy()) {
      backend::lazy::Trace::of_this_thread(device).record(
          {op, inputs, outputs, attributes.data, check, key});
    } else {
      run_eagerly(op, key, device, inputs, outputs, attributes, check);
    }
  });
}

Array recorded(ops::Op op, DType key, Device device, const Shape& shape, DType dtype,
               const std::span<const ops::View>& inputs, const AnyAttributes& attributes,
               const ops::Check& check) {
  check_fork();
  // Made before it is recorded: who gets it copies its fields by vectors, and a load that spans two
  // stores waits until both have left the processor.
  Array result(backend::Buffer::lazy(), shape, dtype, device);
  const ops::View output = result.view();
  with_memory_for(ops::info(op).name, [&] {
    backend::lazy::Trace::of_this_thread(device).record(
        {op, inputs, {&output, 1}, attributes.data, check, key});
  });
  return result;
}

}  // namespace ddx::detail
