#include "ddx/ir/cost.h"

#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

namespace ddx::ir {
namespace {

using ops::Family;
using ops::Op;

/// A node with the shapes of its operands and results.
class Shapes {
 public:
  Shapes(const Graph& graph, const Node& node) : graph_(graph), node_(node) {}

  [[nodiscard]] const Shape& operand(std::size_t i) const {
    return graph_.type(node_.operands[i]).shape;
  }
  [[nodiscard]] const Shape& result() const { return graph_.type(node_.result()).shape; }
  [[nodiscard]] Op op() const { return node_.op.row(); }
  template <class A>
  [[nodiscard]] const A& attributes() const {
    return std::get<A>(node_.attributes);
  }

 private:
  const Graph& graph_;
  const Node& node_;
};

double count(const Shape& shape) {
  return static_cast<double>(shape.count());
}

/// The extent `from_end` axes before the last one.
double extent(const Shape& shape, std::size_t from_end) {
  return static_cast<double>(shape[shape.rank() - 1 - from_end]);
}

double matmul_flops(const Shapes& node) {
  const bool transposed = node.attributes<ops::MatmulAttributes>().transpose_left;
  return 2 * count(node.result()) * extent(node.operand(0), transposed ? 1 : 0);
}

double convolution_flops(const Shapes& node) {
  // Each position of the output meets each number of the filter once.
  const bool to_input = node.op() == Op::convolution_input_gradient;
  const bool to_filter = node.op() == Op::convolution_filter_gradient;
  const Shape& output = to_input ? node.operand(0) : to_filter ? node.operand(1) : node.result();
  const Shape& filter = to_filter ? node.result() : node.operand(1);
  const double channels = extent(output, 0);
  return channels == 0 ? 0 : 2 * count(output) / channels * count(filter);
}

/// The multiplications of an attention for each pair of a query and a key.
double attention_products(Operation op, double depth, double out) {
  if (op == Op::attention || op == Op::attention_over_range) {
    return depth + out;
  }
  if (op == Op::attention_gradient) {
    return 3 * depth + 2 * out;
  }
  return op == Op::attention_with_tangent ? 3 * (depth + out) : 9 * depth + 6 * out;
}

double attention_flops(const Shapes& node) {
  const Shape& query = node.operand(0);
  const std::int64_t queries = query[query.rank() - 2];
  const std::int64_t keys = node.operand(1)[query.rank() - 2];
  double seen = static_cast<double>(queries * keys);
  if (node.attributes<ops::AttentionAttributes>().causal) {
    seen = 0;
    for (std::int64_t i = 0; i < queries; ++i) {
      seen += static_cast<double>(std::clamp<std::int64_t>(keys - queries + i + 1, 0, keys));
    }
  }
  const double depth = extent(query, 0);
  const double out = extent(node.operand(2), 0);
  double batch = 1;
  for (std::size_t axis = 0; axis + 2 < query.rank(); ++axis) {
    batch *= static_cast<double>(query[axis]);
  }
  return 2 * batch * seen * attention_products(node.op(), depth, out);
}

double fourier_flops(const Shapes& node) {
  const bool inverse_real = node.op() == Op::irfft;
  const Shape& whole = inverse_real ? node.result() : node.operand(0);
  const auto n = static_cast<double>(whole[node.attributes<ops::FourierAttributes>().axis]);
  const double each = node.op() == Op::fft ? 5 : 2.5;
  return n <= 1 ? 0 : each * count(whole) * std::log2(n);
}

double decomposition_flops(const Shapes& node) {
  const Shape& shape = node.operand(0);
  double m = extent(shape, 1);
  double n = extent(shape, 0);
  const double matrices = m * n == 0 ? 0 : count(shape) / (m * n);
  if (node.op() == Op::triangular_solve) {
    return n * count(node.operand(1));
  }
  if (m < n) {
    std::swap(m, n);
  }
  const double factorised = m * n * n - n * n * n / 3;
  switch (node.op()) {
    case Op::cholesky:
      return matrices * n * n * n / 3;
    case Op::lu:
      return matrices * factorised;
    case Op::qr:
      return matrices * 4 * factorised;  // The factors, and the columns of Q from them.
    case Op::svd:
      return matrices * (4 * m * m * n + 8 * m * n * n + 9 * n * n * n);
    case Op::svdvals:
      return matrices * 4 * factorised;
    case Op::eigh:
      return matrices * 9 * n * n * n;
    default:  // eigvalsh
      return matrices * 4 * n * n * n / 3;
  }
}

double window_flops(const Shapes& node) {
  const auto& window = node.attributes<ops::WindowAttributes>();
  double size = 1;
  for (std::size_t axis = 0; axis < window.axes; ++axis) {
    size *= static_cast<double>(window.size[axis]);
  }
  switch (node.op()) {
    case Op::avg_pool:
    case Op::max_pool:
      return size * count(node.result());
    case Op::avg_pool_gradient:
      return size * count(node.operand(0));
    case Op::max_pool_gradient:
      return size * count(node.operand(1));
    case Op::grey_dilation:
      return 2 * size * count(node.result());
    default:  // Its gradients.
      return 2 * size * count(node.operand(2));
  }
}

double normalization_flops(const Shapes& node) {
  switch (node.op()) {
    case Op::batch_norm_inference:
      return 2 * count(node.operand(0));
    case Op::batch_norm_training_gradient:
    case Op::layer_norm_gradient:
      return 9 * count(node.operand(0));
    default:
      return 7 * count(node.operand(0));
  }
}

double flops(const Shapes& node) {
  switch (ops::info(node.op()).family) {
    case Family::Creation:
    case Family::Random:
    case Family::Cast:
    case Family::Movement:
    case Family::Update:
    case Family::Concatenation:
    case Family::Sorting:
      return 0;
    case Family::Indexing:
      return node.op() == Op::gather_gradient || node.op() == Op::take_along_axis_gradient
                 ? count(node.operand(0))
                 : 0;
    case Family::Unary:
    case Family::Binary:
    case Family::Comparison:
    case Family::Predicate:
    case Family::Select:
      return count(node.result());
    case Family::ScaledSum:
      return 2 * count(node.result());
    case Family::Reduction:
    case Family::ArgReduction:
      return count(node.operand(0));
    case Family::Cumulative:
      return (node.op() == Op::linear_recurrence ? 2 : 1) * count(node.operand(0));
    case Family::Fourier:
      return fourier_flops(node);
    case Family::Matmul:
      return matmul_flops(node);
    case Family::QuantizedProduct:
      return 2 * count(node.result()) * extent(node.operand(0), 0);
    case Family::Convolution:
      return convolution_flops(node);
    case Family::Resampling: {
      const Shape& sums = node.op() == Op::resample ? node.result() : node.operand(0);
      return 2 * count(sums) * extent(node.operand(2), 0);
    }
    case Family::Pooling:
    case Family::Morphology:
      return window_flops(node);
    case Family::Normalization:
      return normalization_flops(node);
    case Family::Softmax:
      return (node.op() == Op::softmax || node.op() == Op::log_softmax ? 5 : 4) *
             count(node.result());
    case Family::CrossEntropy:
      return 4 * count(node.operand(0));
    case Family::LinearAlgebra:
      return decomposition_flops(node);
    case Family::Attention:
      return attention_flops(node);
  }
  __builtin_unreachable();
}

/// Whether a node reads at most as much of its first operand as it writes.
bool takes_parts(Operation op) {
  return op == Op::slice || op == Op::gather || op == Op::take_along_axis;
}

/// The work of one run of a graph.
std::uint64_t flops_of_all(const Graph& graph) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    sum += flops_of(graph, graph.node(i));
  }
  return sum;
}

