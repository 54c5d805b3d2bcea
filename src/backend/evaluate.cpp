#include "ddx/backend/evaluate.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace {

using ir::Graph;

void check_arguments(const Graph& graph, const Arguments& arguments) {
  const auto& [parameters, scalars, checks] = arguments;
  const auto counts = [](std::size_t a, std::size_t b, std::size_t c) {
    return std::to_string(a) + " parameters, " + std::to_string(b) + " scalars and " +
           std::to_string(c) + " checks";
  };
  if (parameters.size() != graph.parameters().size() || scalars.size() != graph.scalars().size() ||
      checks.size() != graph.check_count()) {
    throw UsageError(
        "evaluate",
        "the graph has " +
            counts(graph.parameters().size(), graph.scalars().size(), graph.check_count()) +
            ", given are " + counts(parameters.size(), scalars.size(), checks.size()));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ir::Type given{parameters[i].shape(), parameters[i].dtype()};
    if (const ir::Type& wanted = graph.type(graph.parameters()[i]); given != wanted) {
      throw UsageError("evaluate", "parameter " + std::to_string(i) + " is " +
                                       ir::to_string(given) + ", not " + ir::to_string(wanted));
    }
  }
}

/// The memory of a graph's values while it runs.
class Values {
 public:
  Values(const Graph& graph, std::span<const ops::View> parameters)
      : graph_(graph),
        data_(graph.value_count()),
        buffers_(graph.value_count()),
        errors_(graph.value_count()),
        uses_(ir::use_counts(graph)) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      data_[Graph::index(graph.parameters()[i])] = parameters[i].data<std::byte>();
    }
  }

  [[nodiscard]] ops::View view(ir::ValueId value) const {
    const ir::Type& type = graph_.type(value);
    return {data_[Graph::index(value)], type.shape, type.dtype};
  }
  void allocate(ir::ValueId value) {
    Buffer buffer(bytes_of(graph_.type(value)));
    data_[Graph::index(value)] = buffer.data();
    buffers_[Graph::index(value)] = std::move(buffer);
  }
  /// Why an operand of the node has no elements; null where all have.
  [[nodiscard]] std::exception_ptr error_of_operands(const ir::Node& node) const {
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
  /// The results of the node will not be there.
  void fail(const ir::Node& node, const std::exception_ptr& error) {
    any_error_ = true;
    for (std::size_t result = 0; result < node.result_count; ++result) {
      errors_[Graph::index(node.result(result))] = error;
    }
  }
  /// Gives the memory back that nobody needs after the node.
  void release_after(const ir::Node& node) {
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
  [[nodiscard]] Outcome outcome(ir::ValueId value) const {
    const std::exception_ptr& error = errors_[Graph::index(value)];
    return error == nullptr ? Outcome{owned(value), nullptr} : Outcome{Buffer(), error};
  }

 private:
  /// The memory of a value; of a parameter, a copy.
  [[nodiscard]] Buffer owned(ir::ValueId value) const {
    if (graph_.producer(value)) {
      return buffers_[Graph::index(value)];
    }
    const std::size_t bytes = bytes_of(graph_.type(value));
    Buffer copy(bytes);
    if (bytes > 0) {
      std::memcpy(copy.data(), data_[Graph::index(value)], bytes);
    }
    return copy;
  }

  const Graph& graph_;
  std::vector<const std::byte*> data_;
  std::vector<Buffer> buffers_;
  std::vector<std::exception_ptr> errors_;
  bool any_error_ = false;
  std::vector<std::uint32_t> uses_;
};

/// Runs one node, or fails its results where its check throws.
class Runner {
 public:
  Runner(const Graph& graph, const Arguments& arguments, const Backend& backend)
      : values_(graph, arguments.parameters), arguments_(arguments), backend_(backend) {}

  void run(const ir::Node& node) {
    if (const std::exception_ptr error = values_.error_of_operands(node)) {
      values_.fail(node, error);
    } else {
      compute(node);
    }
    values_.release_after(node);
  }
  [[nodiscard]] const Values& values() const noexcept { return values_; }

 private:
  void compute(const ir::Node& node) {
    inputs_.clear();
    outputs_.clear();
    for (const ir::ValueId operand : node.operands) {
      inputs_.push_back(values_.view(operand));
    }
    for (std::size_t result = 0; result < node.result_count; ++result) {
      values_.allocate(node.result(result));
      outputs_.push_back(values_.view(node.result(result)));
    }
    const ops::KeyPlace place = ops::key_place(node.op);
    const DType key = (place.among_results ? outputs_ : inputs_)[place.index].dtype();
    const Cell& cell = backend_.kernels().at(node.op, key);
    if (cell.kernel() == nullptr) {
      throw_unsupported(backend_.name(), node.op, key, cell, node.where);
    }
    const ops::Attributes attributes = ir::bound_attributes(node, arguments_.scalars);
    const ops::Call call(inputs_, outputs_, ops::struct_of(attributes));
    if (node.check == ir::unchecked) {
      cell.kernel()(call);
      return;
    }
    const ops::Check& check = arguments_.checks[Graph::index(node.check)];
    try {
      if (check.before != nullptr) {
        check.before(call, check.site);
      }
      cell.kernel()(call);
      if (check.after != nullptr) {
        check.after(call, check.site);
      }
    } catch (...) {
      values_.fail(node, std::current_exception());
    }
  }

  Values values_;
  const Arguments& arguments_;
  const Backend& backend_;
  std::vector<ops::View> inputs_;
  std::vector<ops::View> outputs_;
};

}  // namespace

std::vector<Outcome> outcomes_of(const Graph& graph, const Arguments& arguments,
                                 const Backend& backend) {
  check_arguments(graph, arguments);
  Runner runner(graph, arguments, backend);
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    runner.run(graph.node(i));
  }
  std::vector<Outcome> results;
  for (const ir::ValueId result : graph.results()) {
    results.push_back(runner.values().outcome(result));
  }
  return results;
}

std::vector<Buffer> evaluate(const Graph& graph, std::span<const ops::View> parameters,
                             std::span<const ir::ScalarValue> scalars, const Backend& backend) {
  std::vector<Buffer> results;
  for (Outcome& outcome : outcomes_of(graph, {parameters, scalars, {}}, backend)) {
    results.push_back(std::move(outcome.elements));
  }
  return results;
}

}  // namespace ddx::backend
