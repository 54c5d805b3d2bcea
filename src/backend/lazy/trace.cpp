#include "backend/lazy/trace.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/lazy.h"
#include "ddx/backend/staging.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/hash.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ir/subgraph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/literal.h"
#include "ddx/ops/op.h"

#include "backend/lazy/counters.h"
#include "backend/lazy/cpu_executor.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/flush_points.h"
#include "backend/lazy/make_room.h"
#include "backend/lazy/trace_trie_match.h"
#include "backend/lazy_value.h"
#include "backend/non_finite.h"
#include "core/call_stack/called_at.h"
#include "core/call_stack/library_files.h"
#include "core/call_stack/origin.h"
#include "core/detail/thread_object.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::backend::lazy {
namespace {

/// All traces. A trace lives for ever, since any thread may hold one of its lazy values; one of a
/// thread that has ended is for the next that begins.
class Traces {
 public:
  static Traces& instance() noexcept {
    // Never destroyed, and there without an allocation.
    union Kept {
      constexpr Kept() noexcept : traces() {}
      ~Kept() {}
      Traces traces;
    };
    static constinit Kept kept;
    return kept.traces;
  }
  Trace* take(const Executor& executor) {
    const std::scoped_lock lock(mutex_);
    static constinit ddx::detail::ForkHook hook{.is_busy = &is_any_held};
    if (!std::exchange(is_hooked_, true)) {
      ddx::detail::add_fork_hook(hook);
    }
    const auto idle = std::ranges::find_if(
        idle_, [&](const Trace* trace) { return &trace->executor() == &executor; });
    if (idle == idle_.end()) {
      idle_.reserve(all_.size() + 1);  // To give one back takes no memory.
      all_.push_back(std::make_unique<Trace>(executor, are_nans_debugged()));
      return all_.back().get();
    }
    Trace* const trace = *idle;
    idle_.erase(idle);
    return trace;
  }
  void give_back(Trace* trace) noexcept {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(trace);
  }
  void tell_of_debugging() {
    const std::scoped_lock lock(mutex_);
    for (const auto& trace : all_) {
      trace->set_debugged(are_nans_debugged());
    }
  }
  /// The operations that all of them have recorded.
  std::uint64_t recorded_count() {
    const std::scoped_lock lock(mutex_);
    std::uint64_t count = 0;
    for (const auto& trace : all_) {
      count += trace->recorded_count();
    }
    return count;
  }

 private:
  /// Whether another thread records or runs something, which it may do outside of the gate of
  /// forks. Asked when no other thread is inside it.
  static bool is_any_held() noexcept {
    return std::ranges::any_of(instance().all_, [](const std::unique_ptr<Trace>& trace) {
      return trace->is_held() &&
             !(trace->is_of_this_thread() && ddx::detail::is_inside_fork_gate());
    });
  }

  ddx::detail::ForkSafeMutex mutex_;
  bool is_hooked_ = false;
  std::vector<std::unique_ptr<Trace>> all_;
  std::vector<Trace*> idle_;
};

}  // namespace

/// The traces of a thread, from its first operation to its end.
class Holder {
 public:
  Holder() : trace_(Traces::instance().take(cpu_executor())) {}
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() {
    const ddx::detail::SharedUse use;
    Trace::found_ = nullptr;
    flush();
    Traces::instance().give_back(trace_);
    for (Trace* const trace : others_) {
      Traces::instance().give_back(trace);
    }
  }

  static Trace& trace(Device device) {
    if (in_place() != nullptr) {
      return *in_place();
    }
    Holder* const holder = Holders::get();
    if (holder == nullptr) {
      return late(device);
    }
    if (device.kind() == Device::Kind::Lazy) {
      return *(Trace::found_ = holder->trace_);
    }
    return holder->other(device);
  }

  /// All there are: of what stands in for them that alone.
  template <class Visit>
  static void for_each(const Visit& visit) {
    if (in_place() != nullptr) {
      visit(*in_place());
    } else if (Holder* const holder = Holders::current(); holder != nullptr) {
      visit(*holder->trace_);
      for (Trace* const trace : holder->others_) {
        visit(*trace);
      }
    }
  }

