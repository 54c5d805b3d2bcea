// How a trace records what a staged function does.

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/lazy/flush_points.h"
#include "backend/lazy/trace.h"
#include "backend/lazy_value.h"
#include "core/call_stack/called_at.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {

void Trace::record_staged(const Operation& operation) {
  if (std::ranges::any_of(operation.inputs,
                          [this](const ops::View& view) { return is_from_around(view); })) {
    const std::vector<ops::View> inputs = with_own(operation.inputs);
    record({operation.op, std::span<const ops::View>(inputs), operation.outputs,
            operation.attributes, operation.check, operation.key});
    return;
  }
  mutex_.lock();
  record_unknown(operation, false);
}

bool Trace::breaks_off(const Operation& operation) const {
  if (!staging_ || staging_->failure == nullptr) {
    return false;
  }
  for (const ops::View& output : operation.outputs) {
    set_error(*block_of(output), staging_->failure);
  }
  return true;
}

bool Trace::is_from_around(const ops::View& view) const {
  const Block* const block = block_of(view);
  if (block == nullptr || !is_lazy(*block) || block->failure != nullptr) {
    return false;
  }
  const LazyValue& lazy_value = *lazy_value_of(*block_of(view));
  return lazy_value.dtype == view.dtype() &&
         std::ranges::find(staging_->around, lazy_value.producer.load()) != staging_->around.end();
}

std::vector<ops::View> Trace::with_own(std::span<const ops::View> views) {
  std::vector<ops::View> own;
  for (const ops::View& view : views) {
    if (is_from_around(view)) {
      own.emplace_back(nullptr, view.shape(), view.dtype(), take_in(view));
    } else {
      own.push_back(view);
    }
  }
  return own;
}

Block* Trace::take_in(const ops::View& view) {
  const auto known = std::ranges::find_if(staging_->taken_in, [&](const Staging::TakenIn& one) {
    return one.theirs.block() == block_of(view);
  });
  if (known != staging_->taken_in.end()) {
    return known->here.block();
  }
  // The captured array becomes a parameter of the graph, after the placeholders. An operation of
  // its own introduces it, so its index is that of the next array.
  const Buffer parameter = Buffer::lazy();
  Staging::TakenIn taken{Buffer(*block_of(view)), Buffer::lazy(), 0};
  {
    const std::scoped_lock lock(mutex_);
    taken.array = now_.given.arrays.size();
    LazyValue& lazy_value = *lazy_value_of(*parameter.block());
    lazy_value.producer.store(this, std::memory_order_relaxed);
    lazy_value.result = LazyValue::first_placeholder + static_cast<std::uint32_t>(taken.array);
    lazy_value.dtype = view.dtype();
    now_.given.arrays.push_back({parameter, view.dtype()});
  }
  const ops::View input(nullptr, view.shape(), view.dtype(), parameter.block());
  const ops::View output(nullptr, view.shape(), view.dtype(), taken.here.block());
  const ops::NoAttributes nothing;
  try {
    record({ops::Op::reshape,
            std::span<const ops::View>(&input, 1),
            std::span<const ops::View>(&output, 1),
            &nothing,
            {},
            {}});
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    now_.given.arrays.resize(taken.array);
    throw;
  }
  staging_->taken_in.push_back(std::move(taken));
  return staging_->taken_in.back().here.block();
}

std::vector<Buffer> Trace::begin_staging(std::string operation,
                                         std::span<const ir::Type> placeholders,
                                         const Trace& around) {
  const std::scoped_lock lock(mutex_);
  std::vector<Buffer> buffers;
  for (const ir::Type& type : placeholders) {
    buffers.push_back(Buffer::lazy());
    LazyValue& lazy_value = *lazy_value_of(*buffers.back().block());
    lazy_value.producer.store(this, std::memory_order_relaxed);
    lazy_value.result =
        LazyValue::first_placeholder + static_cast<std::uint32_t>(now_.given.arrays.size());
    lazy_value.dtype = type.dtype;
    now_.given.arrays.push_back({buffers.back(), type.dtype});
  }
  staging_ = {std::move(operation), {placeholders.begin(), placeholders.end()}, {}, {}, nullptr};
  if (around.staging_) {
    staging_->around = around.staging_->around;
  }
  staging_->around.push_back(&around);
  set_mode(Mode::Staged, true);
  return buffers;
}

