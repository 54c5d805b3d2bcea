#include "backend/pjrt/executor.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/span_recording.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/check.h"

#include "backend/lazy/counters.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/plan_cache.h"
#include "backend/lazy/spans.h"
#include "backend/lazy/trace_inputs.h"
#include "backend/lazy_value.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/device_residency.h"
#include "backend/pjrt/executable.h"
#include "backend/pjrt/planned_program.h"
#include "backend/pjrt/platform.h"
#include "backend/pjrt/run_steps.h"
#include "backend/pjrt/uploads.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

using OwnedBuffer = std::shared_ptr<const DeviceBuffer>;

class PjrtExecutor final : public lazy::Executor {
 public:
  explicit PjrtExecutor(Device device)
      : Executor(device, &residency_),
        platform_(Platform::of(device.platform())),
        device_(platform_.client()->device(static_cast<std::size_t>(device.ordinal()))),
        uploads_(platform_.client(), device_) {}

  std::shared_ptr<const lazy::PreparedGraph> prepare(const ir::Graph& recorded) const override {
    return std::make_shared<const PlannedProgram>(recorded, platform_.donates_filter_state());
  }

  void run(const lazy::PreparedGraph& graph, lazy::TraceInputs& given,
           std::span<const ops::Check> checks, std::span<Block* const> results) const override;

 private:
  /// Whose memory a run may donate: the array has no other owner, or its elements.
  [[nodiscard]] std::vector<bool> donatable(const PlannedProgram& program,
                                            lazy::TraceInputs& given) const;
  /// Whether only the trace, and an earlier upload, has an array.
  [[nodiscard]] bool is_alone(const Buffer& array) const {
    // Queued calls of an asynchronous device may still read what no tensor has any more.
    return array.owners() == 1 + uploads_.owners_of(*array.block()) &&
           array.block()->used.load(std::memory_order_relaxed) == 0;
  }
  [[nodiscard]] Parameters<DeviceBuffer> parameters(const PlannedProgram& program,
                                                    const lazy::TraceInputs& given,
                                                    const std::vector<bool>& donated) const;
  [[nodiscard]] OwnedBuffer reshaped(const OwnedBuffer& buffer, const Shape& from,
                                     const ir::Type& to) const;
  void run_compiled(const PlannedProgram& program, const PlannedProgram::Compiled& compiled,
                    lazy::TraceInputs& given, const std::vector<bool>& donated,
                    std::span<const ops::Check> checks, std::span<Block* const> results) const;
  mutable DeviceResidency residency_;
  Platform& platform_;
  const DeviceInfo& device_;
  mutable Uploads uploads_;
};

void PjrtExecutor::run(const lazy::PreparedGraph& graph, lazy::TraceInputs& given,
                       std::span<const ops::Check> checks, std::span<Block* const> results) const {
  const auto& program = static_cast<const PlannedProgram&>(graph);
  const lazy::ScopedSpan span(SpanKind::Run, program.recorded().node_count());
  uploads_.drop_unused();
  const std::vector<bool> donated = program.donations(donatable(program, given));
  const auto compiled = program.compiled(platform_, donated, given.scalars);
  if (compiled == nullptr) {
    run_on_host(program.recorded(), given, checks, results);
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  run_compiled(program, *compiled, given, donated, checks, results);
  lazy::Counters::instance().count_run(program.cost(), std::chrono::steady_clock::now() - begin);
}

std::vector<bool> PjrtExecutor::donatable(const PlannedProgram& program,
                                          lazy::TraceInputs& given) const {
  std::vector<bool> donatable(given.arrays.size());
  for (std::size_t i = 0; i < donatable.size(); ++i) {
    if (!is_alone(given.arrays[i].buffer)) {
      continue;
    }
    Block& block = *given.arrays[i].buffer.block();
    const DeviceArray* const array = residency_.array_of(block);
    // What has been observed may be observed still, where it lies.
    donatable[i] =
        array == nullptr ||
        (array->elements().use_count() == 1 &&
         array->shape() == program.graph()->type(program.graph()->parameters()[i]).shape);
  }
  spare_results(program, donatable);
  return donatable;
}

Parameters<DeviceBuffer> PjrtExecutor::parameters(const PlannedProgram& program,
                                                  const lazy::TraceInputs& given,
                                                  const std::vector<bool>& donated) const {
  Parameters<DeviceBuffer> parameters;
  for (std::size_t i = 0; i < given.arrays.size(); ++i) {
    const Buffer& buffer = given.arrays[i].buffer;
    const ir::Type& type = program.graph()->type(program.graph()->parameters()[i]);
    const DeviceArray* const array = residency_.array_of(*buffer.block());
    if (array != nullptr && lazy_value_of(*buffer.block())->dtype == type.dtype) {
      add_source(parameters.sources, i, *array);
      parameters.elements.push_back(array->shape() == type.shape
                                        ? array->elements()
                                        : reshaped(array->elements(), array->shape(), type));
    } else {
      buffer.await_elements();
      parameters.elements.push_back(donated[i] ? uploads_.copied(buffer.data(), type)
                                               : uploads_.of(buffer, type));
    }
  }
  return parameters;
}

OwnedBuffer PjrtExecutor::reshaped(const OwnedBuffer& buffer, const Shape& from,
                                   const ir::Type& to) const {
  const auto program = std::static_pointer_cast<const PlannedProgram>(
      lazy::PlanCache::instance().plan_of(reshape_graph(from, to), *this));
  const auto compiled = program->compiled(platform_, program->donations({false}), {});
  if (compiled == nullptr) {
    throw_no_reshape(from, to.shape);
  }
  const DeviceBuffer* const argument = buffer.get();
  auto results = compiled->report->explaining(
      {}, [&] { return compiled->executable.run(std::span(&argument, 1), device_); });
  return std::make_shared<const DeviceBuffer>(std::move(results[0]));
}

void PjrtExecutor::run_compiled(const PlannedProgram& program,
                                const PlannedProgram::Compiled& compiled, lazy::TraceInputs& given,
                                const std::vector<bool>& donated,
                                std::span<const ops::Check> checks,
                                std::span<Block* const> results) const {
  Parameters<DeviceBuffer> own = parameters(program, given, donated);
  const std::vector<OwnedBuffer> scalars = program.scalars(compiled, given.scalars, uploads_);
  std::vector<const DeviceBuffer*> arguments;
  arguments.reserve(own.elements.size() + scalars.size());
  for (const auto& list : {std::cref(own.elements), std::cref(scalars)}) {
    for (const OwnedBuffer& buffer : list.get()) {
      arguments.push_back(buffer.get());
    }
  }
  std::vector<DeviceBuffer> made = compiled.report->explaining(
      checks, [&] { return compiled.executable.run(arguments, device_); });
  std::vector<OwnedBuffer> owned;
  std::optional<DeviceBuffer> flags;
  for (DeviceBuffer& result : made) {
    if (owned.size() < program.graph()->results().size()) {
      owned.push_back(std::make_shared<const DeviceBuffer>(std::move(result)));
    } else {
      flags.emplace(std::move(result));
    }
  }
  const auto run =
      started_run(program, std::move(flags), std::move(own.sources), given, checks, donated);
  set_values(program, given, own, owned, run, compiled.report, residency_, results);
}

}  // namespace

const lazy::Executor& executor_of(Device device) {
  return Executors<PjrtExecutor>::instance().of(device, device);
}

}  // namespace ddx::backend::pjrt
