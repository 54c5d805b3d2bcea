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
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace {

using ir::Graph;

void check_arguments(const Graph& graph, std::span<const ops::View> parameters,
                     std::span<const ir::ScalarValue> scalars) {
  if (parameters.size() != graph.parameters().size() || scalars.size() != graph.scalars().size()) {
    throw UsageError("evaluate", "the graph has " + std::to_string(graph.parameters().size()) +
                                     " parameters and " + std::to_string(graph.scalars().size()) +
                                     " scalars, given are " + std::to_string(parameters.size()) +
                                     " and " + std::to_string(scalars.size()));
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
  /// One use less; after the last one the memory goes.
  void release(ir::ValueId value) {
    if (--uses_[Graph::index(value)] == 0) {
      buffers_[Graph::index(value)] = Buffer();
    }
  }
  void drop_unused(ir::ValueId value) {
    if (uses_[Graph::index(value)] == 0) {
      buffers_[Graph::index(value)] = Buffer();
    }
  }
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

 private:
  const Graph& graph_;
  std::vector<const std::byte*> data_;
  std::vector<Buffer> buffers_;
  std::vector<std::uint32_t> uses_;
};

}  // namespace

std::vector<Buffer> evaluate(const Graph& graph, std::span<const ops::View> parameters,
                             std::span<const ir::ScalarValue> scalars, const Backend& backend) {
  check_arguments(graph, parameters, scalars);
  Values values(graph, parameters);
  std::vector<ops::View> inputs;
  std::vector<ops::View> outputs;
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const ir::Node node = graph.node(i);
    inputs.clear();
    outputs.clear();
    for (const ir::ValueId operand : node.operands) {
      inputs.push_back(values.view(operand));
    }
    for (std::size_t result = 0; result < node.result_count; ++result) {
      values.allocate(node.result(result));
      outputs.push_back(values.view(node.result(result)));
    }
    const ops::KeyPlace place = ops::key_place(node.op);
    const DType key = (place.among_results ? outputs : inputs)[place.index].dtype();
    const Cell& cell = backend.kernels().at(node.op, key);
    if (cell.kernel() == nullptr) {
      throw_unsupported(backend.name(), node.op, key, cell, node.where);
    }
    const ops::Attributes attributes = ir::bound_attributes(node, scalars);
    cell.kernel()(ops::Call(inputs, outputs, ops::struct_of(attributes)));
    for (const ir::ValueId operand : node.operands) {
      values.release(operand);
    }
    for (std::size_t result = 0; result < node.result_count; ++result) {
      values.drop_unused(node.result(result));
    }
  }
  std::vector<Buffer> results;
  for (const ir::ValueId result : graph.results()) {
    results.push_back(values.owned(result));
  }
  return results;
}

}  // namespace ddx::backend