StagedGraph Trace::staged(std::span<const ops::View> returned) {
  const std::vector<ops::View> arrays = with_own(returned);
  for (const ops::View& array : arrays) {
    settle(array);
    if (has_other_dtype(array)) {
      materialise(*block_of(array));
    }
    if (const Block* const block = block_of(array);
        block != nullptr && is_lazy(*block) && block->failure != nullptr) {
      await_elements(*block);  // Throws it.
    }
  }
  const std::scoped_lock lock(mutex_);
  if (staging_->failure != nullptr) {
    std::rethrow_exception(staging_->failure);
  }
  TraceTrie::Recorded recorded = steps_.graph_of(now_.node, staging_->placeholders);
  StagedGraph staged;
  std::vector<ir::ValueId> results;
  std::vector<TraceInputs::Array> others;
  for (const ops::View& array : arrays) {
    results.push_back(value_of(array, recorded, &others));
  }
  recorded.graph.set_results(std::move(results));
  staged.graph = std::move(recorded.graph);
  staged.argument_count = staging_->placeholders.size();
  for (std::size_t i = staged.argument_count; i < now_.given.arrays.size(); ++i) {
    staged.captured.push_back(now_.given.arrays[i].buffer);
  }
  for (const Staging::TakenIn& taken : staging_->taken_in) {
    staged.captured[taken.array - staged.argument_count] = taken.theirs;
  }
  for (TraceInputs::Array& other : others) {
    staged.captured.push_back(std::move(other.buffer));
  }
  staged.scalars = now_.given.scalars;
  staged.checks = now_.checks;
  return staged;
}

void Trace::end_staging() noexcept {
  Contents left;
  const std::scoped_lock lock(mutex_);
  const ddx::detail::SharedUseInside use;
  left = give_up(nullptr);
  staging_.reset();
  set_mode(Mode::Staged, false);
  steps_.clear();
}

std::string Trace::looked_at(const LazyValue& lazy_value) const {
  if (lazy_value.is_placeholder()) {
    return "argument " + std::to_string(lazy_value.result - LazyValue::first_placeholder);
  }
  const TraceTrie::Maker maker = steps_.maker_of(now_.node, lazy_value.result);
  std::string text = "the result of " + std::string(to_string(maker.op));
  if (maker.where.line() != 0) {
    text +=
        std::string(" at ") + maker.where.file_name() + ":" + std::to_string(maker.where.line());
  }
  return text;
}

Trace::Contents Trace::give_up(Block* block) noexcept {
  std::exception_ptr error;
  std::optional<WithoutUserLine> ends;  // At the end of a recording, where nothing has failed yet.
  if (block == nullptr) {
    ends.emplace();
  }
  try {
    error = std::make_exception_ptr(UsageError(
        staging_->operation,
        block == nullptr
            ? "this tensor stood for a value while the function was recorded, and has none after"
            : "the function observes elements of " + looked_at(*lazy_value_of(*block)) +
                  ", which has none while it is recorded"));
  } catch (...) {
    error = std::current_exception();
  }
  staging_->failure = error;
  Contents done = std::exchange(now_, {});
  flush_points_.begin();
  for (const Buffer& lazy_value : done.lazy_values) {
    if (Block& one = *lazy_value.block(); is_lazy(one) && one.failure == nullptr) {
      set_error(one, error);
    }
  }
  for (const TraceInputs::Array& array : done.given.arrays) {
    if (Block& one = *array.buffer.block();
        is_lazy(one) && one.failure == nullptr && lazy_value_of(one)->producer == this) {
      set_error(one, error);
    }
  }
  return done;
}

}  // namespace ddx::backend::lazy
