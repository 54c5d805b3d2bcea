#include "backend/lazy/cpu_executor.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/backend/span_recording.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include "backend/graph_run.h"
#include "backend/lazy/counters.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/plan.h"
#include "backend/lazy/plan_cache.h"
#include "backend/lazy/plan_run.h"
#include "backend/lazy/spans.h"
#include "backend/lazy/trace_inputs.h"
#include "backend/lazy_value.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {

std::vector<Buffer> take_donated(TraceInputs& given, const Plan& plan) {
  std::vector<bool> is_result(given.arrays.size());
  for (const Plan::Source& source : plan.sources()) {
    if (source.is_parameter) {
      is_result[source.place] = true;
    }
  }
  std::vector<Buffer> donated(given.arrays.size());
  for (std::size_t i = 0; i < donated.size(); ++i) {
    Buffer& array = given.arrays[i].buffer;
    // Queued calls of an asynchronous device may still read what no tensor has any more.
    if (is_result[i] || array.owners() > 1 ||
        array.block()->used.load(std::memory_order_relaxed) != 0) {
      continue;
    }
    LazyValue* const kept = lazy_value_of(*array.block());
    donated[i] = std::move(kept == nullptr ? array : kept->elements);
  }
  return donated;
}

namespace {

std::vector<ops::View> parameters_of(const Plan& plan, const TraceInputs& given) {
  std::vector<ops::View> parameters;
  for (std::size_t i = 0; i < given.arrays.size(); ++i) {
    const ir::Type& type = plan.recorded().type(plan.recorded().parameters()[i]);
    parameters.emplace_back(given.arrays[i].buffer.data(), type.shape, type.dtype);
  }
  return parameters;
}

class CpuRun final : public ResumableRun {
 public:
  CpuRun(std::shared_ptr<const Plan> plan, TraceInputs& given, std::span<const ops::Check> checks,
         std::span<Block* const> results, Origins origins = {})
      : plan_(std::move(plan)),
        given_(given),
        results_(results),
        parameters_(parameters_of(*plan_, given)),
        run_(*plan_, {parameters_, given.scalars, checks}, backend_of(Device::lazy()), origins) {
    std::vector<Buffer> donated = take_donated(given, *plan_);
    run_.take(donated);
  }

  std::exception_ptr go_on() noexcept override {
    std::exception_ptr lack;
    try {
      const ScopedSpan span(SpanKind::Run, plan_->recorded().node_count());
      const auto begin = std::chrono::steady_clock::now();
      run_.go_on();
      time_ += std::chrono::steady_clock::now() - begin;
      lack = run_.stopping_error();
    } catch (...) {
      return std::current_exception();
    }
    bool is_waiting = false;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      try {
        is_waiting = !settle(i) || is_waiting;
      } catch (...) {
        lack = std::current_exception();
        is_waiting = true;
      }
    }
    if (is_waiting) {
      return lack;
    }
    Counters::instance().count_run(run_.cost(), time_);
    return nullptr;
  }

 private:
  /// Sets a result or its error. Returns whether it does not have to wait.
  bool settle(std::size_t number) {
    Block& block = *results_[number];
    if (!is_lazy(block) || block.failure != nullptr) {
      return true;
    }
    const auto [is_parameter, place] = plan_->sources()[number];
    if (is_parameter) {
      set_value(block, given_.arrays[place].buffer);
      return true;
    }
    if (run_.is_stopped(place)) {
      return false;
    }
    const Outcome outcome = run_.outcome(place);
    if (outcome.error != nullptr) {
      set_error(block, outcome.error);
    } else {
      set_value(block, outcome.elements);
    }
    return true;
  }

  std::shared_ptr<const Plan> plan_;
  TraceInputs& given_;
  std::span<Block* const> results_;
  std::vector<ops::View> parameters_;
  PlanRun run_;
  std::chrono::steady_clock::duration time_{};
};

class CpuExecutor final : public Executor {
 public:
  CpuExecutor() noexcept : Executor(Device::lazy(), nullptr) {}

  std::shared_ptr<const PreparedGraph> prepare(const ir::Graph& recorded) const override {
    return std::make_shared<const Plan>(recorded);
  }

  std::unique_ptr<ResumableRun> begin(const std::shared_ptr<const PreparedGraph>& graph,
                                      TraceInputs& given, std::span<const ops::Check> checks,
                                      std::span<Block* const> results) const override {
    return std::make_unique<CpuRun>(std::static_pointer_cast<const Plan>(graph), given, checks,
                                    results);
  }

  void run(const PreparedGraph& /*graph*/, TraceInputs& /*given*/,
           std::span<const ops::Check> /*checks*/,
           std::span<Block* const> /*results*/) const override {
    throw InternalError("run", "a run on the processor begins by itself");
  }
};

}  // namespace

void run_plan(const Plan& plan, TraceInputs& given, std::span<const ops::Check> checks,
              std::span<Block* const> results, Origins origins) {
  const std::shared_ptr<const Plan> borrowed(std::shared_ptr<const Plan>(), &plan);
  CpuRun run(borrowed, given, checks, results, origins);
  if (const std::exception_ptr lack = run.go_on()) {
    std::rethrow_exception(lack);
  }
}

const Executor& cpu_executor() {
  static const CpuExecutor executor;
  return executor;
}

std::shared_ptr<const Plan> cpu_plan_of(const ir::Graph& recorded) {
  return std::static_pointer_cast<const Plan>(
      PlanCache::instance().plan_of(recorded, cpu_executor()));
}

}  // namespace ddx::backend::lazy
