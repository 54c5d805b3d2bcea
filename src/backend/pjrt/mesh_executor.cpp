#include "backend/pjrt/mesh_executor.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/span_recording.h"
#include "ddx/core/device.h"
#include "ddx/core/mesh.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/check.h"
#include "ddx/stablehlo/module.h"

#include "backend/lazy/counters.h"
#include "backend/lazy/plan_cache.h"
#include "backend/lazy/spans.h"
#include "backend/lazy/trace_inputs.h"
#include "backend/lazy_value.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/mesh_array.h"
#include "backend/pjrt/mesh_parts.h"
#include "backend/pjrt/mesh_program.h"
#include "backend/pjrt/planned_program.h"
#include "backend/pjrt/platform.h"
#include "backend/pjrt/run_steps.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

using OwnedBuffers = std::shared_ptr<const MeshBuffers>;

/// Whether only the trace has an array.
bool is_alone(const lazy::TraceInputs::Array& array) {
  // Queued calls of an asynchronous device may still read what no tensor has any more.
  return array.buffer.owners() == 1 &&
         array.buffer.block()->used.load(std::memory_order_relaxed) == 0;
}

MeshLayout layout_of(const Mesh& mesh, const Client& client) {
  MeshLayout layout{.axes = axes_of(mesh), .ids = {}};
  for (const Device device : mesh.devices()) {
    layout.ids.push_back(client.device(static_cast<std::size_t>(device.ordinal())).id);
  }
  return layout;
}

}  // namespace

MeshExecutor::MeshExecutor(const Mesh& mesh)
    : Executor(mesh.device(), &residency_),
      platform_(Platform::of(mesh.device().platform())),
      layout_(layout_of(mesh, *platform_.client())),
      residency_(layout_.axes),
      uploads_(platform_.client(), devices(mesh)) {}

std::vector<const DeviceInfo*> MeshExecutor::devices(const Mesh& mesh) const {
  std::vector<const DeviceInfo*> devices;
  for (const Device device : mesh.devices()) {
    devices.push_back(&platform_.client()->device(static_cast<std::size_t>(device.ordinal())));
  }
  return devices;
}

std::shared_ptr<const lazy::PreparedGraph> MeshExecutor::prepare(const ir::Graph& recorded) const {
  return std::make_shared<const MeshProgram>(recorded, platform_.donates_filter_state());
}

