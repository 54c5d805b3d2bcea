#include "ddx/backend/staging.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/common_signature.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/passes/vmap.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include "backend/lazy/cpu_executor.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/operation.h"
#include "backend/lazy/plan.h"
#include "backend/lazy/trace.h"
#include "backend/lazy/trace_inputs.h"
#include "backend/lazy/trace_registry.h"
#include "backend/non_finite.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace {

/// Throws:  InternalError where the arguments are not those of the graph.
void check_arguments(const StagedGraph& staged, std::span<const ops::View> arguments) {
  if (arguments.size() != staged.argument_count) {
    throw InternalError("run a staged graph", std::to_string(arguments.size()) + " arguments for " +
                                                  std::to_string(staged.argument_count));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ir::Type& type = staged.graph.type(staged.graph.parameters()[i]);
    if (arguments[i].shape() != type.shape || arguments[i].dtype() != type.dtype ||
        block_of(arguments[i]) == nullptr) {
      throw InternalError("run a staged graph", "an argument of another type");
    }
  }
}

ops::View view_of(const Buffer& buffer, const ir::Type& type) {
  return {buffer.is_lazy() ? nullptr : buffer.data(), type.shape, type.dtype, buffer.block()};
}

}  // namespace

/// A trace of its own, in the place of the thread's.
class StagingScope::Recorder {
 public:
  explicit Recorder(Device device) : trace_(lazy::take_trace(device)) {}
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() {
    if (is_begun_) {
      lazy::set_trace_in_place(before_);
      trace_->end_staging();
    }
    lazy::give_trace_back(trace_);
  }

  std::vector<Buffer> begin(std::string operation, std::span<const ir::Type> arguments) {
    before_ = lazy::trace_in_place();
    std::vector<Buffer> placeholders = trace_->begin_staging(
        std::move(operation), arguments, lazy::Trace::of_this_thread(trace_->executor().device()));
    lazy::set_trace_in_place(trace_);
    is_begun_ = true;
    return placeholders;
  }
  StagedGraph finish(std::span<const ops::View> results) { return trace_->staged(results); }

 private:
  lazy::Trace* trace_;
  lazy::Trace* before_ = nullptr;  // Null: that of the thread.
  bool is_begun_ = false;
};

class StagedProgram::Ready {
 public:
  explicit Ready(const ir::Graph& graph) : plan(lazy::cpu_plan_of(graph)) {}

  std::shared_ptr<const lazy::Plan> plan;
};

StagingScope::StagingScope(std::string operation, Device device,
                           std::span<const ir::Type> arguments)
    : recorder_(std::make_unique<Recorder>(device)),
      placeholders_(recorder_->begin(std::move(operation), arguments)) {}

StagingScope::~StagingScope() = default;

StagedGraph StagingScope::finish(std::span<const ops::View> results) {
  return recorder_->finish(results);
}

StagedGraph vmapped(const StagedGraph& staged, const std::vector<bool>& arguments,
                    Shape::Extent examples) {
  std::vector<bool> mapped = arguments;
  mapped.resize(staged.graph.parameters().size());
  auto [graph, checks] = ir::vmapped(staged.graph, mapped, examples);
  StagedGraph made{std::move(graph), staged.argument_count, staged.captured, staged.scalars, {}};
  for (const ir::CheckId check : checks) {
    made.checks.push_back(staged.checks[ir::Graph::index(check)]);
  }
  return made;
}

