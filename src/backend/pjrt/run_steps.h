/// \file
/// The steps of a run that are the same on one device and on a mesh.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/check.h"

#include "backend/lazy/trace_inputs.h"
#include "backend/lazy_value.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/kept_array.h"
#include "backend/pjrt/memory_report.h"
#include "backend/pjrt/planned_program.h"
#include "backend/pjrt/started_run.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace ddx::backend::pjrt {

/// The arrays of a run on its devices, and what made those whose errors are not known.
template <class Elements>
struct Parameters {
  std::vector<std::shared_ptr<const Elements>> elements;
  std::vector<StartedRun::Source> sources;
};

/// Keeps those parameters from being donated that are results.
void spare_results(const PlannedProgram& program, std::vector<bool>& donatable);

/// Notes what has made a parameter, where it may still turn out to have failed.
void add_source(std::vector<StartedRun::Source>& sources, std::size_t parameter,
                const KeptArray& array);

/// A program of this reshapes an array.
[[nodiscard]] ir::Graph reshape_graph(const Shape& from, const ir::Type& to);
/// Throws:  EnvironmentError that the plugin cannot do that.
[[noreturn]] void throw_no_reshape(const Shape& from, const Shape& to);

/// What a program has been started with, for callers that ask for its errors: `flags` are what it
/// says of its checks. Null where nothing can be wrong.
[[nodiscard]] std::shared_ptr<StartedRun> started_run(const PlannedProgram& program,
                                                      std::optional<DeviceBuffer> flags,
                                                      std::vector<StartedRun::Source> sources,
                                                      const lazy::TraceInputs& given,
                                                      std::span<const ops::Check> checks,
                                                      const std::vector<bool>& donated);

/// Runs a recorded graph by the kernels of the host.
void run_on_host(const ir::Graph& recorded, lazy::TraceInputs& given,
                 std::span<const ops::Check> checks, std::span<Block* const> results);

/// Sets the results of a run: `made` are those of the program.
template <class Elements>
void set_values(const PlannedProgram& program, const lazy::TraceInputs& given,
                const Parameters<Elements>& parameters,
                const std::vector<std::shared_ptr<const Elements>>& made,
                const std::shared_ptr<StartedRun>& run,
                const std::shared_ptr<const MemoryReport>& report, ResidencyOf<Elements>& residency,
                std::span<Block* const> results) {
  const ir::Graph& graph = *program.graph();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto [is_parameter, place] = program.sources()[i];
    if (!is_parameter) {
      set_value_on_device(
          *results[i], residency,
          std::make_unique<const ArrayOf<Elements>>(
              made[place], graph.type(graph.results()[place]).shape, run, place, report));
    } else if (const auto* const array = residency.array_of(*given.arrays[place].buffer.block())) {
      set_value_on_device(
          *results[i], residency,
          std::make_unique<const ArrayOf<Elements>>(
              parameters.elements[place], graph.type(graph.parameters()[place]).shape, array->run(),
              array->result(), array->report()));
    } else {
      set_value(*results[i], given.arrays[place].buffer);
    }
  }
}

/// The executors of one kind, each made when it is asked for first. Never destroyed: traces live
/// for ever.
template <class Executor>
class Executors {
 public:
  static Executors& instance() {
    static auto* const executors = new Executors;
    return *executors;
  }
  /// That of a device, made from `what` where there is none.
  template <class What>
  const Executor& of(Device device, const What& what) {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find_if(
        all_, [&](const auto& executor) { return executor->device() == device; });
    if (known != all_.end()) {
      return **known;
    }
    all_.push_back(std::make_unique<const Executor>(what));
    return *all_.back();
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<const Executor>> all_;
};

}  // namespace ddx::backend::pjrt
