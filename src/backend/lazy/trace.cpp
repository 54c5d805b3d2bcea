#include "backend/lazy/trace.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
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

#include "backend/lazy/cut_points.h"
#include "backend/lazy/plan_cache.h"
#include "backend/promise.h"

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
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::backend::lazy {
namespace {

constinit std::atomic<std::uint64_t> recorded_operations{0};
constinit std::atomic<std::uint64_t> run_graphs{0};

/// Traces of threads that have ended, for those that begin. A trace lives for ever, since any
/// thread may hold one of its promises.
class IdleTraces {
 public:
  static IdleTraces& instance() {
    static auto* const traces = new IdleTraces;
    return *traces;
  }
  Trace* take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) {
      return new Trace;
    }
    Trace* const trace = idle_.back();
    idle_.pop_back();
    return trace;
  }
  void give_back(Trace* trace) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(trace);
  }

 private:
  std::mutex mutex_;
  std::vector<Trace*> idle_;
};

/// The trace of a thread, from its first operation to its end.
class Holder {
 public:
  Holder() : trace_(IdleTraces::instance().take()) {}
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() {
    has_ended() = true;
    trace_->cut();
    IdleTraces::instance().give_back(trace_);
  }

  static Trace& trace() {
    if (has_ended()) {
      // Of the destructors of static tensors, on whatever thread.
      static auto* const late = new Trace;
      return *late;
    }
    static thread_local const Holder holder;
    return *holder.trace_;
  }

 private:
  static bool& has_ended() noexcept {
    static thread_local constinit bool value = false;
    return value;
  }

  Trace* trace_;
};

/// Whether rewrites can make use of a number, so that it is worth a graph of its own.
bool is_baked(double value) {
  constexpr std::array<double, 5> numbers{0, 1, -1, 2, 0.5};
  return std::ranges::any_of(numbers, [value](double number) {
    return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(number);
  });
}

/// The scalar that a run-time field stands for; none where its value is worth baking.
std::optional<ir::ScalarValue> scalar_of(const ops::Literal& field) {
  const bool plain = std::bit_cast<std::uint64_t>(field.imaginary) == 0 && is_baked(field.real) &&
                     (field.integer == 0 || static_cast<double>(field.integer) == field.real);
  return plain ? std::nullopt : std::optional<ir::ScalarValue>(field);
}
std::optional<ir::ScalarValue> scalar_of(double field) {
  return is_baked(field) ? std::nullopt
                         : std::optional<ir::ScalarValue>(ops::Literal{.real = field});
}
std::optional<ir::ScalarValue> scalar_of(const RandomKey& field) {
  return field;
}

/// The element of a view without a block.
ops::Literal literal_of(const ops::View& view) {
  return visit(view.dtype(), [&](auto zero) { return ops::literal(*view.data<decltype(zero)>()); });
}

/// Returns when no other trace, and no call of an asynchronous device, is about to make an operand.
void settle(const Promiser& trace, const ops::View& view) {
  Block* const block = block_of(view);
  if (block == nullptr || block->written.load(std::memory_order_acquire) == 0) {
    return;
  }
  if (!is_promised(*block)) {
    await_elements(*block);
  } else if (promise_of(*block)->promiser != &trace) {
    fulfil(*block);
  }
}

/// A number that is equal for what one line of a loop does in each turn.
std::uint64_t signature_of(const Operation& operation) {
  auto signature = static_cast<std::uint64_t>(operation.op);
  for (const ops::View& output : operation.outputs) {
    signature = mixed(signature, static_cast<std::uint64_t>(output.dtype()));
    for (const Shape::Extent extent : output.shape().extents()) {
      signature = mixed(signature, static_cast<std::uint64_t>(extent));
    }
  }
  return signature;
}

/// Whether an operand has been promised, and the promise is still to be kept.
bool is_awaited(const ops::View& view) {
  const Block* const block = block_of(view);
  return block != nullptr && is_promised(*block) && block->failure == nullptr;
}

}  // namespace

Trace& Trace::of_this_thread() {
  return Holder::trace();
}

