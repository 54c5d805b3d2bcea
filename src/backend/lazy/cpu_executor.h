/// \file
/// Graphs run on the processors of this machine.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/check.h"

#include "backend/graph_run.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/plan.h"
#include "backend/lazy/trace_inputs.h"

#include <memory>
#include <span>
#include <vector>

namespace ddx::backend::lazy {

/// The executor of Device::lazy(): plans, with the kernels of the cpu device.
[[nodiscard]] const Executor& cpu_executor();

/// The plan by which it runs a graph, from the cache where it is known.
[[nodiscard]] std::shared_ptr<const Plan> cpu_plan_of(const ir::Graph& recorded);

/// Runs a plan as that executor does; `origins` as of Plan::run.
///
/// Throws:  as Executor::run.
void run_plan(const Plan& plan, TraceInputs& given, std::span<const ops::Check> checks,
              std::span<Block* const> results, Origins origins = {});

/// Takes the memory of the arrays that only `given` has, and that are no results.
[[nodiscard]] std::vector<Buffer> take_donated(TraceInputs& given, const Plan& plan);

}  // namespace ddx::backend::lazy
