#include "backend/pjrt/executor.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/span_recording.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/check.h"
#include "ddx/ops/op.h"

#include "backend/lazy/counters.h"
#include "backend/lazy/cpu_executor.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/given.h"
#include "backend/lazy/plan_cache.h"
#include "backend/lazy/spans.h"
#include "backend/non_finite.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/device_promise.h"
#include "backend/pjrt/executable.h"
#include "backend/pjrt/planned_program.h"
#include "backend/pjrt/platform.h"
#include "backend/pjrt/started_run.h"
#include "backend/pjrt/uploads.h"
#include "backend/promise.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

using OwnedBuffer = std::shared_ptr<const DeviceBuffer>;

class PjrtExecutor final : public lazy::Executor {
 public:
  explicit PjrtExecutor(Device device)
      : Executor(device, &keeper_),
        platform_(Platform::of(device.platform())),
        device_(platform_.client()->device(static_cast<std::size_t>(device.ordinal()))),
        uploads_(platform_.client(), device_) {}

  std::shared_ptr<const lazy::PreparedGraph> prepare(const ir::Graph& recorded) const override {
    return std::make_shared<const PlannedProgram>(recorded);
  }

  void run(const lazy::PreparedGraph& graph, lazy::Given& given, std::span<const ops::Check> checks,
           std::span<Block* const> results) const override;

 private:
  /// The arrays on the device, and what made those whose errors are not known.
  struct Parameters {
    std::vector<OwnedBuffer> buffers;
    std::vector<StartedRun::Source> sources;
  };

  /// Whose memory a run may give away: nobody else has the array, or its elements.
  [[nodiscard]] std::vector<bool> donatable(const PlannedProgram& program,
                                            lazy::Given& given) const;
  /// Whether nobody but the trace, and an earlier upload, has an array.
  [[nodiscard]] bool is_alone(const Buffer& array) const {
    // Queued calls of an asynchronous device may still read what no tensor has any more.
    return array.owners() == 1 + uploads_.owners_of(*array.block()) &&
           array.block()->used.load(std::memory_order_relaxed) == 0;
  }
  [[nodiscard]] Parameters parameters(const PlannedProgram& program, const lazy::Given& given,
                                      const std::vector<bool>& donated) const;
  void add_source(Parameters& parameters, const DeviceArray& array) const;
  [[nodiscard]] OwnedBuffer reshaped(const OwnedBuffer& buffer, const Shape& from,
                                     const ir::Type& to) const;
  void run_compiled(const PlannedProgram& program, const PlannedProgram::Compiled& compiled,
                    lazy::Given& given, const std::vector<bool>& donated,
                    std::span<const ops::Check> checks, std::span<Block* const> results) const;
  void run_on_host(const PlannedProgram& program, lazy::Given& given,
                   std::span<const ops::Check> checks, std::span<Block* const> results) const;

  // A run waits for those before it where this many have not told what has become of them.
  static constexpr std::size_t most_unsettled = 32;

  mutable DeviceKeeper keeper_;
  Platform& platform_;
  const DeviceInfo& device_;
  mutable Uploads uploads_;
};