std::uint64_t control_flops(const Graph& graph, const Node& node) {
  const auto region = [&](std::size_t i) { return flops_of_all(graph.region(node.regions[i])); };
  switch (node.op.control()) {
    case Control::Cond:
      return std::max(region(0), region(1));
    case Control::WhileLoop:
      return region(0) + region(1);
    case Control::Scan:
      return static_cast<std::uint64_t>(node.scan.trips) * region(0);
  }
  __builtin_unreachable();
}

}  // namespace

std::uint64_t flops_of(const Graph& graph, const Node& node) {
  if (node.op.is_control()) {
    return control_flops(graph, node);
  }
  return static_cast<std::uint64_t>(std::llround(flops(Shapes(graph, node))));
}

Cost cost_of(const Graph& graph, std::span<const std::size_t> nodes,
             std::span<const std::uint32_t> uses) {
  Cost cost;
  std::unordered_map<std::uint32_t, std::uint32_t> made;  // With the number of reads by the nodes.
  std::unordered_set<std::uint32_t> read;
  for (const std::size_t i : nodes) {
    const Node node = graph.node(i);
    cost.flops += flops_of(graph, node);
    for (std::size_t operand = 0; operand < node.operands.size(); ++operand) {
      const auto value = static_cast<std::uint32_t>(node.operands[operand]);
      if (const auto inside = made.find(value); inside != made.end()) {
        ++inside->second;
      } else if (read.insert(value).second) {
        cost.bytes_read += operand == 0 && takes_parts(node.op)
                               ? bytes_of(graph.type(node.result()))
                               : bytes_of(graph.type(node.operands[operand]));
      }
    }
    for (std::size_t result = 0; result < node.result_count; ++result) {
      made.emplace(static_cast<std::uint32_t>(node.result(result)), 0);
    }
  }
  for (const auto& [value, inside] : made) {
    // A kernel with several results also writes those that are not read.
    if (uses[value] > inside || uses[value] == 0) {
      cost.bytes_written += bytes_of(graph.type(static_cast<ValueId>(value)));
    }
  }
  return cost;
}

}  // namespace ddx::ir