  /// What stands in for them; null: nothing.
  static Trace* in_place() noexcept { return in_place_; }
  static void set_in_place(Trace* trace) noexcept {
    in_place_ = trace;
    Trace::found_ = trace;  // Where that is nothing, it is to be found again.
  }

 private:
  using Holders = ddx::detail::ThreadObject<Holder>;

  /// Of what is destroyed after them, when their thread ends.
  static Trace& late(Device device) {
    if (device.kind() == Device::Kind::Lazy) {
      static auto* const trace = Traces::instance().take(cpu_executor());
      return *trace;
    }
    return *Traces::instance().take(executor_of(device));  // The process ends: none is given back.
  }

  /// That of a device of PJRT.
  Trace& other(Device device) {
    const auto found = std::ranges::find_if(
        others_, [&](const Trace* trace) { return trace->executor().device() == device; });
    if (found != others_.end()) {
      return **found;
    }
    others_.reserve(others_.size() + 1);
    others_.push_back(Traces::instance().take(executor_of(device)));
    return *others_.back();
  }
  void flush() {
    trace_->flush();
    for (Trace* const trace : others_) {
      trace->flush();
    }
  }

  static constinit thread_local Trace* in_place_;

  Trace* trace_;
  std::vector<Trace*> others_;
};

constinit thread_local Trace* Holder::in_place_ = nullptr;
constinit thread_local Trace* Trace::found_ = nullptr;

namespace {

/// Whether an operand is lazy and not materialised.
bool is_awaited(const ops::View& view) {
  const Block* const block = block_of(view);
  return block != nullptr && is_lazy(*block) && block->failure == nullptr;
}

/// What the regions of an operation with regions demand of elements.
const std::vector<ops::Check>& demands_of(const Operation& operation) {
  return static_cast<const Regions*>(operation.attributes)->checks;
}

/// Whether an operand is lazy with elements of another type.
bool has_other_dtype(const ops::View& view) {
  return is_awaited(view) && lazy_value_of(*block_of(view))->dtype != view.dtype();
}

void throw_if_any(const std::exception_ptr& error) {
  if (error != nullptr) {
    std::rethrow_exception(error);
  }
}

}  // namespace

Trace& Trace::find(Device device) {
  const ddx::detail::SharedUse use;
  return Holder::trace(device);
}

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

bool Trace::breaks_off(const Operation& operation) const {
  if (!staging_ || staging_->failure == nullptr) {
    return false;
  }
  for (const ops::View& output : operation.outputs) {
    set_error(*block_of(output), staging_->failure);
  }
  return true;
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
  // A parameter, as a placeholder is, and by an operation of its own: so it is the next array.
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

void tell_traces_of_debugging() noexcept {
  Traces::instance().tell_of_debugging();
}

Trace* take_trace(Device device) {
  return Traces::instance().take(executor_of(device));
}

void give_trace_back(Trace* trace) noexcept {
  Traces::instance().give_back(trace);
}

Trace* trace_in_place() noexcept {
  return Holder::in_place();
}

void set_trace_in_place(Trace* trace) noexcept {
  Holder::set_in_place(trace);
}

}  // namespace ddx::backend::lazy

namespace ddx::backend {

void lazy_barrier() noexcept {
  lazy::Holder::for_each([](lazy::Trace& trace) { trace.flush(); });
}

ir::Graph recorded_graph(std::span<const ops::View> arrays) {
  lazy::Trace* recorder = nullptr;
  lazy::Holder::for_each([&](lazy::Trace& trace) {
    if (recorder == nullptr || std::ranges::any_of(arrays, [&](const ops::View& array) {
          const Block* const block = block_of(array);
          return block != nullptr && is_lazy(*block) &&
                 lazy_value_of(*block_of(array))->producer.load() == &trace;
        })) {
      recorder = &trace;
    }
  });
  return (recorder != nullptr ? *recorder : lazy::Holder::trace(Device::lazy())).recorded(arrays);
}

LazyStatistics lazy_statistics() noexcept {
  LazyStatistics statistics = lazy::Counters::instance().statistics();
  statistics.recorded = lazy::Traces::instance().recorded_count();
  statistics.flushes = lazy::Trace::run_count();
  return statistics;
}

}  // namespace ddx::backend
