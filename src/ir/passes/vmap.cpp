#include "ddx/ir/passes/vmap.h"

#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "ir/detail/batching.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::ir {
namespace {

using detail::Batching;
using ops::Op;

std::vector<ValueId> all_with_examples(Batching& batching, const Node& node) {
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    operands.push_back(batching.with_examples(node, i));
  }
  return operands;
}

std::vector<ValueId> all_plain(const Batching& batching, const Node& node) {
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    operands.push_back(batching.plain(node, i));
  }
  return operands;
}

/// The operands of an elementwise operation: mapped ones get axes of extent 1 after the first, so
/// that all align.
void map_elementwise(Batching& batching, const Node& node) {
  const std::size_t rank = batching.from().type(node.result()).shape.rank();
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const Shape& shape = batching.type_of(node, i).shape;
    ValueId operand = batching.plain(node, i);
    if (batching.is_mapped(node, i) && shape.rank() < rank) {
      std::vector<Shape::Extent> extents{batching.examples()};
      extents.resize(1 + rank - shape.rank(), 1);
      extents.insert(extents.end(), shape.extents().begin(), shape.extents().end());
      operand = batching.reshaped(operand, Shape(std::span<const Shape::Extent>(extents)));
    }
    operands.push_back(operand);
  }
  batching.map(node, operands, node.attributes);
}

/// Attributes with axes of arrays of that rank, adapted to one more axis in front.
ops::Attributes one_axis_on(const ops::Attributes& attributes, std::size_t rank) {
  ops::Attributes moved = attributes;
  std::visit(
      [rank](auto& one) {
        using T = std::remove_cvref_t<decltype(one)>;
        if constexpr (requires { one.axis; }) {
          ++one.axis;
        } else if constexpr (requires { one.axes; } && !std::is_same_v<T, ops::WindowAttributes>) {
          one.axes <<= 1U;
        } else if constexpr (std::is_same_v<T, ops::PermutationAttributes>) {
          for (std::size_t i = rank; i > 0; --i) {
            one.order[i] = one.order[i - 1] + 1;
          }
          one.order[0] = 0;
        } else if constexpr (std::is_same_v<T, ops::SliceAttributes>) {
          std::ranges::rotate(one.start, one.start.end() - 1);
          std::ranges::rotate(one.step, one.step.end() - 1);
          one.start[0] = 0;
          one.step[0] = 1;
        } else if constexpr (std::is_same_v<T, ops::PadAttributes>) {
          std::ranges::rotate(one.low, one.low.end() - 1);
          std::ranges::rotate(one.step, one.step.end() - 1);
          one.low[0] = 0;
          one.step[0] = 1;
        }
      },
      moved);
  return moved;
}

/// All operands batched, and the axes shifted by one.
void map_along_axes(Batching& batching, const Node& node) {
  batching.map(node, all_with_examples(batching, node),
               one_axis_on(node.attributes, batching.type_of(node, 0).shape.rank()));
}

/// The first operand batched, and the axis shifted by one; otherwise unrolled.
void map_first_along_axis(Batching& batching, const Node& node) {
  if (batching.only_is_mapped(node, 0)) {
    batching.map(node, all_plain(batching, node),
                 one_axis_on(node.attributes, batching.type_of(node, 0).shape.rank()));
  } else {
    batching.unroll(node);
  }
}

/// The axis of the examples merged with the first axis of each operand.
void map_all_folded(Batching& batching, const Node& node) {
  std::vector<ValueId> operands = all_with_examples(batching, node);
  for (ValueId& operand : operands) {
    operand = batching.folded(operand);
  }
  batching.map_folded(node, operands);
}

/// The same for all operands except the second, a filter that all examples share; otherwise
/// unrolled.
void map_all_but_filter_folded(Batching& batching, const Node& node) {
  if (batching.is_mapped(node, 1)) {
    batching.unroll(node);
    return;
  }
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    operands.push_back(i == 1 ? batching.plain(node, i)
                              : batching.folded(batching.with_examples(node, i)));
  }
  batching.map_folded(node, operands);
}

/// All operands but the last one batched, whose numbers all examples share, and the axis, where
/// there is one, shifted by one; otherwise unrolled.
void map_all_but_last(Batching& batching, const Node& node) {
  const std::size_t last = node.operands.size() - 1;
  if (batching.is_mapped(node, last)) {
    batching.unroll(node);
    return;
  }
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < last; ++i) {
    operands.push_back(batching.with_examples(node, i));
  }
  operands.push_back(batching.plain(node, last));
  batching.map(node, operands,
               one_axis_on(node.attributes, batching.type_of(node, 0).shape.rank()));
}