void PjrtExecutor::run(const lazy::PreparedGraph& graph, lazy::Given& given,
                       std::span<const ops::Check> checks, std::span<Block* const> results) const {
  const auto& program = static_cast<const PlannedProgram&>(graph);
  const lazy::ScopedSpan span(SpanKind::Run, program.recorded().node_count());
  uploads_.drop_unused();
  if (are_nans_debugged()) {  // Who has made one is known where operations run one by one.
    run_on_host(program, given, checks, results);
    return;
  }
  const std::vector<bool> donated = program.donations(donatable(program, given));
  const auto compiled = program.compiled(platform_, donated);
  if (compiled == nullptr) {
    run_on_host(program, given, checks, results);
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  run_compiled(program, *compiled, given, donated, checks, results);
  lazy::Counters::instance().count_run(program.cost(), std::chrono::steady_clock::now() - begin);
}

std::vector<bool> PjrtExecutor::donatable(const PlannedProgram& program, lazy::Given& given) const {
  std::vector<bool> donatable(given.arrays.size());
  for (std::size_t i = 0; i < donatable.size(); ++i) {
    if (!is_alone(given.arrays[i].buffer)) {
      continue;
    }
    Block& block = *given.arrays[i].buffer.block();
    const DeviceArray* const array = keeper_.array_of(block);
    // What somebody has looked at may be looked at still, where it lies.
    donatable[i] =
        array == nullptr ||
        (array->buffer().use_count() == 1 &&
         array->shape() == program.graph()->type(program.graph()->parameters()[i]).shape);
  }
  for (const PlannedProgram::Source& source : program.sources()) {
    if (source.is_parameter) {
      donatable[source.place] = false;
    }
  }
  return donatable;
}

void PjrtExecutor::add_source(Parameters& parameters, const DeviceArray& array) const {
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

PjrtExecutor::Parameters PjrtExecutor::parameters(const PlannedProgram& program,
                                                  const lazy::Given& given,
                                                  const std::vector<bool>& donated) const {
  Parameters parameters;
  for (std::size_t i = 0; i < given.arrays.size(); ++i) {
    const Buffer& buffer = given.arrays[i].buffer;
    const ir::Type& type = program.graph()->type(program.graph()->parameters()[i]);
    const DeviceArray* const array = keeper_.array_of(*buffer.block());
    if (array != nullptr && promise_of(*buffer.block())->dtype == type.dtype) {
      add_source(parameters, *array);
      parameters.buffers.push_back(array->shape() == type.shape
                                       ? array->buffer()
                                       : reshaped(array->buffer(), array->shape(), type));
    } else {
      buffer.await_elements();
      parameters.buffers.push_back(donated[i] ? uploads_.copied(buffer.data(), type)
                                              : uploads_.of(buffer, type));
    }
  }
  return parameters;
}

OwnedBuffer PjrtExecutor::reshaped(const OwnedBuffer& buffer, const Shape& from,
                                   const ir::Type& to) const {
  ir::Graph graph;
  const ir::ValueId x = graph.add_parameter({from, to.dtype});
  graph.set_results({graph.add_node(ops::Op::reshape, {x}, ops::NoAttributes{}, to)});
  const auto program = std::static_pointer_cast<const PlannedProgram>(
      lazy::PlanCache::instance().plan_of(graph, *this));
  const auto compiled = program->compiled(platform_, program->donations({false}));
  if (compiled == nullptr) {
    throw EnvironmentError("run by PJRT", "the plugin cannot reshape " + to_string(from) + " to " +
                                              to_string(to.shape));
  }
  const DeviceBuffer* const argument = buffer.get();
  auto results = compiled->executable.run(std::span(&argument, 1), device_);
  return std::make_shared<const DeviceBuffer>(std::move(results[0]));
}

void PjrtExecutor::run_compiled(const PlannedProgram& program,
                                const PlannedProgram::Compiled& compiled, lazy::Given& given,
                                const std::vector<bool>& donated,
                                std::span<const ops::Check> checks,
                                std::span<Block* const> results) const {
  Parameters own = parameters(program, given, donated);
  const std::vector<OwnedBuffer> scalars = program.scalars(compiled, given.scalars, uploads_);
  std::vector<const DeviceBuffer*> arguments;
  arguments.reserve(own.buffers.size() + scalars.size());
  for (const auto& list : {std::cref(own.buffers), std::cref(scalars)}) {
    for (const OwnedBuffer& buffer : list.get()) {
      arguments.push_back(buffer.get());
    }
  }
  std::vector<DeviceBuffer> made = compiled.executable.run(arguments, device_);
  const std::size_t count = program.graph()->results().size();
  std::shared_ptr<StartedRun> run;
  if (made.size() > count || !own.sources.empty()) {
    StartedRun::Evidence evidence;
    if (made.size() > count) {
      evidence = {given.arrays, given.scalars, {checks.begin(), checks.end()}};
      for (std::size_t i = 0; i < donated.size(); ++i) {
        if (donated[i]) {
          evidence.arrays[i].buffer = Buffer();
        }
      }
    }
    std::vector<DeviceBuffer> flags(
        std::make_move_iterator(made.begin() + static_cast<std::ptrdiff_t>(count)),
        std::make_move_iterator(made.end()));
    run = std::make_shared<StartedRun>(program.graph(), std::move(flags), std::move(evidence),
                                       std::move(own.sources));
  }
  std::vector<OwnedBuffer> owned;
  for (std::size_t i = 0; i < count; ++i) {
    owned.push_back(std::make_shared<const DeviceBuffer>(std::move(made[i])));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto [is_parameter, place] = program.sources()[i];
    if (!is_parameter) {
      const Shape& shape = program.graph()->type(program.graph()->results()[place]).shape;
      keep_promise_on_device(*results[i], keeper_,
                             std::make_unique<const DeviceArray>(owned[place], shape, run, place));
    } else if (const DeviceArray* const array =
                   keeper_.array_of(*given.arrays[place].buffer.block())) {
      const Shape& shape = program.graph()->type(program.graph()->parameters()[place]).shape;
      keep_promise_on_device(*results[i], keeper_,
                             std::make_unique<const DeviceArray>(own.buffers[place], shape,
                                                                 array->run(), array->result()));
    } else {
      keep_promise(*results[i], given.arrays[place].buffer);
    }
  }
}

void PjrtExecutor::run_on_host(const PlannedProgram& program, lazy::Given& given,
                               std::span<const ops::Check> checks,
                               std::span<Block* const> results) const {
  for (const lazy::Given::Array& array : given.arrays) {
    array.buffer.await_elements();
  }
  lazy::cpu_executor().run(*lazy::cpu_plan_of(program.recorded()), given, checks, results);
}

/// The executors there are. Never destroyed: traces live for ever.
class Executors {
 public:
  static Executors& instance() {
    static auto* const executors = new Executors;
    return *executors;
  }
  const lazy::Executor& of(Device device) {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find_if(
        all_, [&](const auto& executor) { return executor->device() == device; });
    if (known != all_.end()) {
      return **known;
    }
    all_.push_back(std::make_unique<const PjrtExecutor>(device));
    return *all_.back();
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<const PjrtExecutor>> all_;
};

}  // namespace

const lazy::Executor& executor_of(Device device) {
  return Executors::instance().of(device);
}

}  // namespace ddx::backend::pjrt