namespace {

/// What all regions take, and the arrays among it that they have captured.
struct Joined {
  ir::CommonSignature signature;
  std::vector<Buffer> captured;
  lazy::Regions regions;
};

Joined joined(std::span<const StagedGraph> regions) {
  Joined all;
  const std::size_t arguments = regions[0].argument_count;
  for (std::size_t i = 0; i < arguments; ++i) {
    all.signature.parameters.push_back(regions[0].graph.type(regions[0].graph.parameters()[i]));
  }
  std::vector<std::vector<std::size_t>> places;
  for (const StagedGraph& region : regions) {
    std::vector<std::size_t>& own = places.emplace_back(arguments);
    std::iota(own.begin(), own.end(), std::size_t{0});
    for (std::size_t i = 0; i < region.captured.size(); ++i) {
      const ir::Type& type = region.graph.type(region.graph.parameters()[arguments + i]);
      std::size_t place = 0;
      while (place < all.captured.size() &&
             (all.captured[place].block() != region.captured[i].block() ||
              all.signature.parameters[arguments + place] != type)) {
        ++place;
      }
      if (place == all.captured.size()) {
        all.captured.push_back(region.captured[i]);
        all.signature.parameters.push_back(type);
      }
      own.push_back(arguments + place);
    }
    const std::span<const ir::ScalarKind> kinds = region.graph.scalars();
    all.signature.scalars.insert(all.signature.scalars.end(), kinds.begin(), kinds.end());
    all.signature.checks += static_cast<std::uint32_t>(region.graph.check_count());
  }
  for (std::size_t i = 0; i < regions.size(); ++i) {
    all.regions.graphs.push_back(std::make_shared<const ir::Graph>(
        ir::with_signature(regions[i].graph, all.signature, places[i], all.regions.scalars.size(),
                           all.regions.checks.size())));
    all.regions.scalars.insert(all.regions.scalars.end(), regions[i].scalars.begin(),
                               regions[i].scalars.end());
    all.regions.checks.insert(all.regions.checks.end(), regions[i].checks.begin(),
                              regions[i].checks.end());
  }
  return all;
}

/// The types of what an operation returns whose last region returns these.
std::vector<ir::Type> control_results(ir::Control control, const ir::Graph& region,
                                      const ir::ScanFields& scan) {
  std::vector<ir::Type> types;
  for (const ir::ValueId result : region.results()) {
    ir::Type type = region.type(result);
    if (control == ir::Control::Scan && types.size() >= scan.carries) {
      std::vector<Shape::Extent> extents{scan.trips};
      extents.insert(extents.end(), type.shape.extents().begin(), type.shape.extents().end());
      type.shape = Shape(extents);
    }
    types.push_back(type);
  }
  return types;
}

/// What a node with regions has of the graph that it is in.
lazy::Regions regions_of(const StagedGraph& staged, const ir::Node& node) {
  lazy::Regions regions;
  regions.scan = node.scan;
  for (const ir::RegionId id : node.regions) {
    regions.graphs.push_back(staged.graph.shared_region(id));
  }
  for (const ir::ScalarId id : node.region_scalars) {
    regions.scalars.push_back(staged.scalars[ir::Graph::index(id)]);
  }
  for (const ir::CheckId id : node.region_checks) {
    regions.checks.push_back(staged.checks[ir::Graph::index(id)]);
  }
  return regions;
}

/// Records an operation whose results are lazy values of the trace.
std::vector<Buffer> lazy_results(lazy::Trace& trace, ir::Operation op,
                                 std::span<const ops::View> inputs, std::span<const ir::Type> types,
                                 const void* attributes, const ops::Check& check) {
  std::vector<Buffer> results;
  std::vector<ops::View> outputs;
  for (const ir::Type& type : types) {
    results.push_back(Buffer::lazy());
    outputs.push_back(view_of(results.back(), type));
  }
  trace.record_again({op, inputs, std::span<const ops::View>(outputs), attributes, check, {}});
  return results;
}

}  // namespace

std::vector<Buffer> record_control(Device device, ir::Control control,
                                   std::span<const StagedGraph> regions,
                                   std::span<const ops::View> operands, const ir::ScanFields& scan,
                                   const std::source_location& where) {
  Joined all = joined(regions);
  all.regions.scan = scan;
  std::vector<ops::View> inputs(operands.begin(), operands.end());
  for (std::size_t i = 0; i < all.captured.size(); ++i) {
    inputs.push_back(
        view_of(all.captured[i], all.signature.parameters[regions[0].argument_count + i]));
  }
  ops::Check check;
  check.site.where = where;
  return lazy_results(lazy::Trace::of_this_thread(device), control, inputs,
                      control_results(control, *all.regions.graphs.back(), scan), &all.regions,
                      check);
}

