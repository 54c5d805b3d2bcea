// How a trace records operations.

#include "backend/lazy/trace.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/hash.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/subgraph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/literal.h"
#include "ddx/ops/op.h"

#include "backend/lazy/executor.h"
#include "backend/lazy/flush_points.h"
#include "backend/lazy/make_room.h"
#include "backend/lazy/trace_trie_match.h"
#include "backend/lazy_value.h"
#include "backend/non_finite.h"
#include "core/call_stack/called_at.h"
#include "core/call_stack/library_files.h"
#include "core/call_stack/origin.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::backend::lazy {
namespace {

/// What the regions of an operation with regions demand of elements.
const std::vector<ops::Check>& demands_of(const Operation& operation) {
  return static_cast<const Regions*>(operation.attributes)->checks;
}

void throw_if_any(const std::exception_ptr& error) {
  if (error != nullptr) {
    std::rethrow_exception(error);
  }
}

}  // namespace

void Trace::settle(const ops::View& view) const {
  Block* const block = block_of(view);
  if (block == nullptr || block->written.load(std::memory_order_acquire) == 0) {
    return;
  }
  if (!is_lazy(*block)) {
    await_elements(*block);
  } else if (const LazyValue& lazy_value = *lazy_value_of(*block);
             lazy_value.producer.load(std::memory_order_relaxed) != this &&
             !steps_.is_on_device(lazy_value, view.dtype())) {
    backend::materialise(*block);
  }
}

const Block* Trace::failed_operand(const Operation& operation) const {
  for (const ops::View& input : operation.inputs) {
    const Block* const block = block_of(input);
    if (block != nullptr && is_lazy(*block) &&
        !steps_.is_on_device(*lazy_value_of(*block_of(input)), input.dtype()) &&
        block->failure != nullptr) {
      return block;
    }
  }
  return nullptr;
}

void Trace::append_checks(const Operation& operation) {
  if (has_check(operation)) {
    now_.checks.push_back(operation.check);
  }
  if (operation.op.is_control()) {
    const std::vector<ops::Check>& demands = demands_of(operation);
    now_.checks.insert(now_.checks.end(), demands.begin(), demands.end());
  }
}

[[gnu::always_inline]] inline void Trace::make_room_for(const Operation& operation) {
  if (now_.node == TraceTrie::root && steps_.is_large()) [[unlikely]] {
    steps_.clear();
  }
  make_room(now_.lazy_values, operation.outputs.size());
  flush_points_.make_room();
  if (has_demands(operation)) [[unlikely]] {
    make_room(now_.checks, 1 + (operation.op.is_control() ? demands_of(operation).size() : 0));
  }
}

[[gnu::always_inline]] inline void Trace::append_at(TraceTrie::Node node,
                                                    const Operation& operation) {
  if (steps_.is_checked(node)) [[unlikely]] {
    append_checks(operation);
  }
  for (const ops::View& output : operation.outputs) {
    Block& block = *block_of(output);
    LazyValue& lazy_value = lazy_value_in(block);
    lazy_value.producer.store(this, std::memory_order_relaxed);
    lazy_value.result = static_cast<std::uint32_t>(now_.lazy_values.size());
    lazy_value.dtype = output.dtype();
    now_.lazy_values.push_back(Buffer::of_own(block));
  }
  now_.node = node;
  // Under the lock, and read without it.
  recorded_count_.store(recorded_count_.load(std::memory_order_relaxed) + 1,
                        std::memory_order_relaxed);
}

void Trace::record(const Operation& operation) {
  if (modes_.load(std::memory_order_relaxed) != 0) [[unlikely]] {
    record_in_mode(operation);
    return;
  }
  std::unique_lock lock(mutex_);
  make_room_for(operation);
  const TraceTrie::Node node = steps_.known(now_.node, operation, now_.given);
  if (node == TraceTrie::root) [[unlikely]] {
    lock.release();
    record_unknown(operation, true);
    return;
  }
  append_at(node, operation);
  if (flush_points_.add(steps_.signature(node), steps_.hash(node))) [[unlikely]] {
    lock.release();
    run_and_unlock();
  }
}

void Trace::record_in_mode(const Operation& operation) {
  if (staging_) {
    record_staged(operation);
    return;
  }
  const Origin origin = Origin::here(operation.check.site.where);
  mutex_.lock();
  record_unknown(operation, false, &origin);
}

void Trace::record_again(const Operation& operation) {
  if (staging_ || !are_nans_debugged()) {
    record(operation);
    return;
  }
  const std::source_location& where = operation.check.site.where;
  const Origin origin{is_users(where) ? where : std::source_location(), std::nullopt};
  mutex_.lock();
  record_unknown(operation, false, &origin);
}

void Trace::run_and_unlock() noexcept {
  Left left;
  const std::unique_lock lock(mutex_, std::adopt_lock);
  left = run();
}

