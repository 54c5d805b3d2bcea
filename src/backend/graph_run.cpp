#include "backend/graph_run.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/graph_diff.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/control_run.h"
#include "backend/launch.h"
#include "backend/non_finite.h"
#include "core/call_stack/called_at.h"
#include "core/call_stack/origin.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend {

using ir::Graph;

namespace {

void run_kernel(ops::Kernel kernel, const ops::Call& call) {
  if (!call.is_empty()) {
    kernel(call);
  }
}

/// Throws the error if it is one that may go away.
void throw_if_memory_ran_out(const std::exception_ptr& error) {
  if (error != nullptr && ddx::detail::is_lack_of_memory(error)) {
    std::rethrow_exception(error);
  }
}

}  // namespace

GraphRun::GraphRun(const Graph& graph, const Arguments& arguments, const Backend& backend,
                   RegionRunner run_region, Origins origins, bool remembers)
    : graph_(graph),
      arguments_(arguments),
      backend_(backend),
      data_(graph.value_count()),
      buffers_(graph.value_count()),
      errors_(graph.value_count()),
      is_done_(remembers ? graph.node_count() : 0),
      uses_(ir::use_counts(graph)),
      run_region_(
          run_region != nullptr
              ? std::move(run_region)
              : [&graph, &backend](
                    ir::RegionId region, const Arguments& given,
                    std::span<Buffer>
                        own) { return run_in_order(graph.region(region), given, backend, own); }),
      origins_(origins) {
  for (std::size_t i = 0; i < arguments.parameters.size(); ++i) {
    data_[Graph::index(graph.parameters()[i])] = arguments.parameters[i].data<std::byte>();
  }
}

void GraphRun::take(std::span<Buffer> donated) noexcept {
  for (std::size_t i = 0; i < donated.size(); ++i) {
    buffers_[Graph::index(graph_.parameters()[i])] = std::move(donated[i]);
  }
}

ops::View GraphRun::view(ir::ValueId value) const {
  const ir::Type& type = graph_.type(value);
  return {data_[Graph::index(value)], type.shape, type.dtype};
}

void GraphRun::allocate(ir::ValueId value) {
  Buffer buffer(bytes_of(graph_.type(value)));
  data_[Graph::index(value)] = buffer.data();
  buffers_[Graph::index(value)] = std::move(buffer);
}

bool GraphRun::take_over(ir::ValueId result, ir::ValueId operand, std::size_t uses) {
  Buffer& buffer = buffers_[Graph::index(operand)];
  if (uses_[Graph::index(operand)] != uses || !buffer.unshared() ||
      bytes_of(graph_.type(result)) != bytes_of(graph_.type(operand))) {
    return false;
  }
  data_[Graph::index(result)] = buffer.data();
  buffers_[Graph::index(result)] = std::move(buffer);
  return true;
}

void GraphRun::overwrite_operand(std::size_t result, std::span<const Overwriting> overwritings) {
  for (const auto& [operand, uses] : overwritings) {
    Buffer& buffer = buffers_[operand];
    if (uses_[operand] == uses && buffer.unshared()) {
      data_[result] = buffer.data();
      buffers_[result] = std::move(buffer);
      return;
    }
  }
}

void GraphRun::run(const ir::Node& node) {
  const std::size_t number = *graph_.producer(node.result());
  if (is_done(number)) {
    return;
  }
  if (const std::exception_ptr error = error_of_operands(node)) {
    set_error(node, error);
  } else {
    if (node.check != ir::unchecked) {  // Others have launches.
      overwrite_operand(Graph::index(node.result()), overwritings_of(graph_, node));
    }
    compute(node);
  }
  release_after(node);
  mark_done(number);
}

void GraphRun::run(const Launch& launch) {
  if (any_error_ || are_nans_debugged()) {
    const ir::Node node = graph_.node(launch.node);
    if (!has_failed_operand(node)) {
      overwrite_operand(launch.results[0].value, launch.overwritings);
    }
    run(node);
    return;
  }
  overwrite_operand(launch.results[0].value, launch.overwritings);
  compute(launch);
  for (const Launch::Array& operand : launch.operands) {
    if (--uses_[operand.value] == 0) {
      buffers_[operand.value] = Buffer();
    }
  }
  for (const Launch::Array& result : launch.results) {
    if (uses_[result.value] == 0) {
      buffers_[result.value] = Buffer();
    }
  }
}