/// The first operand batched, beside others that all examples share; otherwise unrolled.
void map_first_alone(Batching& batching, const Node& node) {
  if (!batching.only_is_mapped(node, 0)) {
    batching.unroll(node);
    return;
  }
  batching.map(node, all_plain(batching, node), node.attributes);
}

void map_broadcast(Batching& batching, const Node& node) {
  const Shape& shape = batching.type_of(node, 0).shape;
  const std::size_t rank = batching.from().type(node.result()).shape.rank();
  std::vector<Shape::Extent> extents{batching.examples()};
  extents.resize(1 + rank - shape.rank(), 1);
  extents.insert(extents.end(), shape.extents().begin(), shape.extents().end());
  const ValueId operand =
      batching.reshaped(batching.plain(node, 0), Shape(std::span<const Shape::Extent>(extents)));
  batching.map(node, {&operand, 1}, node.attributes);
}

/// A gather by mapped indices: the axis of the examples appears at the position of the gathered
/// axis, and moves to the front.
void map_gather(Batching& batching, const Node& node) {
  if (!batching.only_is_mapped(node, 1)) {
    map_first_along_axis(batching, node);
    return;
  }
  const std::size_t axis = std::get<ops::AxisAttributes>(node.attributes).axis;
  const Type& one = batching.from().type(node.result());
  std::vector<Shape::Extent> extents(one.shape.extents().begin(), one.shape.extents().end());
  extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(axis), batching.examples());
  const Type made{Shape(std::span<const Shape::Extent>(extents)), one.dtype};
  const ValueId chosen = batching.add(node, all_plain(batching, node), node.attributes, {&made, 1});
  batching.set(node.result(), {batching.moved_to_front(chosen, axis), true});
}

/// A product: an operand has the leading axes of the result, or none.
void map_matmul(Batching& batching, const Node& node) {
  const Shape& result = batching.from().type(node.result()).shape;
  const auto leading = result.extents().first(result.rank() - 2);
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < 2; ++i) {
    const Shape& shape = batching.type_of(node, i).shape;
    if (!batching.is_mapped(node, i) && shape.rank() == 2) {
      operands.push_back(batching.plain(node, i));
      continue;
    }
    std::vector<Shape::Extent> ones{batching.examples()};
    std::vector<Shape::Extent> full{batching.examples()};
    full.insert(full.end(), leading.begin(), leading.end());
    if (shape.rank() == 2) {
      ones.resize(1 + leading.size(), 1);
    } else {
      ones.insert(ones.end(), leading.begin(), leading.end());
    }
    for (const auto extent : shape.extents().last(2)) {
      ones.push_back(extent);
      full.push_back(extent);
    }
    const ValueId operand = batching.with_examples(node, i);
    operands.push_back(
        batching.stretched(batching.reshaped(operand, Shape(std::span<const Shape::Extent>(ones))),
                           Shape(std::span<const Shape::Extent>(full))));
  }
  batching.map(node, operands, node.attributes);
}

/// Statistics per row, or none, with weights that all examples share; otherwise unrolled.
void map_rows(Batching& batching, const Node& node) {
  if (batching.only_is_mapped(node, 0)) {
    batching.map(node, all_plain(batching, node), node.attributes);
  } else {
    batching.unroll(node);
  }
}