void Trace::record_unknown(const Operation& operation, bool is_new, const Origin* origin) {
  std::array<Left, 2> left;
  std::unique_lock lock(mutex_, std::adopt_lock);
  const ddx::detail::SharedUseInside use;
  if (breaks_off(operation)) {
    return;
  }
  if (!std::ranges::all_of(operation.inputs,
                           [this](const ops::View& view) { return steps_.is_ready(view); })) {
    is_new = false;  // It was not looked for.
    lock.unlock();
    for (const ops::View& input : operation.inputs) {
      settle(input);
    }
    lock.lock();
    const auto other = std::ranges::find_if(operation.inputs, has_other_dtype);
    if (other != operation.inputs.end()) {
      // There is no operation that sees bytes as another type.
      if (staging_) {
        left[0].contents = give_up(block_of(*other));
      } else {
        left[0] = run();
        throw_if_any(left[0].lack);
      }
    }
    if (breaks_off(operation)) {
      return;
    }
    if (const Block* const failed = failed_operand(operation)) {
      for (const ops::View& output : operation.outputs) {
        set_error(*block_of(output), *failed);
      }
      return;
    }
  }
  if (operation.key) {
    const Device device = executor_.device();
    const Cell& cell = backend_of(device).kernels().at(operation.op.row(), *operation.key);
    if (cell.kernel() == nullptr) {
      throw_unsupported(to_string(device), operation.op.row(), *operation.key, cell);
    }
  }
  make_room_for(operation);
  if (origin != nullptr) {
    make_room(called_, 1);
  }
  TraceTrie::Node node = is_new ? TraceTrie::root : steps_.known(now_.node, operation, now_.given);
  if (node == TraceTrie::root) {
    node = steps_.add(now_.node, operation, now_.given);
  }
  if (origin != nullptr) {
    called_.push_back({static_cast<std::uint32_t>(now_.lazy_values.size()), *origin});
  }
  append_at(node, operation);
  // What is staged ends where the function does.
  if (!staging_ && flush_points_.add(steps_.signature(node), steps_.hash(node))) {
    left[1] = run();
  }
}

ir::Graph Trace::recorded(std::span<const ops::View> arrays) {
  for (const ops::View& array : arrays) {
    settle(array);
    if (const Block* const block = block_of(array);
        block != nullptr && is_lazy(*block) && block->failure != nullptr) {
      await_elements(*block);  // Throws it.
    }
  }
  Left left;
  const std::scoped_lock lock(mutex_);
  const auto other = std::ranges::find_if(arrays, has_other_dtype);
  if (other != arrays.end() && staging_) {
    left.contents = give_up(block_of(*other));
  } else if (other != arrays.end()) {
    left = run();
    throw_if_any(left.lack);
  }
  if (staging_ && staging_->failure != nullptr) {
    std::rethrow_exception(staging_->failure);
  }
  TraceTrie::Recorded recorded =
      steps_.graph_of(now_.node, staging_ ? staging_->placeholders : std::vector<ir::Type>());
  std::vector<ir::ValueId> results;
  for (const ops::View& array : arrays) {
    results.push_back(value_of(array, recorded, nullptr));
  }
  return ir::subgraph(recorded.graph, results);
}

ir::ValueId Trace::value_of(const ops::View& array, TraceTrie::Recorded& recorded,
                            std::vector<TraceInputs::Array>* others) const {
  const ir::Type type{array.shape(), array.dtype()};
  const auto known = std::ranges::find_if(now_.given.arrays, [&](const TraceInputs::Array& one) {
    return one.buffer.block() == block_of(array) && one.dtype == type.dtype;
  });
  ir::ValueId value{};
  if (is_awaited(array) && !lazy_value_of(*block_of(array))->is_array()) {
    value = recorded.results[lazy_value_of(*block_of(array))->result];
  } else if (known != now_.given.arrays.end()) {
    value = recorded.parameters[static_cast<std::size_t>(known - now_.given.arrays.begin())];
  } else if (block_of(array) == nullptr) {
    const ops::Literal number = visit(
        array.dtype(), [&](auto zero) { return ops::literal(*array.data<decltype(zero)>()); });
    value = recorded.graph.add_node(ops::Op::full, {}, ops::FullAttributes{number}, type);
  } else {
    value = recorded.graph.add_parameter(type);
    if (others != nullptr) {
      others->push_back({Buffer(*block_of(array)), type.dtype});
    }
  }
  if (recorded.graph.type(value) != type) {
    value = recorded.graph.add_node(ops::Op::reshape, {value}, ops::NoAttributes{}, type);
  }
  return value;
}

void Trace::flush() noexcept {
  Left left;
  const std::scoped_lock lock(mutex_);
  if (!staging_) {
    left = run();
  }
}

void Trace::materialise(Block& block) {
  Left left;
  const std::scoped_lock lock(mutex_);
  if (!is_lazy(block) || lazy_value_of(block)->producer != this || block.failure != nullptr) {
    return;
  }
  if (staging_) {
    left.contents = give_up(&block);
    return;
  }
  left = run();
  if (is_lazy(block) && block.failure == nullptr) {
    throw_if_any(left.lack);
  }
}

}  // namespace ddx::backend::lazy