std::vector<Buffer> record_staged(Device device, const StagedGraph& staged,
                                  std::span<const ops::View> arguments) {
  check_arguments(staged, arguments);
  const ir::Graph& graph = staged.graph;
  std::vector<Buffer> values(graph.value_count());
  const auto parameters = graph.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    values[ir::Graph::index(parameters[i])] = i < arguments.size()
                                                  ? Buffer(*block_of(arguments[i]))
                                                  : staged.captured[i - arguments.size()];
  }
  lazy::Trace& trace = lazy::Trace::of_this_thread(device);
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const ir::Node node = graph.node(i);
    std::vector<ops::View> inputs;
    for (const ir::ValueId operand : node.operands) {
      inputs.push_back(view_of(values[ir::Graph::index(operand)], graph.type(operand)));
    }
    std::vector<ir::Type> types;
    for (std::size_t k = 0; k < node.result_count; ++k) {
      types.push_back(graph.type(node.result(k)));
    }
    ops::Check check;
    if (node.check != ir::unchecked) {
      check = staged.checks[ir::Graph::index(node.check)];
    }
    check.site.where = node.where;
    std::vector<Buffer> made;
    if (node.op.is_control()) {
      const lazy::Regions regions = regions_of(staged, node);
      made = lazy_results(trace, node.op, inputs, types, &regions, check);
    } else {
      const ops::Attributes attributes = ir::bound_attributes(node, staged.scalars);
      made = lazy_results(trace, node.op, inputs, types, ops::struct_of(attributes), check);
    }
    for (std::size_t k = 0; k < node.result_count; ++k) {
      values[ir::Graph::index(node.result(k))] = std::move(made[k]);
    }
  }
  std::vector<Buffer> results;
  for (const ir::ValueId result : graph.results()) {
    results.push_back(values[ir::Graph::index(result)]);
  }
  return results;
}

bool is_staging() noexcept {
  return lazy::trace_in_place() != nullptr;
}

std::optional<Device> staging_device() noexcept {
  const lazy::Trace* const trace = lazy::trace_in_place();
  return trace == nullptr ? std::nullopt : std::optional(trace->executor().device());
}

StagedProgram::StagedProgram(StagedGraph staged)
    : staged_(std::move(staged)), ready_(std::make_shared<const Ready>(staged_.graph)) {}

std::vector<Buffer> StagedProgram::run(std::span<const ops::View> arguments, StagedValues values,
                                       std::span<Buffer> donated) const {
  check_arguments(staged_, arguments);
  const auto parameters = staged_.graph.parameters();
  lazy::TraceInputs given{.arrays = {}, .scalars = std::move(values.scalars)};
  std::vector<ops::View> views;
  const auto add = [&](Buffer array) {
    array.await_elements();
    const ir::Type& type = staged_.graph.type(parameters[views.size()]);
    views.emplace_back(array.data(), type.shape, type.dtype);
    given.arrays.push_back({std::move(array), type.dtype});
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    add(donated.empty() || donated[i].block() == nullptr ? Buffer(*block_of(arguments[i]))
                                                         : std::exchange(donated[i], Buffer()));
  }
  for (Buffer& array : values.captured) {
    add(std::move(array));
  }
  // Plans are shared by graphs of other lines.
  const std::shared_ptr<const lazy::Plan> plan =
      are_nans_debugged()
          ? std::make_shared<const lazy::Plan>(staged_.graph, lazy::Plan::AsRecorded{})
          : ready_->plan;
  std::vector<Buffer> own = lazy::take_donated(given, *plan);
  const auto outcomes =
      plan->run({views, given.scalars, staged_.checks}, backend_of(Device::lazy()), own);
  std::vector<Buffer> results;
  for (const auto& [is_parameter, place] : plan->sources()) {
    if (!is_parameter && outcomes[place].error != nullptr) {
      std::rethrow_exception(outcomes[place].error);
    }
    results.push_back(is_parameter ? given.arrays[place].buffer : outcomes[place].elements);
  }
  return results;
}

}  // namespace ddx::backend
