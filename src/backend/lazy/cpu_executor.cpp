#include "backend/lazy/cpu_executor.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/core/device.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include "backend/graph_run.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/given.h"
#include "backend/lazy/plan.h"
#include "backend/lazy/plan_cache.h"
#include "backend/promise.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {

std::vector<Buffer> take_donated(Given& given, const Plan& plan) {
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
    Promise* const kept = promise_of(*array.block());
    donated[i] = std::move(kept == nullptr ? array : kept->elements);
  }
  return donated;
}

void run_plan(const Plan& plan, Given& given, std::span<const ops::Check> checks,
              std::span<Block* const> results, Origins origins) {
  std::vector<ops::View> parameters;
  for (std::size_t i = 0; i < given.arrays.size(); ++i) {
    const ir::Type& type = plan.recorded().type(plan.recorded().parameters()[i]);
    parameters.emplace_back(given.arrays[i].buffer.data(), type.shape, type.dtype);
  }
  std::vector<Buffer> donated = take_donated(given, plan);
  const auto outcomes =
      plan.run({parameters, given.scalars, checks}, backend_of(Device::lazy()), donated, origins);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto [is_parameter, place] = plan.sources()[i];
    if (is_parameter) {
      keep_promise(*results[i], given.arrays[place].buffer);
    } else if (outcomes[place].error != nullptr) {
      break_promise(*results[i], outcomes[place].error);
    } else {
      keep_promise(*results[i], outcomes[place].elements);
    }
  }
}

namespace {

class CpuExecutor final : public Executor {
 public:
  CpuExecutor() noexcept : Executor(Device::lazy(), nullptr) {}

  std::shared_ptr<const PreparedGraph> prepare(const ir::Graph& recorded) const override {
    return std::make_shared<const Plan>(recorded);
  }

  void run(const PreparedGraph& graph, Given& given, std::span<const ops::Check> checks,
           std::span<Block* const> results) const override {
    run_plan(static_cast<const Plan&>(graph), given, checks, results);
  }
};

}  // namespace

const Executor& cpu_executor() {
  static const CpuExecutor executor;
  return executor;
}

std::shared_ptr<const Plan> cpu_plan_of(const ir::Graph& recorded) {
  return std::static_pointer_cast<const Plan>(
      PlanCache::instance().plan_of(recorded, cpu_executor()));
}

}  // namespace ddx::backend::lazy