void GraphRun::compute(const Launch& launch) {
  inputs_.clear();
  outputs_.clear();
  for (const auto& [value, type, bytes] : launch.operands) {
    inputs_.emplace_back(data_[value], type->shape, type->dtype);
  }
  for (const auto& [value, type, bytes] : launch.results) {
    if (data_[value] == nullptr) {
      buffers_[value] = Buffer(bytes);
      data_[value] = buffers_[value].data();
    }
    outputs_.emplace_back(data_[value], type->shape, type->dtype);
  }
  const Cell& cell = backend_.kernels().at(launch.op, launch.key);
  if (cell.kernel() == nullptr) {
    throw_unsupported(backend_.name(), launch.op, launch.key, cell, graph_.node(launch.node).where);
  }
  if (launch.attributes != nullptr) {
    run_kernel(cell.kernel(), ops::Call(inputs_, outputs_, launch.attributes));
    return;
  }
  const ops::Attributes attributes =
      ir::bound_attributes(graph_.node(launch.node), arguments_.scalars);
  run_kernel(cell.kernel(), ops::Call(inputs_, outputs_, ops::struct_of(attributes)));
}

void GraphRun::alias(const ir::Node& node) {
  if (const std::exception_ptr error = error_of_operands(node)) {
    set_error(node, error);
  } else {
    const std::size_t from = Graph::index(node.operands[0]);
    const std::size_t to = Graph::index(node.result());
    data_[to] = data_[from];
    buffers_[to] = buffers_[from];
  }
  release_after(node);
}

void GraphRun::release_after(const ir::Node& node) {
  for (const ir::ValueId operand : node.operands) {
    if (--uses_[Graph::index(operand)] == 0) {
      buffers_[Graph::index(operand)] = Buffer();
    }
  }
  for (std::size_t result = 0; result < node.result_count; ++result) {
    if (uses_[Graph::index(node.result(result))] == 0) {
      buffers_[Graph::index(node.result(result))] = Buffer();
    }
  }
}

void GraphRun::release(ir::ValueId value, std::uint32_t reads) noexcept {
  std::uint32_t& uses = uses_[Graph::index(value)];
  uses -= reads;
  if (uses == 0) {
    buffers_[Graph::index(value)] = Buffer();
  }
}

std::exception_ptr GraphRun::error_of_operands(const ir::Node& node) const {
  if (!any_error_) {
    return nullptr;
  }
  for (const ir::ValueId operand : node.operands) {
    if (errors_[Graph::index(operand)] != nullptr) {
      return errors_[Graph::index(operand)];
    }
  }
  return nullptr;
}

bool GraphRun::has_failed_operand(const ir::Node& node) const {
  return error_of_operands(node) != nullptr;
}

void GraphRun::fail(const ir::Node& node, const std::exception_ptr& error) {
  set_error(node, error);
  release_after(node);
}

void GraphRun::stop(const ir::Node& node, const std::exception_ptr& error) noexcept {
  if (stop_ == nullptr) {
    stop_ = error;
  }
  set_error(node, stop_);
}

bool GraphRun::has_stopped_operand(const ir::Node& node) const noexcept {
  return std::ranges::any_of(node.operands,
                             [this](ir::ValueId operand) { return is_stopped(operand); });
}

bool GraphRun::start_again(const ir::Node& node, const std::exception_ptr& error) noexcept {
  if (error == nullptr || errors_[Graph::index(node.result())] != error) {
    return false;
  }
  for (std::size_t result = 0; result < node.result_count; ++result) {
    errors_[Graph::index(node.result(result))] = nullptr;
  }
  return true;
}

void GraphRun::set_error(const ir::Node& node, const std::exception_ptr& error) {
  any_error_ = true;
  for (std::size_t result = 0; result < node.result_count; ++result) {
    errors_[Graph::index(node.result(result))] = error;
  }
}

