// How a trace runs what it has recorded, and what waits for memory.

#include "ddx/backend/buffer.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/ir/graph.h"

#include "backend/graph_run.h"
#include "backend/lazy/cpu_executor.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/plan.h"
#include "backend/lazy/spans.h"
#include "backend/lazy/trace.h"
#include "backend/lazy/trace_inputs.h"
#include "backend/lazy_value.h"
#include "backend/non_finite.h"
#include "core/call_stack/origin.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {
namespace {

constinit std::atomic<std::uint64_t> run_graphs{0};

}  // namespace

std::uint64_t Trace::run_count() noexcept {
  return run_graphs.load(std::memory_order_relaxed);
}

std::unique_ptr<Trace::Run> Trace::take_spare_run() {
  return spare_run_ != nullptr ? std::move(spare_run_) : std::make_unique<Run>();
}

bool Trace::Run::makes(const Block& block) const noexcept {
  return std::ranges::any_of(
      contents.lazy_values, [&](const Buffer& lazy_value) { return lazy_value.block() == &block; });
}

bool Trace::Run::is_needed() const noexcept {
  return std::ranges::any_of(contents.lazy_values, [](const Buffer& lazy_value) {
    return lazy_value.owners() > 1 && is_lazy(*lazy_value.block()) &&
           lazy_value.block()->failure == nullptr;
  });
}

Trace::Left Trace::run() noexcept {
  const ddx::detail::SharedUseInside use;
  Left left;
  left.runs = take_unneeded();
  std::unique_ptr<Run> next;
  std::vector<std::uint32_t> kept;
  try {
    next = take_spare_run();
    for (std::size_t i = 0; i < now_.lazy_values.size(); ++i) {
      if (now_.lazy_values[i].owners() > 1) {
        kept.push_back(static_cast<std::uint32_t>(i));
      }
    }
  } catch (...) {
    left.lack = std::current_exception();
    return left;
  }
  next->contents = std::exchange(now_, {});
  std::vector<Called> called = std::exchange(called_, {});
  flush_points_.begin();
  try {
    // The next turn of a loop has as many.
    now_.lazy_values.reserve(next->contents.lazy_values.size());
    now_.given.scalars.reserve(next->contents.given.scalars.size());
    const FlushSpan span(next->contents.lazy_values.size());
    if (!kept.empty()) {
      left.lack = run(*next, called, kept);
    }
  } catch (...) {
    left.lack = std::current_exception();
  }
  if (left.lack == nullptr) {
    left.contents = std::move(next->contents);
    spare_run_ = std::move(next);
  } else if (next->resumable != nullptr) {
    let_wait(std::move(next));
  } else if (ddx::detail::is_lack_of_memory(left.lack)) {
    take_back(*next, std::move(called));
  } else {
    for (const Buffer& lazy_value : next->contents.lazy_values) {
      Block& block = *lazy_value.block();
      if (is_lazy(block) && lazy_value_of(block)->producer == this && block.failure == nullptr) {
        set_error(block, left.lack);
      }
    }
    left.contents = std::move(next->contents);
  }
  return left;
}

std::exception_ptr Trace::run(Run& run, std::span<const Called> called,
                              std::span<const std::uint32_t> kept) {
  run_graphs.fetch_add(1, std::memory_order_relaxed);
  Contents& contents = run.contents;
  std::vector<Block*>& results = run.results;
  results.clear();
  for (const std::uint32_t i : kept) {
    results.push_back(contents.lazy_values[i].block());
  }
  if (are_nans_debugged()) {
    run_debugged(contents, called, kept, results);
    return nullptr;
  }
  const auto plan = steps_.plan_of(contents.node, kept, executor_);
  run.resumable = executor_.begin(plan, contents.given, contents.checks, results);
  if (run.resumable != nullptr) {
    std::exception_ptr lack = run.resumable->go_on();
    if (lack == nullptr) {
      run.resumable = nullptr;
    }
    return lack;
  }
  try {
    executor_.run(*plan, contents.given, contents.checks, results);
  } catch (...) {
    // It may have taken what it was given.
    for (Block* const block : results) {
      if (is_lazy(*block) && lazy_value_of(*block)->producer == this && block->failure == nullptr) {
        set_error(*block, std::current_exception());
      }
    }
  }
  return nullptr;
}

void Trace::take_back(Run& run, std::vector<Called> called) noexcept {
  now_ = std::move(run.contents);
  called_ = std::move(called);
}

void Trace::let_wait(std::unique_ptr<Run> run) noexcept {
  for (const Buffer& lazy_value : run->contents.lazy_values) {
    Block& block = *lazy_value.block();
    if (is_lazy(block) && lazy_value_of(block)->producer == this && block.failure == nullptr) {
      lazy_value_of(block)->producer.store(&waiting_, std::memory_order_release);
    }
  }
  run->next = std::move(waiting_runs_);
  waiting_runs_ = std::move(run);
}

void Trace::go_on(Block& block) {
  std::unique_ptr<Run> done;
  const std::scoped_lock lock(mutex_);
  const ddx::detail::SharedUseInside use;
  for (std::unique_ptr<Run>* place = &waiting_runs_; *place != nullptr; place = &(*place)->next) {
    if (!(*place)->makes(block)) {
      continue;
    }
    const std::exception_ptr lack = (*place)->resumable->go_on();
    if (lack == nullptr) {
      done = std::move(*place);
      *place = std::move(done->next);
    } else if (is_lazy(block) && block.failure == nullptr) {
      std::rethrow_exception(lack);
    }
    return;
  }
}

std::unique_ptr<Trace::Run> Trace::take_unneeded() noexcept {
  std::unique_ptr<Run> taken;
  for (std::unique_ptr<Run>* place = &waiting_runs_; *place != nullptr;) {
    if ((*place)->is_needed()) {
      place = &(*place)->next;
      continue;
    }
    std::unique_ptr<Run> run = std::move(*place);
    *place = std::move(run->next);
    run->next = std::move(taken);
    taken = std::move(run);
  }
  return taken;
}

void Trace::run_debugged(Contents& done, std::span<const Called> called,
                         std::span<const std::uint32_t> kept,
                         std::span<Block* const> results) const {
  auto [graph, values, parameters] = steps_.graph_of(done.node);
  std::vector<ir::ValueId> wanted;
  for (const std::uint32_t i : kept) {
    wanted.push_back(values[i]);
  }
  graph.set_results(std::move(wanted));
  std::vector<const Origin*> origins(graph.node_count());
  for (const Called& one : called) {
    origins[*graph.producer(values[one.first_result])] = &one.origin;
  }
  for (const TraceInputs::Array& array : done.given.arrays) {
    array.buffer.await_elements();
  }
  run_plan(Plan(graph, Plan::AsRecorded{}), done.given, done.checks, results, origins);
}

}  // namespace ddx::backend::lazy