void MeshExecutor::run(const lazy::PreparedGraph& graph, lazy::TraceInputs& given,
                       std::span<const ops::Check> checks, std::span<Block* const> results) const {
  const auto& program = static_cast<const MeshProgram&>(graph);
  const lazy::ScopedSpan span(SpanKind::Run, program.recorded().node_count());
  uploads_.drop_unused();
  const MeshProgram::Variant chosen = variant(program, given);
  const auto compiled = program.compiled(platform_, layout_, chosen, given.scalars);
  if (compiled == nullptr) {
    run_on_host(program.recorded(), given, checks, results);
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  run_compiled(program, *compiled, chosen, given, checks, results);
  lazy::Counters::instance().count_run(program.planned().cost(),
                                       std::chrono::steady_clock::now() - begin);
}

const MeshArray* MeshExecutor::resident(const Buffer& buffer, const ir::Type& type) const {
  const MeshArray* const array = residency_.array_of(*buffer.block());
  return array != nullptr && lazy_value_of(*buffer.block())->dtype == type.dtype ? array : nullptr;
}

MeshProgram::Variant MeshExecutor::variant(const MeshProgram& program,
                                           lazy::TraceInputs& given) const {
  const ir::Graph& graph = *program.planned().graph();
  std::vector<stablehlo::Sharding> shardings;
  for (std::size_t i = 0; i < given.arrays.size(); ++i) {
    const ir::Type& type = graph.type(graph.parameters()[i]);
    const MeshArray* const array = resident(given.arrays[i].buffer, type);
    shardings.push_back(
        array == nullptr ? stablehlo::Sharding(type.shape.rank())
                         : pjrt::reshaped(array->elements()->sharding, array->shape(), type.shape));
  }
  return program.variant(std::move(shardings), donatable(program, given));
}

std::vector<bool> MeshExecutor::donatable(const MeshProgram& program,
                                          lazy::TraceInputs& given) const {
  const ir::Graph& graph = *program.planned().graph();
  std::vector<bool> donatable(given.arrays.size());
  for (std::size_t i = 0; i < donatable.size(); ++i) {
    if (!is_alone(given.arrays[i])) {
      continue;
    }
    const MeshArray* const array = residency_.array_of(*given.arrays[i].buffer.block());
    // What has been observed may be observed still, where it lies.
    donatable[i] = array == nullptr || (array->elements().use_count() == 1 &&
                                        array->shape() == graph.type(graph.parameters()[i]).shape);
  }
  spare_results(program.planned(), donatable);
  return donatable;
}

Parameters<MeshBuffers> MeshExecutor::parameters(const MeshProgram& program,
                                                 const lazy::TraceInputs& given,
                                                 const MeshProgram::Variant& variant) const {
  const ir::Graph& graph = *program.planned().graph();
  Parameters<MeshBuffers> parameters;
  for (std::size_t i = 0; i < given.arrays.size(); ++i) {
    const Buffer& buffer = given.arrays[i].buffer;
    const ir::Type& type = graph.type(graph.parameters()[i]);
    if (const MeshArray* const array = resident(buffer, type)) {
      add_source(parameters.sources, i, *array);
      parameters.elements.push_back(array->shape() == type.shape
                                        ? array->elements()
                                        : reshaped(*array, type, variant.parameters[i]));
    } else {
      buffer.await_elements();
      parameters.elements.push_back(variant.donated[i] ? uploads_.copied(buffer.data(), type)
                                                       : uploads_.of(buffer, type));
    }
  }
  return parameters;
}

OwnedBuffers MeshExecutor::reshaped(const MeshArray& array, const ir::Type& to,
                                    const stablehlo::Sharding& sharding) const {
  const auto program = std::static_pointer_cast<const MeshProgram>(
      lazy::PlanCache::instance().plan_of(reshape_graph(array.shape(), to), *this));
  const auto compiled = program->compiled(
      platform_, layout_,
      {.donated = {false}, .parameters = {array.elements()->sharding}, .results = {sharding}}, {});
  if (compiled == nullptr) {
    throw_no_reshape(array.shape(), to.shape);
  }
  auto made = start(*compiled, std::span(&array.elements(), 1), {}, {});
  MeshBuffers buffers{.parts = {}, .sharding = sharding};
  for (auto& of_device : made) {
    buffers.parts.push_back(std::move(of_device[0]));
  }
  return std::make_shared<const MeshBuffers>(std::move(buffers));
}

std::vector<std::vector<DeviceBuffer>> MeshExecutor::start(
    const MeshProgram::Compiled& compiled, std::span<const OwnedBuffers> parameters,
    std::span<const OwnedBuffers> scalars, std::span<const ops::Check> checks) const {
  std::vector<std::vector<const DeviceBuffer*>> arguments(layout_.ids.size());
  for (std::size_t device = 0; device < arguments.size(); ++device) {
    arguments[device].reserve(parameters.size() + scalars.size());
    for (const auto& list : {parameters, scalars}) {
      for (const OwnedBuffers& buffers : list) {
        arguments[device].push_back(&buffers->parts[device]);
      }
    }
  }
  // Devices wait for each other in a program: all are to get programs in one order.
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  return compiled.report->explaining(checks,
                                     [&] { return compiled.executable.run_on_all(arguments); });
}

void MeshExecutor::run_compiled(const MeshProgram& program, const MeshProgram::Compiled& compiled,
                                const MeshProgram::Variant& variant, lazy::TraceInputs& given,
                                std::span<const ops::Check> checks,
                                std::span<Block* const> results) const {
  const PlannedProgram& planned = program.planned();
  Parameters<MeshBuffers> own = parameters(program, given, variant);
  std::vector<std::vector<DeviceBuffer>> made =
      start(compiled, own.elements, program.scalars(compiled, given.scalars, uploads_), checks);
  const std::size_t count = planned.graph()->results().size();
  std::vector<OwnedBuffers> owned;
  for (std::size_t i = 0; i < count; ++i) {
    MeshBuffers buffers{.parts = {}, .sharding = variant.results[i]};
    for (auto& of_device : made) {
      buffers.parts.push_back(std::move(of_device[i]));
    }
    owned.push_back(std::make_shared<const MeshBuffers>(std::move(buffers)));
  }
  std::optional<DeviceBuffer> flags;  // The same on every device.
  if (made[0].size() > count) {
    flags.emplace(std::move(made[0][count]));
  }
  const auto run = started_run(planned, std::move(flags), std::move(own.sources), given, checks,
                               variant.donated);
  set_values(planned, given, own, owned, run, compiled.report, residency_, results);
}

const MeshArray* MeshExecutor::array_of(const Buffer& elements) const {
  Block* const block = elements.block();
  if (block == nullptr) {
    return nullptr;
  }
  if (is_lazy(*block) && block->failure == nullptr && residency_.array_of(*block) == nullptr) {
    // Results of the trace are computed on the device; lazy values of others, here.
    lazy_value_of(*block)->producer.load(std::memory_order_acquire)->materialise(*block);
  }
  if (const MeshArray* const array = residency_.array_of(*block)) {
    if (array->run() != nullptr && array->run()->error_of(array->result()) != nullptr) {
      elements.await_elements();  // Throws it.
    }
    return array;
  }
  elements.await_elements();
  return nullptr;
}

Buffer MeshExecutor::divided(const Buffer& elements, const ir::Type& type,
                             const stablehlo::Sharding& sharding) const {
  const MeshArray* const array = array_of(elements);
  if (array != nullptr &&
      pjrt::reshaped(array->elements()->sharding, array->shape(), type.shape) == sharding) {
    return elements;
  }
  elements.await_elements();
  Buffer own = Buffer::lazy();
  LazyValue& lazy_value = *lazy_value_of(*own.block());
  lazy_value.dtype = type.dtype;
  set_value_on_device(*own.block(), residency_,
                      std::make_unique<const MeshArray>(
                          uploads_.divided(elements.data(), type, layout_.axes, sharding),
                          type.shape, nullptr, 0, nullptr));
  return own;
}

const MeshExecutor& mesh_executor_of(const Mesh& mesh) {
  return Executors<MeshExecutor>::instance().of(mesh.device(), mesh);
}

}  // namespace ddx::backend::pjrt
