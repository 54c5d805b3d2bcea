#include "backend/lazy/plan_run.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/backend/span_recording.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"

#include "backend/graph_run.h"
#include "backend/lazy/plan.h"
#include "backend/lazy/spans.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <span>

namespace ddx::backend::lazy {

PlanRun::PlanRun(const Plan& plan, const Arguments& arguments, const Backend& backend,
                 Origins origins)
    : plan_(plan),
      arguments_(arguments),
      cost_(plan.cost_),
      run_(plan.graph_, arguments_, backend, region_runner(), origins, plan.has_groups_) {}

RegionRunner PlanRun::region_runner() {
  if (plan_.regions_.empty()) {
    return nullptr;
  }
  return [this](ir::RegionId region, const Arguments& given, std::span<Buffer> own) {
    return plan_.regions_[static_cast<std::size_t>(region)]->run_as_region(given, run_.backend(),
                                                                           own, cost_);
  };
}

bool PlanRun::is_left(std::size_t number, const std::exception_ptr& error) noexcept {
  if (!has_begun_) {
    return true;
  }
  bool is_left = false;
  for (const std::size_t node : plan_.nodes_of(plan_.steps_[number])) {
    is_left = run_.start_again(plan_.graph_.node(node), error) || is_left;
  }
  return is_left;
}

void PlanRun::run_step(std::size_t number, const std::shared_ptr<const KernelInfo>& kernel) {
  const std::span<const std::size_t> nodes = plan_.nodes_of(plan_.steps_[number]);
  const auto stop = [&](const std::exception_ptr& error) {
    for (const std::size_t node : nodes) {
      run_.stop(plan_.graph_.node(node), error);
    }
  };
  if (run_.stopping_error() != nullptr && std::ranges::any_of(nodes, [this](std::size_t node) {
        return run_.has_stopped_operand(plan_.graph_.node(node));
      })) {
    stop(run_.stopping_error());
    return;
  }
  try {
    if (kernel == nullptr) {
      plan_.run_step(number, run_);
    } else {
      const ScopedSpan launch(SpanKind::Kernel, kernel->operation_count, kernel);
      plan_.run_step(number, run_);
    }
  } catch (const std::bad_alloc&) {
    stop(std::current_exception());
  } catch (const EnvironmentError&) {
    stop(std::current_exception());
  } catch (...) {
    for (const std::size_t node : nodes) {
      run_.fail(plan_.graph_.node(node), std::current_exception());
    }
  }
}

void PlanRun::go_on() {
  const auto* const kernels = are_spans_recorded() ? &plan_.kernels() : nullptr;
  const std::exception_ptr error = run_.resume();
  for (std::size_t i = 0; i < plan_.steps_.size(); ++i) {
    if (is_left(i, error)) {
      run_step(i, kernels == nullptr ? nullptr : (*kernels)[i]);
    }
  }
  has_begun_ = true;
}

bool PlanRun::is_stopped(std::size_t result) const noexcept {
  return run_.is_stopped(plan_.graph_.results()[result]);
}

Outcome PlanRun::outcome(std::size_t result) const {
  return run_.outcome(plan_.graph_.results()[result]);
}

}  // namespace ddx::backend::lazy
