#include "backend/pjrt/filter_state.h"

#include "ddx/ir/graph.h"
#include "ddx/ops/op.h"

#include "ir/detail/is_elementwise.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20;

/// For each value whether it comes from the gradient of a filter by elementwise operations and
/// reshapes, as that of a depthwise filter is.
std::vector<bool> from_filter_gradients(const ir::Graph& graph) {
  std::vector<bool> from(graph.value_count());
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const ir::Node node = graph.node(i);
    if (node.op.is_control()) {
      continue;
    }
    const auto is_from = [&](ir::ValueId operand) {
      return from[ir::Graph::index(operand)] &&
             graph.type(operand).shape == graph.type(node.result()).shape;
    };
    from[ir::Graph::index(node.result())] =
        node.op == ops::Op::convolution_filter_gradient ||
        (node.op == ops::Op::reshape && from[ir::Graph::index(node.operands[0])]) ||
        (ir::detail::is_elementwise(node.op) && std::ranges::any_of(node.operands, is_from));
  }
  return from;
}

/// For each value whether a convolution reads it, as it is, cast or reshaped.
std::vector<bool> read_by_convolutions(const ir::Graph& graph) {
  std::vector<bool> read(graph.value_count());
  for (std::size_t i = graph.node_count(); i-- > 0;) {
    const ir::Node node = graph.node(i);
    if (node.op.is_control()) {
      continue;
    }
    const ops::Family family = ops::info(node.op.row()).family;
    const bool passes = family == ops::Family::Cast || node.op == ops::Op::reshape;
    if (family == ops::Family::Convolution || (passes && read[ir::Graph::index(node.result())])) {
      for (const ir::ValueId operand : node.operands) {
        read[ir::Graph::index(operand)] = true;
      }
    }
  }
  return read;
}

}  // namespace

std::vector<bool> filter_state(const ir::Graph& graph,
                               const std::vector<std::optional<std::size_t>>& replacements) {
  const std::vector<bool> from = from_filter_gradients(graph);
  const std::vector<bool> read = read_by_convolutions(graph);
  std::vector<std::pair<std::size_t, std::size_t>> sizes;  // In bytes, and the parameter.
  for (std::size_t i = 0; i < replacements.size(); ++i) {
    const ir::ValueId parameter = graph.parameters()[i];
    if (replacements[i] && from[ir::Graph::index(graph.results()[*replacements[i]])] &&
        !read[ir::Graph::index(parameter)]) {
      sizes.emplace_back(ir::bytes_of(graph.type(parameter)), i);
    }
  }
  std::ranges::sort(sizes);
  std::vector<bool> state(replacements.size());
  std::size_t bytes = 0;
  for (const auto& [size, parameter] : sizes) {
    bytes += size;
    if (bytes > most_bytes) {
      break;
    }
    state[parameter] = true;
  }
  return state;
}

}  // namespace ddx::backend::pjrt
