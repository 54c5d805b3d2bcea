#include "ir/detail/batching.h"

#include "ddx/core/checked.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::ir::detail {
namespace {

/// A shape whose first extents are replaced.
Shape with_front(std::initializer_list<Shape::Extent> front, const Shape& shape, std::size_t from) {
  std::vector<Shape::Extent> extents(front);
  const auto rest = shape.extents().subspan(from);
  extents.insert(extents.end(), rest.begin(), rest.end());
  return Shape(extents, "vmap");
}

}  // namespace

Batching::Batching(const Graph& from, const std::vector<bool>& mapped, Shape::Extent examples)
    : from_(from), examples_(examples), map_(from.value_count()) {
  for (const ScalarKind kind : from.scalars()) {
    to_.add_scalar(kind);
  }
  const auto parameters = from.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Type& type = from.type(parameters[i]);
    set(parameters[i], {to_.add_parameter(mapped[i] ? for_all(type) : type), mapped[i]});
  }
}

bool Batching::any_is_mapped(const Node& node) const noexcept {
  return std::ranges::any_of(node.operands,
                             [this](ValueId operand) { return (*this)[operand].is_mapped; });
}

bool Batching::only_is_mapped(const Node& node, std::size_t operand) const noexcept {
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    if (is_mapped(node, i) != (i == operand)) {
      return false;
    }
  }
  return true;
}

Shape Batching::for_all(const Shape& shape) const {
  if (shape.rank() == Shape::max_rank) {
    throw UsageError("vmap", "an array of shape " + to_string(shape) +
                                 " has no place for one axis more: shapes have at most " +
                                 std::to_string(Shape::max_rank));
  }
  return with_front({examples_}, shape, 0);
}

ValueId Batching::reshaped(ValueId value, const Shape& shape) {
  const Type& type = to_.type(value);
  return type.shape == shape ? value
                             : to_.add_node(ops::Op::reshape, {value}, ops::NoAttributes{},
                                            Type{shape, type.dtype});
}

ValueId Batching::stretched(ValueId value, const Shape& shape) {
  const Type& type = to_.type(value);
  return type.shape == shape ? value
                             : to_.add_node(ops::Op::broadcast_to, {value}, ops::NoAttributes{},
                                            Type{shape, type.dtype});
}

ValueId Batching::folded(ValueId value) {
  const Shape shape = to_.type(value).shape;
  return reshaped(value, with_front({shape[0] * shape[1]}, shape, 2));
}

ValueId Batching::moved_to_front(ValueId value, std::size_t axis) {
  const Type type = to_.type(value);
  if (axis == 0) {
    return value;
  }
  ops::PermutationAttributes permutation;
  std::vector<Shape::Extent> extents{type.shape[axis]};
  permutation.order[0] = axis;
  for (std::size_t i = 0; i < type.shape.rank(); ++i) {
    if (i != axis) {
      permutation.order[extents.size()] = i;
      extents.push_back(type.shape[i]);
    }
  }
  return to_.add_node(ops::Op::transpose, {value}, permutation,
                      Type{Shape(std::span<const Shape::Extent>(extents)), type.dtype});
}

ValueId Batching::for_all_examples(const Batched& value) {
  if (value.is_mapped) {
    return value.value;
  }
  const Shape shape = to_.type(value.value).shape;
  return stretched(reshaped(value.value, with_front({1}, shape, 0)), for_all(shape));
}

ValueId Batching::with_examples(const Node& node, std::size_t operand) {
  return for_all_examples((*this)[node.operands[operand]]);
}

std::vector<Type> Batching::results_of(const Node& node) const {
  std::vector<Type> results;
  for (std::size_t i = 0; i < node.result_count; ++i) {
    results.push_back(from_.type(node.result(i)));
  }
  return results;
}