void GraphRun::expect_finite(const ir::Node& node, const ops::Call& call) const {
  const auto facts = non_finite_result(call);
  if (!facts) {
    return;
  }
  const std::string operation(to_string(node.op));
  const std::size_t number = *graph_.producer(node.result());
  const Origin* const origin = number < origins_.size() ? origins_[number] : nullptr;
  const Origin::Text called = origin == nullptr ? Origin::Text() : origin->text();
  if (called.is_place) {
    throw UsageError(operation, *facts + called.text);
  }
  const ir::Line line = ir::line_of(graph_, number);
  throw UsageError(operation, (line.is_exact ? *facts : *facts + "; " + line.text()) + called.text,
                   line.is_exact ? line.where : std::source_location{});
}

void GraphRun::compute_by_regions(const ir::Node& node) {
  inputs_.clear();
  std::vector<Buffer> own;
  for (const ir::ValueId operand : node.operands) {
    inputs_.push_back(view(operand));
    // What this node alone reads, once, is its own.
    own.push_back(uses_[Graph::index(operand)] == 1
                      ? std::exchange(buffers_[Graph::index(operand)], Buffer())
                      : Buffer());
  }
  const bool keeps_all =
      std::ranges::none_of(own, [](const Buffer& buffer) { return buffer.block() != nullptr; });
  std::vector<Outcome> outcomes = run_control(graph_, node, inputs_, arguments_, run_region_, own);
  if (keeps_all) {
    for (const Outcome& outcome : outcomes) {
      throw_if_memory_ran_out(outcome.error);  // All of it can be computed again.
    }
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::size_t result = Graph::index(node.result(i));
    if (outcomes[i].error != nullptr) {
      any_error_ = true;
      errors_[result] = outcomes[i].error;
      continue;
    }
    data_[result] = outcomes[i].elements.data();
    buffers_[result] = std::move(outcomes[i].elements);
  }
}

void GraphRun::compute(const ir::Node& node) {
  if (node.op.is_control()) {
    compute_by_regions(node);
    return;
  }
  const ops::Op op = node.op.row();
  inputs_.clear();
  outputs_.clear();
  for (const ir::ValueId operand : node.operands) {
    inputs_.push_back(view(operand));
  }
  for (std::size_t result = 0; result < node.result_count; ++result) {
    if (!is_there(node.result(result))) {
      allocate(node.result(result));
    }
    outputs_.push_back(view(node.result(result)));
  }
  const ops::KeyPlace place = ops::key_place(op);
  const DType key = (place.among_results ? outputs_ : inputs_)[place.index].dtype();
  const Cell& cell = backend_.kernels().at(op, key);
  if (cell.kernel() == nullptr) {
    throw_unsupported(backend_.name(), op, key, cell, node.where);
  }
  const ops::Attributes attributes = ir::bound_attributes(node, arguments_.scalars);
  const ops::Call call(inputs_, outputs_, ops::struct_of(attributes));
  const bool blame = can_be_blamed(call);
  if (node.check == ir::unchecked && !blame) {
    run_kernel(cell.kernel(), call);
    return;
  }
  const ops::Check check =
      node.check == ir::unchecked ? ops::Check() : arguments_.checks[Graph::index(node.check)];
  const WithoutUserLine observed;
  try {
    check.check_operands(call);
    run_kernel(cell.kernel(), call);
    if (check.after != nullptr) {
      check.after(call, check.site);
    }
    if (blame) {
      expect_finite(node, call);
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const EnvironmentError&) {
    throw;
  } catch (...) {
    set_error(node, std::current_exception());
  }
}

Outcome GraphRun::outcome(ir::ValueId value) const {
  if (errors_[Graph::index(value)] != nullptr) {
    return {Buffer(), errors_[Graph::index(value)]};
  }
  if (const Buffer& buffer = buffers_[Graph::index(value)]; buffer.block() != nullptr) {
    return {buffer, nullptr};
  }
  const std::size_t bytes = bytes_of(graph_.type(value));
  Buffer copy(bytes);
  if (bytes > 0) {
    std::memcpy(copy.data(), data_[Graph::index(value)], bytes);
  }
  return {std::move(copy), nullptr};
}

std::vector<Outcome> run_in_order(const Graph& graph, const Arguments& arguments,
                                  const Backend& backend, std::span<Buffer> donated) {
  GraphRun run(graph, arguments, backend);
  run.take(donated);
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    run.run(graph.node(i));
  }
  std::vector<Outcome> results;
  for (const ir::ValueId result : graph.results()) {
    results.push_back(run.outcome(result));
  }
  return results;
}

}  // namespace ddx::backend
