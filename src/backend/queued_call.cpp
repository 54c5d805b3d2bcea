#include "backend/queued_call.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/kernel.h"

#include "backend/failure.h"
#include "backend/non_finite.h"
#include "core/call_stack/called_at.h"
#include "core/call_stack/origin.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace ddx::backend {

static_assert(std::is_trivially_copyable_v<Shape> && std::is_trivially_copyable_v<ops::View>);

bool can_be_kept(const ops::View& view) noexcept {
  return block_of(view) != nullptr || view.shape().rank() == 0;
}

void Request::run() const {
  const ops::Call call(inputs, outputs, attributes);
  check.check_operands(call);
  const bool blame = can_be_blamed(call);
  if (!call.is_empty()) {
    kernel(call);
  }
  if (check.after != nullptr) {
    check.after(call, check.site);
  }
  if (blame) {
    if (const auto facts = non_finite_result(call)) {
      throw_non_finite(check.site, *facts, origin);
    }
  }
}

QueuedCall::QueuedCall() noexcept = default;

QueuedCall::~QueuedCall() = default;

std::byte* QueuedCall::reserve(std::size_t bytes) {
  if (bytes <= own_.size()) {
    return own_.data();
  }
  large_ = std::make_unique<Number[]>((bytes + sizeof(Number) - 1) / sizeof(Number));
  return reinterpret_cast<std::byte*>(large_.get());
}

void QueuedCall::keep(const Request& request) {
  constexpr std::size_t unit = sizeof(Number);
  const auto rounded = [](std::size_t bytes) { return (bytes + unit - 1) / unit * unit; };
  const std::size_t count = request.inputs.size() + request.outputs.size();
  const std::size_t numbers = rounded(request.attribute_bytes);
  const std::size_t views = numbers + count * unit;
  const std::size_t shapes = views + rounded(count * sizeof(ops::View));
  std::byte* const memory = reserve(shapes + count * sizeof(Shape));
  auto* const first = reinterpret_cast<ops::View*>(memory + views);
  std::size_t i = 0;
  const Shape* shape = nullptr;
  for (const auto& group : {request.inputs, request.outputs}) {
    for (const ops::View& view : group) {
      // Operands and results often have one shape: less to write here, and to read elsewhere.
      if (shape == nullptr || !(*shape == view.shape())) {
        shape = ::new (memory + shapes + i * sizeof(Shape)) Shape(view.shape());
      }
      const void* data = view.data<std::byte>();
      if (block_of(view) == nullptr) {
        data = std::memcpy(memory + numbers + i * unit, data, info(view.dtype()).bytes);
      }
      ::new (first + i) ops::View(data, *shape, view.dtype(), block_of(view));
      ++i;
    }
  }
  if (request.attribute_bytes > 0) {
    std::memcpy(memory, request.attributes, request.attribute_bytes);
  }
  origin_ = request.origin == nullptr ? nullptr : std::make_unique<const Origin>(*request.origin);
  kernel_ = request.kernel;
  check_ = request.check;
  inputs_ = {first, request.inputs.size()};
  outputs_ = {first + request.inputs.size(), request.outputs.size()};
  attributes_ = memory;
}

Failure* QueuedCall::failure_of_operands() const noexcept {
  // The thread that issues calls writes to the blocks: while none has failed, their lines of the
  // cache stay with that processor.
  if (!Failure::any()) {
    return nullptr;
  }
  const auto failed = std::ranges::find_if(inputs_, [](const ops::View& input) {
    return block_of(input) != nullptr && block_of(input)->failure != nullptr;
  });
  return failed == inputs_.end() ? nullptr : block_of(*failed)->failure->shared();
}

Failure* QueuedCall::run() noexcept {
  Failure* failure = failure_of_operands();
  Failure* made = nullptr;
  if (failure == nullptr) {
    const WithoutUserLine observed;
    try {
      Request{kernel_, inputs_, outputs_, attributes_, 0, check_, origin_.get()}.run();
    } catch (...) {
      failure = Failure::of_current_exception();
      made = failure->shared();
    }
  }
  if (Failure::any()) {
    for (const ops::View& output : outputs_) {
      Failure::release(std::exchange(block_of(output)->failure,
                                     failure == nullptr ? nullptr : failure->shared()));
    }
  }
  Failure::release(failure);
  large_.reset();
  return made;
}

}  // namespace ddx::backend