ValueId Batching::add(const Node& like, std::span<const ValueId> operands,
                      const ops::Attributes& attributes, std::span<const Type> results) {
  const auto own = [this](CheckId check) {
    checks_.push_back(check);
    return to_.add_checks();
  };
  if (like.op.is_control()) {
    ControlFlow flow{like.op.control(), {operands.begin(), operands.end()}, {}, like.scan, {}, {}};
    flow.scalars.assign(like.region_scalars.begin(), like.region_scalars.end());
    for (const RegionId region : like.regions) {
      flow.regions.push_back(from_.shared_region(region));
    }
    for (const CheckId check : like.region_checks) {
      flow.checks.push_back(own(check));
    }
    return to_.add_control(flow, results, like.where);
  }
  const CheckId check = like.check == unchecked ? unchecked : own(like.check);
  return to_.add_node(like.op.row(), operands, attributes, results, like.scalars, like.where,
                      check);
}

void Batching::map(const Node& node, std::span<const ValueId> operands,
                   const ops::Attributes& attributes) {
  std::vector<Type> results = results_of(node);
  for (Type& result : results) {
    result = for_all(result);
  }
  const ValueId first = add(node, operands, attributes, results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    set(node.result(i), {static_cast<ValueId>(Graph::index(first) + i), true});
  }
}

void Batching::map_folded(const Node& node, std::span<const ValueId> operands) {
  const std::vector<Type> one = results_of(node);
  std::vector<Type> results;
  for (const Type& type : one) {
    results.push_back(
        {with_front({checked_product(examples_, type.shape[0], "vmap")}, type.shape, 1),
         type.dtype});
  }
  const ValueId first = add(node, operands, node.attributes, results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto result = static_cast<ValueId>(Graph::index(first) + i);
    set(node.result(i), {reshaped(result, for_all(one[i].shape)), true});
  }
}

ValueId Batching::example(ValueId all, Shape::Extent number) {
  const Type type = to_.type(all);
  ops::SliceAttributes slice;
  slice.start[0] = number;
  slice.step.fill(0);
  for (std::size_t axis = 0; axis < type.shape.rank(); ++axis) {
    slice.step[axis] = 1;
  }
  const ValueId part =
      to_.add_node(ops::Op::slice, {all}, slice, Type{with_front({1}, type.shape, 1), type.dtype});
  return reshaped(part, with_front({}, type.shape, 1));
}

ValueId Batching::put_together(std::span<const ValueId> parts, const Type& one) {
  const Type all = for_all(one);
  if (parts.empty()) {
    return to_.add_node(ops::Op::full, {}, ops::FullAttributes{}, all);
  }
  std::vector<ValueId> rows;
  for (const ValueId part : parts) {
    rows.push_back(reshaped(part, with_front({1}, one.shape, 0)));
  }
  return rows.size() == 1
             ? rows[0]
             : to_.add_node(ops::Op::concatenate, rows, ops::AxisAttributes{}, {&all, 1});
}

void Batching::unroll(const Node& node) {
  const std::vector<Type> types = results_of(node);
  std::vector<std::vector<ValueId>> parts(types.size());
  for (Shape::Extent i = 0; i < examples_; ++i) {
    std::vector<ValueId> operands;
    for (const ValueId old : node.operands) {
      const Batched operand = (*this)[old];
      operands.push_back(operand.is_mapped ? example(operand.value, i) : operand.value);
    }
    const ValueId first = add(node, operands, node.attributes, types);
    for (std::size_t k = 0; k < types.size(); ++k) {
      parts[k].push_back(static_cast<ValueId>(Graph::index(first) + k));
    }
  }
  for (std::size_t k = 0; k < types.size(); ++k) {
    set(node.result(k), {put_together(parts[k], types[k]), true});
  }
}

void Batching::copy(const Node& node) {
  std::vector<ValueId> operands;
  for (const ValueId operand : node.operands) {
    operands.push_back((*this)[operand].value);
  }
  const std::vector<Type> results = results_of(node);
  const ValueId first = add(node, operands, node.attributes, results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    set(node.result(i), {static_cast<ValueId>(Graph::index(first) + i), false});
  }
}

Graph Batching::finish(std::vector<CheckId>& checks) && {
  checks = std::move(checks_);
  std::vector<ValueId> results;
  for (const ValueId result : from_.results()) {
    results.push_back(for_all_examples((*this)[result]));
  }
  to_.set_results(std::move(results));
  return std::move(to_);
}

}  // namespace ddx::ir::detail