/// How a node with a mapped operand is computed. Each operation is listed: one without a rule does
/// not compile.
void map_node(Batching& batching, const Node& node) {
  if (node.op.is_control()) {
    batching.unroll(node);  // Examples may take different branches.
    return;
  }
  switch (node.op.row()) {
    case Op::full:
    case Op::iota:
    case Op::random_uniform:
    case Op::random_normal:
    case Op::random_bernoulli:
      batching.copy(node);
      return;

    case Op::cast:
    case Op::neg:
    case Op::abs:
    case Op::sign:
    case Op::square:
    case Op::relu:
    case Op::reciprocal:
    case Op::exp:
    case Op::expm1:
    case Op::log:
    case Op::log1p:
    case Op::sqrt:
    case Op::rsqrt:
    case Op::sin:
    case Op::cos:
    case Op::tanh:
    case Op::sigmoid:
    case Op::floor:
    case Op::ceil:
    case Op::round:
    case Op::exp2:
    case Op::log2:
    case Op::log10:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::asinh:
    case Op::acosh:
    case Op::atanh:
    case Op::erf:
    case Op::erfc:
    case Op::lgamma:
    case Op::digamma:
    case Op::gelu:
    case Op::gelu_tanh:
    case Op::silu:
    case Op::is_finite:
    case Op::is_inf:
    case Op::is_nan:
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::pow:
    case Op::maximum:
    case Op::minimum:
    case Op::squared_difference:
    case Op::remainder:
    case Op::floor_divide:
    case Op::fmod:
    case Op::atan2:
    case Op::hypot:
    case Op::polygamma:
    case Op::cotangent_product:
    case Op::cotangent_quotient:
    case Op::relu_gradient:
    case Op::tanh_gradient:
    case Op::sigmoid_gradient:
    case Op::gelu_gradient:
    case Op::gelu_tanh_gradient:
    case Op::silu_gradient:
    case Op::add_scaled:
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not:
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor:
    case Op::bitwise_not:
    case Op::left_shift:
    case Op::right_shift:
    case Op::select:
      map_elementwise(batching, node);
      return;

    case Op::broadcast_to:
      map_broadcast(batching, node);
      return;

    // The results' shapes are enough, or the axes are counted from the back.
    case Op::reshape:
    case Op::one_hot:
    case Op::argsort:
    case Op::cholesky:
    case Op::lu:
    case Op::triangular_solve:
    case Op::qr:
    case Op::svd:
    case Op::svdvals:
    case Op::eigh:
    case Op::eigvalsh:
    case Op::attention:
    case Op::attention_gradient:
    case Op::attention_with_tangent:
    case Op::attention_with_tangent_gradient:
      batching.map(node, all_with_examples(batching, node), node.attributes);
      return;

    case Op::transpose:
    case Op::slice:
    case Op::reverse:
    case Op::pad:
    case Op::update_slice:
    case Op::concatenate:
    case Op::take_along_axis:
    case Op::take_along_axis_gradient:
    case Op::sum:
    case Op::mean:
    case Op::max:
    case Op::min:
    case Op::product:
    case Op::log_sum_exp:
    case Op::all:
    case Op::any:
    case Op::argmax:
    case Op::argmin:
    case Op::cumulative_sum:
    case Op::cumulative_product:
    case Op::cumulative_max:
    case Op::cumulative_log_sum_exp:
    case Op::linear_recurrence:
    case Op::fft:
    case Op::rfft:
    case Op::irfft:
    case Op::softmax:
    case Op::softmax_gradient:
    case Op::log_softmax:
    case Op::log_softmax_gradient:
      map_along_axes(batching, node);
      return;

    case Op::update_at:
    case Op::attention_over_range:
      map_all_but_last(batching, node);
      return;

    case Op::quantized_matmul:
      map_first_alone(batching, node);
      return;

    case Op::gather:
      map_gather(batching, node);
      return;
    case Op::gather_gradient:
    case Op::resample:
    case Op::resample_gradient:
      map_first_along_axis(batching, node);
      return;

    case Op::matmul:
      map_matmul(batching, node);
      return;

    case Op::convolution:
    case Op::convolution_input_gradient:
    case Op::grey_dilation:
    case Op::grey_dilation_input_gradient:
      map_all_but_filter_folded(batching, node);
      return;

    case Op::avg_pool:
    case Op::avg_pool_gradient:
    case Op::max_pool:
    case Op::max_pool_gradient:
    case Op::softmax_cross_entropy:
    case Op::softmax_cross_entropy_gradient:
      map_all_folded(batching, node);
      return;

    case Op::batch_norm_inference:
    case Op::layer_norm:
      map_rows(batching, node);
      return;

    // Sums over each example's elements, which the batched operation would take over all examples.
    case Op::convolution_filter_gradient:
    case Op::grey_dilation_filter_gradient:
    case Op::batch_norm_training:
    case Op::batch_norm_training_gradient:
    case Op::layer_norm_gradient:
      batching.unroll(node);
      return;
  }
  __builtin_unreachable();
}

}  // namespace

Vmapped vmapped(const Graph& graph, const std::vector<bool>& mapped, Shape::Extent examples) {
  Batching batching(graph, mapped, examples);
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const Node node = graph.node(i);
    if (batching.any_is_mapped(node)) {
      map_node(batching, node);
    } else {
      batching.copy(node);
    }
  }
  std::vector<CheckId> checks;
  Graph made = std::move(batching).finish(checks);
  return {std::move(made), std::move(checks)};
}

}  // namespace ddx::ir
