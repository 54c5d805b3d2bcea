/// \file
/// The order of calls that have been issued and not yet run.
///
/// Calls get numbers 1, 2, ... as they are issued, and are run one after the other in this order,
/// by the thread of the queue. A block notes the number of the last call that writes it, and of the
/// last one that uses it. So
///   - elements are there when the call that writes them is done,
///   - a block that its last owner gave back may at once hold the results of a later call,
///   - the queue counts as no owner: updates are in place as ever.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/device.h"
#include "ddx/ops/kernel.h"

#include "backend/queued_call.h"

#include <atomic>
#include <cstdint>

namespace ddx::backend {

/// Whether no queued call is left that reads or writes the block.
[[nodiscard]] bool is_unused(const Block& block) noexcept;

/// Makes a block that is unused as good as new: no call has ever written it, or failed to.
void forget_calls(Block& block) noexcept;

/// Whether the cpu device is asynchronous. Here because it is read at every call.
inline constinit std::atomic<bool> cpu_is_asynchronous{false};

/// Whether a request has to pass through submit(): the device is asynchronous, or an array has been
/// in the hands of the queue.
[[nodiscard]] inline bool concerns_queue(Device device, const Request& request) noexcept {
  if (cpu_is_asynchronous.load(std::memory_order_relaxed) && device.kind() == Device::Kind::Cpu) {
    return true;
  }
  for (const auto& views : {request.inputs, request.outputs}) {
    for (const ops::View& view : views) {
      const Block* block = block_of(view);
      if (block != nullptr && block->used.load(std::memory_order_relaxed) != 0) {
        return true;
      }
    }
  }
  return false;
}

/// Runs the request in its order with those that concern the same blocks: at once where it is small
/// and nothing that it works with is awaited, or where the device computes at the call; else later.
///
/// `work` is what it costs, in elements of a sum of two arrays.
/// Throws:  what its check throws, where it is run at once; where the device computes at the call,
///          what an operand has failed with.
void submit(Device device, const Request& request, double work);

/// What costs less than this is done at once, where it can be. Returns what it was before. For
/// tests and measurements.
double set_break_even(double work) noexcept;

/// The most calls that wait at one time; a thread that issues one more waits.
inline constexpr std::uint64_t most_waiting_calls = 512;

/// The number of calls that wait, or run.
[[nodiscard]] std::uint64_t waiting_calls() noexcept;

}  // namespace ddx::backend