void Trace::record(const Operation& operation) {
  for (const ops::View& input : operation.inputs) {
    settle(*this, input);
  }
  std::vector<Contents> left;
  const std::scoped_lock lock(mutex_);
  if (std::ranges::any_of(operation.inputs,
                          [this](const ops::View& view) { return has_other_dtype(view); })) {
    left.push_back(run());  // There is no operation that sees bytes as another type.
  }
  append(operation);
  const bool repeats = cut_points_.add(signature_of(operation));
  if (cut_points_.count() == most_operations) {
    cut_points_.learn();
  }
  if (repeats || cut_points_.count() == most_operations) {
    left.push_back(run());
  }
}

bool Trace::has_other_dtype(const ops::View& view) const {
  return is_awaited(view) &&
         now_.graph.type(promise_of(*block_of(view))->value).dtype != view.dtype();
}

ir::Graph Trace::recorded(std::span<const ops::View> arrays) {
  for (const ops::View& array : arrays) {
    settle(*this, array);
    if (const Block* const block = block_of(array);
        block != nullptr && is_promised(*block) && block->failure != nullptr) {
      await_elements(*block);  // Throws it.
    }
  }
  Contents left;
  const std::scoped_lock lock(mutex_);
  if (std::ranges::any_of(arrays,
                          [this](const ops::View& view) { return has_other_dtype(view); })) {
    left = run();
  }
  ir::Graph graph = now_.graph;
  std::vector<ir::ValueId> results;
  for (const ops::View& array : arrays) {
    const ir::Type type{array.shape(), array.dtype()};
    const auto known = now_.known.find(block_of(array));
    ir::ValueId value{};
    if (is_awaited(array)) {
      value = promise_of(*block_of(array))->value;
    } else if (known != now_.known.end() && graph.type(known->second[0]).dtype == type.dtype) {
      value = known->second[0];
    } else {
      value = graph.add_parameter(type);
    }
    if (graph.type(value) != type) {
      value = graph.add_node(ops::Op::reshape, {value}, ops::NoAttributes{}, type);
    }
    results.push_back(value);
  }
  return ir::subgraph(graph, results);
}

void Trace::cut() noexcept {
  Contents left;
  const std::scoped_lock lock(mutex_);
  left = run();
}

void Trace::fulfil(Block& block) noexcept {
  Contents left;
  const std::scoped_lock lock(mutex_);
  if (is_promised(block) && block.failure == nullptr) {
    left = run();
  }
}

Trace::Contents Trace::run() noexcept {
  Contents done = std::exchange(now_, {});
  cut_points_.begin();
  std::vector<Made*> kept;
  try {
    std::vector<ir::ValueId> results;
    for (Made& each : done.made) {
      if (each.promise.owners() > 1) {
        kept.push_back(&each);
        results.push_back(each.value);
      }
    }
    if (kept.empty()) {
      return done;
    }
    run_graphs.fetch_add(1, std::memory_order_relaxed);
    done.graph.set_results(std::move(results));
    const auto plan = PlanCache::instance().plan_of(done.graph);
    std::vector<ops::View> parameters;
    for (std::size_t i = 0; i < done.parameters.size(); ++i) {
      const ir::Type& type = done.graph.type(done.graph.parameters()[i]);
      parameters.emplace_back(done.parameters[i].data(), type.shape, type.dtype);
    }
    const auto outcomes =
        plan->run({parameters, done.scalars, done.checks}, backend_of(Device::lazy()));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      Block& block = *kept[i]->promise.block();
      const auto [is_parameter, place] = plan->sources()[i];
      if (is_parameter) {
        keep_promise(block, done.parameters[place]);
      } else if (outcomes[place].error != nullptr) {
        break_promise(block, outcomes[place].error);
      } else {
        keep_promise(block, outcomes[place].elements);
      }
    }
  } catch (...) {
    for (Made& each : done.made) {
      Block& block = *each.promise.block();
      if (is_promised(block) && block.failure == nullptr) {
        break_promise(block, std::current_exception());
      }
    }
  }
  return done;
}

