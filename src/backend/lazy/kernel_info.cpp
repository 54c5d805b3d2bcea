#include "backend/lazy/kernel_info.h"

#include "ddx/backend/span_recording.h"
#include "ddx/ir/cost.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/graph_diff.h"
#include "ddx/ir/text.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ddx::backend::lazy {
namespace {

std::string types_text(const ir::Graph& graph, std::span<const ir::ValueId> values) {
  std::string text;
  for (const ir::ValueId value : values) {
    text += (text.empty() ? "" : ", ") + ir::to_string(graph.type(value));
  }
  return text;
}

}  // namespace

KernelInfo kernel_info(const ir::Graph& graph, std::span<const std::size_t> nodes,
                       const ir::Cost& work) {
  KernelInfo info;
  info.operation_count = nodes.size();
  info.work = work;
  std::vector<ir::ValueId> made;
  std::vector<ir::ValueId> read;
  for (const std::size_t i : nodes) {
    const ir::Node node = graph.node(i);
    info.operations += (info.operations.empty() ? "" : ", ") + std::string(to_string(node.op));
    for (const ir::ValueId operand : node.operands) {
      if (std::ranges::find(made, operand) == made.end() &&
          std::ranges::find(read, operand) == read.end()) {
        read.push_back(operand);
      }
    }
    for (std::size_t result = 0; result < node.result_count; ++result) {
      made.push_back(node.result(result));
    }
  }
  // Of a loop, the shape of its last result says what it goes over.
  const std::span<const ir::ValueId> results(made);
  info.types = types_text(graph, read) + " -> " +
               types_text(graph, nodes.size() == 1 ? results : results.last(1));
  info.line = ir::line_of(graph, nodes.back()).text();
  return info;
}

}  // namespace ddx::backend::lazy
