#include "backend/pjrt/run_steps.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/check.h"
#include "ddx/ops/op.h"

#include "backend/lazy/cpu_executor.h"
#include "backend/lazy/trace_inputs.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/planned_program.h"
#include "backend/pjrt/started_run.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {

void spare_results(const PlannedProgram& program, std::vector<bool>& donatable) {
  for (const PlannedProgram::Source& source : program.sources()) {
    if (source.is_parameter) {
      donatable[source.place] = false;
    }
  }
}

void add_source(std::vector<StartedRun::Source>& sources, std::size_t parameter,
                const KeptArray& array) {
  // A run waits for those before it where this many have not reported their outcome.
  constexpr std::size_t most_unsettled = 32;
  const auto& run = array.run();
  if (run == nullptr) {
    return;
  }
  if (run->depth() >= most_unsettled) {
    (void)run->error_of(array.result());
  }
  if (!run->is_settled() || run->error_of(array.result()) != nullptr) {
    sources.push_back({parameter, run, array.result()});
  }
}

ir::Graph reshape_graph(const Shape& from, const ir::Type& to) {
  ir::Graph graph;
  const ir::ValueId x = graph.add_parameter({from, to.dtype});
  graph.set_results({graph.add_node(ops::Op::reshape, {x}, ops::NoAttributes{}, to)});
  return graph;
}

void throw_no_reshape(const Shape& from, const Shape& to) {
  throw EnvironmentError("run by PJRT",
                         "the plugin cannot reshape " + to_string(from) + " to " + to_string(to));
}

std::shared_ptr<StartedRun> started_run(const PlannedProgram& program,
                                        std::optional<DeviceBuffer> flags,
                                        std::vector<StartedRun::Source> sources,
                                        const lazy::TraceInputs& given,
                                        std::span<const ops::Check> checks,
                                        const std::vector<bool>& donated) {
  if (!flags && sources.empty()) {
    return nullptr;
  }
  StartedRun::Evidence evidence;
  if (flags) {
    evidence = {given.arrays, given.scalars, {checks.begin(), checks.end()}};
    for (std::size_t i = 0; i < donated.size(); ++i) {
      if (donated[i] || program.filter_state()[i]) {
        evidence.arrays[i].buffer = Buffer();
      }
    }
  }
  return std::make_shared<StartedRun>(program.graph(), std::move(flags), std::move(evidence),
                                      std::move(sources));
}

void run_on_host(const ir::Graph& recorded, lazy::TraceInputs& given,
                 std::span<const ops::Check> checks, std::span<Block* const> results) {
  for (const lazy::TraceInputs::Array& array : given.arrays) {
    array.buffer.await_elements();
  }
  lazy::cpu_executor().run(*lazy::cpu_plan_of(recorded), given, checks, results);
}

}  // namespace ddx::backend::pjrt
