#include "backend/pjrt/mesh_executor.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/span_recording.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/mesh.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/check.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "backend/lazy/counters.h"
#include "backend/lazy/cpu_executor.h"
#include "backend/lazy/given.h"
#include "backend/lazy/plan_cache.h"
#include "backend/lazy/spans.h"
#include "backend/non_finite.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/mesh_array.h"
#include "backend/pjrt/mesh_parts.h"
#include "backend/pjrt/mesh_program.h"
#include "backend/pjrt/planned_program.h"
#include "backend/pjrt/platform.h"
#include "backend/pjrt/started_run.h"
#include "backend/promise.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

using OwnedBuffers = std::shared_ptr<const MeshBuffers>;

/// Whether nobody but the trace has an array.
bool is_alone(const lazy::Given::Array& array) {
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
    : Executor(mesh.device(), &keeper_),
      platform_(Platform::of(mesh.device().platform())),
      layout_(layout_of(mesh, *platform_.client())),
      keeper_(layout_.axes),
      uploads_(platform_.client(), devices(mesh)) {}

std::vector<const DeviceInfo*> MeshExecutor::devices(const Mesh& mesh) const {
  std::vector<const DeviceInfo*> devices;
  for (const Device device : mesh.devices()) {
    devices.push_back(&platform_.client()->device(static_cast<std::size_t>(device.ordinal())));
  }
  return devices;
}

std::shared_ptr<const lazy::PreparedGraph> MeshExecutor::prepare(const ir::Graph& recorded) const {
  return std::make_shared<const MeshProgram>(recorded);
}

void MeshExecutor::run(const lazy::PreparedGraph& graph, lazy::Given& given,
                       std::span<const ops::Check> checks, std::span<Block* const> results) const {
  const auto& program = static_cast<const MeshProgram&>(graph);
  const lazy::ScopedSpan span(SpanKind::Run, program.recorded().node_count());
  uploads_.drop_unused();
  if (are_nans_debugged()) {  // Who has made one is known where operations run one by one.
    run_on_host(program, given, checks, results);
    return;
  }
  const MeshProgram::Variant chosen = variant(program, given);
  const auto compiled = program.compiled(platform_, layout_, chosen);
  if (compiled == nullptr) {
    run_on_host(program, given, checks, results);
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  run_compiled(program, *compiled, chosen, given, checks, results);
  lazy::Counters::instance().count_run(program.planned().cost(),
                                       std::chrono::steady_clock::now() - begin);
}

const MeshArray* MeshExecutor::resident(const Buffer& buffer, const ir::Type& type) const {
  const MeshArray* const array = keeper_.array_of(*buffer.block());
  return array != nullptr && promise_of(*buffer.block())->dtype == type.dtype ? array : nullptr;
}

MeshProgram::Variant MeshExecutor::variant(const MeshProgram& program, lazy::Given& given) const {
  const ir::Graph& graph = *program.planned().graph();
  std::vector<stablehlo::Sharding> shardings;
  for (std::size_t i = 0; i < given.arrays.size(); ++i) {
    const ir::Type& type = graph.type(graph.parameters()[i]);
    const MeshArray* const array = resident(given.arrays[i].buffer, type);
    shardings.push_back(
        array == nullptr ? stablehlo::Sharding(type.shape.rank())
                         : pjrt::reshaped(array->buffers()->sharding, array->shape(), type.shape));
  }
  return program.variant(std::move(shardings), donatable(program, given));
}

std::vector<bool> MeshExecutor::donatable(const MeshProgram& program, lazy::Given& given) const {
  const ir::Graph& graph = *program.planned().graph();
  std::vector<bool> donatable(given.arrays.size());
  for (std::size_t i = 0; i < donatable.size(); ++i) {
    if (!is_alone(given.arrays[i])) {
      continue;
    }
    const MeshArray* const array = keeper_.array_of(*given.arrays[i].buffer.block());
    // What somebody has looked at may be looked at still, where it lies.
    donatable[i] = array == nullptr || (array->buffers().use_count() == 1 &&
                                        array->shape() == graph.type(graph.parameters()[i]).shape);
  }
  for (const PlannedProgram::Source& source : program.planned().sources()) {
    if (source.is_parameter) {
      donatable[source.place] = false;
    }
  }
  return donatable;
}

void MeshExecutor::add_source(Parameters& parameters, const MeshArray& array) const {
  const auto& run = array.run();
  if (run == nullptr) {
    return;
  }
  if (run->depth() >= most_unsettled) {
    (void)run->error_of(array.result());
  }
  if (!run->is_settled() || run->error_of(array.result()) != nullptr) {
    parameters.sources.push_back({parameters.buffers.size(), run, array.result()});
  }
}

MeshExecutor::Parameters MeshExecutor::parameters(const MeshProgram& program,
                                                  const lazy::Given& given,
                                                  const MeshProgram::Variant& variant) const {
  const ir::Graph& graph = *program.planned().graph();
  Parameters parameters;
  for (std::size_t i = 0; i < given.arrays.size(); ++i) {
    const Buffer& buffer = given.arrays[i].buffer;
    const ir::Type& type = graph.type(graph.parameters()[i]);
    if (const MeshArray* const array = resident(buffer, type)) {
      add_source(parameters, *array);
      parameters.buffers.push_back(array->shape() == type.shape
                                       ? array->buffers()
                                       : reshaped(*array, type, variant.parameters[i]));
    } else {
      buffer.await_elements();
      parameters.buffers.push_back(variant.donated[i] ? uploads_.copied(buffer.data(), type)
                                                      : uploads_.of(buffer, type));
    }
  }
  return parameters;
}

OwnedBuffers MeshExecutor::reshaped(const MeshArray& array, const ir::Type& to,
                                    const stablehlo::Sharding& sharding) const {
  ir::Graph graph;
  const ir::ValueId x = graph.add_parameter({array.shape(), to.dtype});
  graph.set_results({graph.add_node(ops::Op::reshape, {x}, ops::NoAttributes{}, to)});
  const auto program = std::static_pointer_cast<const MeshProgram>(
      lazy::PlanCache::instance().plan_of(graph, *this));
  const auto compiled = program->compiled(
      platform_, layout_,
      {.donated = {false}, .parameters = {array.buffers()->sharding}, .results = {sharding}});
  if (compiled == nullptr) {
    throw EnvironmentError("run by PJRT", "the plugin cannot reshape " + to_string(array.shape()) +
                                              " to " + to_string(to.shape));
  }
  auto made = start(*compiled, std::span(&array.buffers(), 1), {});
  MeshBuffers buffers{.parts = {}, .sharding = sharding};
  for (auto& of_device : made) {
    buffers.parts.push_back(std::move(of_device[0]));
  }
  return std::make_shared<const MeshBuffers>(std::move(buffers));
}

std::vector<std::vector<DeviceBuffer>> MeshExecutor::start(
    const MeshProgram::Compiled& compiled, std::span<const OwnedBuffers> parameters,
    std::span<const OwnedBuffers> scalars) const {
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
  return compiled.executable.run_on_all(arguments);
}

void MeshExecutor::run_compiled(const MeshProgram& program, const MeshProgram::Compiled& compiled,
                                const MeshProgram::Variant& variant, lazy::Given& given,
                                std::span<const ops::Check> checks,
                                std::span<Block* const> results) const {
  const PlannedProgram& planned = program.planned();
  Parameters own = parameters(program, given, variant);
  std::vector<std::vector<DeviceBuffer>> made =
      start(compiled, own.buffers, program.scalars(compiled, given.scalars, uploads_));
  const std::size_t count = planned.graph()->results().size();
  std::shared_ptr<StartedRun> run;
  if (made[0].size() > count || !own.sources.empty()) {
    StartedRun::Evidence evidence;
    if (made[0].size() > count) {
      evidence = {given.arrays, given.scalars, {checks.begin(), checks.end()}};
      for (std::size_t i = 0; i < variant.donated.size(); ++i) {
        if (variant.donated[i]) {
          evidence.arrays[i].buffer = Buffer();
        }
      }
    }
    std::vector<DeviceBuffer> flags;  // The same on every device.
    for (std::size_t i = count; i < made[0].size(); ++i) {
      flags.push_back(std::move(made[0][i]));
    }
    run = std::make_shared<StartedRun>(planned.graph(), std::move(flags), std::move(evidence),
                                       std::move(own.sources));
  }
  std::vector<OwnedBuffers> owned;
  for (std::size_t i = 0; i < count; ++i) {
    MeshBuffers buffers{.parts = {}, .sharding = variant.results[i]};
    for (auto& of_device : made) {
      buffers.parts.push_back(std::move(of_device[i]));
    }
    owned.push_back(std::make_shared<const MeshBuffers>(std::move(buffers)));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto [is_parameter, place] = planned.sources()[i];
    if (!is_parameter) {
      const Shape& shape = planned.graph()->type(planned.graph()->results()[place]).shape;
      keep_promise_on_device(*results[i], keeper_,
                             std::make_unique<const MeshArray>(owned[place], shape, run, place));
    } else if (const MeshArray* const array =
                   keeper_.array_of(*given.arrays[place].buffer.block())) {
      const Shape& shape = planned.graph()->type(planned.graph()->parameters()[place]).shape;
      keep_promise_on_device(*results[i], keeper_,
                             std::make_unique<const MeshArray>(own.buffers[place], shape,
                                                               array->run(), array->result()));
    } else {
      keep_promise(*results[i], given.arrays[place].buffer);
    }
  }
}

void MeshExecutor::run_on_host(const MeshProgram& program, lazy::Given& given,
                               std::span<const ops::Check> checks,
                               std::span<Block* const> results) const {
  for (const lazy::Given::Array& array : given.arrays) {
    array.buffer.await_elements();
  }
  lazy::cpu_executor().run(*lazy::cpu_plan_of(program.recorded()), given, checks, results);
}

const MeshArray* MeshExecutor::array_of(const Buffer& elements) const {
  Block* const block = elements.block();
  if (block == nullptr) {
    return nullptr;
  }
  if (is_promised(*block) && block->failure == nullptr && keeper_.array_of(*block) == nullptr) {
    // What a trace has recorded it makes on the device; what anybody else has promised, here.
    promise_of(*block)->promiser.load(std::memory_order_acquire)->fulfil(*block);
  }
  if (const MeshArray* const array = keeper_.array_of(*block)) {
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
      pjrt::reshaped(array->buffers()->sharding, array->shape(), type.shape) == sharding) {
    return elements;
  }
  elements.await_elements();
  Buffer own = Buffer::promised();
  Promise& promise = *promise_of(*own.block());
  promise.dtype = type.dtype;
  keep_promise_on_device(
      *own.block(), keeper_,
      std::make_unique<const MeshArray>(
          uploads_.divided(elements.data(), type, layout_.axes, sharding), type.shape, nullptr, 0));
  return own;
}

namespace {

/// The executors there are. Never destroyed: traces live for ever.
class MeshExecutors {
 public:
  static MeshExecutors& instance() {
    static auto* const executors = new MeshExecutors;
    return *executors;
  }
  const MeshExecutor& of(const Mesh& mesh) {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find_if(
        all_, [&](const auto& executor) { return executor->device() == mesh.device(); });
    if (known != all_.end()) {
      return **known;
    }
    all_.push_back(std::make_unique<const MeshExecutor>(mesh));
    return *all_.back();
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<const MeshExecutor>> all_;
};

}  // namespace

const MeshExecutor& mesh_executor_of(const Mesh& mesh) {
  return MeshExecutors::instance().of(mesh);
}

}  // namespace ddx::backend::pjrt