void Trace::append(const Operation& operation) {
  for (const ops::View& input : operation.inputs) {
    if (const Block* const block = block_of(input);
        block != nullptr && is_promised(*block) && block->failure != nullptr) {
      for (const ops::View& output : operation.outputs) {
        break_promise(*block_of(output), *block);
      }
      return;
    }
  }
  std::vector<ir::ValueId> operands;
  for (const ops::View& input : operation.inputs) {
    operands.push_back(operand(input));
  }
  std::vector<ir::Type> results;
  for (const ops::View& output : operation.outputs) {
    results.push_back({output.shape(), output.dtype()});
  }
  ops::Attributes attributes = ops::attributes_from(operation.op, operation.attributes);
  const ir::ScalarFields scalars = scalars_of(attributes);
  ir::CheckId check = ir::unchecked;
  if (operation.check.before != nullptr || operation.check.after != nullptr) {
    now_.checks.push_back(operation.check);
    check = now_.graph.add_checks();
  }
  const ir::ValueId first = now_.graph.add_node(operation.op, operands, attributes, results,
                                                scalars, operation.check.site.where, check);
  for (std::size_t i = 0; i < results.size(); ++i) {
    Block& block = *block_of(operation.outputs[i]);
    Promise& promise = *promise_of(block);
    promise.promiser = this;
    promise.value = static_cast<ir::ValueId>(ir::Graph::index(first) + i);
    now_.made.push_back({Buffer(block), promise.value});
  }
  recorded_operations.fetch_add(1, std::memory_order_relaxed);
}

ir::ValueId Trace::operand(const ops::View& view) {
  Block* const block = block_of(view);
  if (block == nullptr) {
    return number(view);
  }
  return in_shape(is_promised(*block) ? promise_of(*block)->value : parameter(view), view);
}

ir::ValueId Trace::number(const ops::View& view) {
  ops::Attributes attributes = ops::FullAttributes{literal_of(view)};
  const ir::ScalarFields scalars = scalars_of(attributes);
  return now_.graph.add_node(ops::Op::full, {}, attributes, {view.shape(), view.dtype()}, scalars);
}

ir::ValueId Trace::parameter(const ops::View& view) {
  std::vector<ir::ValueId>& values = now_.known[block_of(view)];
  const auto found = std::ranges::find(
      values, view.dtype(), [this](ir::ValueId value) { return now_.graph.type(value).dtype; });
  if (found != values.end()) {
    return *found;
  }
  now_.parameters.emplace_back(*block_of(view));
  values.push_back(now_.graph.add_parameter({view.shape(), view.dtype()}));
  return values.back();
}

ir::ValueId Trace::in_shape(ir::ValueId value, const ops::View& view) {
  if (now_.graph.type(value).shape == view.shape()) {
    return value;
  }
  return now_.graph.add_node(ops::Op::reshape, {value}, ops::NoAttributes{},
                             {view.shape(), view.dtype()});
}

ir::ScalarFields Trace::scalars_of(ops::Attributes& attributes) {
  ir::ScalarFields scalars = ir::all_baked;
  std::visit(
      [&](auto& one) {
        const std::remove_cvref_t<decltype(one)> usual{};
        std::size_t next = 0;
        ops::visit_fields(one, [&](const std::string_view name, auto& field, ops::FieldRole role) {
          using Field = std::remove_cvref_t<decltype(field)>;
          if constexpr (std::is_same_v<Field, ops::Literal> || std::is_same_v<Field, double> ||
                        std::is_same_v<Field, RandomKey>) {
            if (role == ops::FieldRole::Static) {
              return;
            }
            const std::size_t place = next++;
            if (const auto value = scalar_of(field)) {
              constexpr bool key = std::is_same_v<Field, RandomKey>;
              scalars[place] =
                  now_.graph.add_scalar(key ? ir::ScalarKind::Key : ir::ScalarKind::Number);
              now_.scalars.push_back(*value);
              // As by default: graphs are equal where the numbers alone differ.
              ops::visit_fields(
                  usual, [&](const std::string_view other, const auto& by_default, ops::FieldRole) {
                    if constexpr (std::is_same_v<decltype(by_default), const Field&>) {
                      field = other == name ? by_default : field;
                    }
                  });
            }
          }
        });
      },
      attributes);
  return scalars;
}

}  // namespace ddx::backend::lazy

namespace ddx::backend {

void lazy_barrier() noexcept {
  lazy::Trace::of_this_thread().cut();
}

ir::Graph recorded_graph(std::span<const ops::View> arrays) {
  return lazy::Trace::of_this_thread().recorded(arrays);
}

LazyStatistics lazy_statistics() noexcept {
  return {lazy::recorded_operations.load(std::memory_order_relaxed),
          lazy::run_graphs.load(std::memory_order_relaxed), lazy::PlanCache::instance().made()};
}

}  // namespace ddx::backend
