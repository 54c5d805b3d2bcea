#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "ir/detail/type_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ddx::ir::detail {
namespace {

void check_transpose(const TypeCheck& check) {
  const auto& order = check.as<ops::PermutationAttributes>().order;
  const Shape& x = check.shape(0);
  std::uint32_t seen = 0;
  std::vector<Shape::Extent> extents;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    check.require(order[axis] < x.rank() && ((seen >> order[axis]) & 1U) == 0,
                  "the order is no permutation of the axes");
    seen |= 1U << order[axis];
    extents.push_back(x[order[axis]]);
  }
  check.require_shape(Shape(extents));
}

/// Where the last one of so many elements is.
std::int64_t end_of(const TypeCheck& check, std::int64_t start, std::int64_t extent,
                    std::int64_t step) {
  return check.site.sum(start, check.site.product(extent - 1, step));
}

/// Checks that the box of shape `part` is inside `whole`.
void check_box(const TypeCheck& check, const Shape& whole, const Shape& part) {
  const auto& box = check.as<ops::SliceAttributes>();
  check.require(whole.rank() == part.rank(), "the box has another rank");
  for (std::size_t axis = 0; axis < whole.rank(); ++axis) {
    check.require(box.step[axis] > 0, "a step is not positive");
    check.require(box.start[axis] >= 0, "the box reaches beyond the array");
    check.require(
        part[axis] == 0 || end_of(check, box.start[axis], part[axis], box.step[axis]) < whole[axis],
        "the box reaches beyond the array");
  }
}

/// The shape with the axis replaced by those of `in_its_place`.
Shape replaced_axis(const Shape& x, std::size_t axis, const Shape& in_its_place) {
  const auto all = x.extents();
  const auto inserted = in_its_place.extents();
  std::vector<Shape::Extent> extents(all.begin(), all.end());
  const auto at = extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(axis));
  extents.insert(at, inserted.begin(), inserted.end());
  return Shape(extents);
}

/// Checks that both shapes are equal except along one axis.
void check_beside_axis(const TypeCheck& check, const Shape& a, const Shape& b, std::size_t axis) {
  check.require(a.rank() == b.rank() && axis < a.rank(), "the axis does not exist in both");
  for (std::size_t i = 0; i < a.rank(); ++i) {
    check.require(i == axis || a[i] == b[i], "extents beside the axis differ");
  }
}

}  // namespace

void check_movement(const TypeCheck& check) {
  const Shape& x = check.shape(0);
  const Shape& y = check.results[0].shape;
  switch (check.op) {
    case ops::Op::reshape:
      check.require(x.count() == y.count(), "the counts of elements differ");
      return;
    case ops::Op::broadcast_to:
      check.require(broadcasts_to(x, y), "the operand does not stretch to the result");
      return;
    case ops::Op::transpose:
      check_transpose(check);
      return;
    case ops::Op::slice:
      check_box(check, x, y);
      return;
    case ops::Op::reverse:
      check.require(check.as<ops::AxesAttributes>().axes >> x.rank() == 0,
                    "an axis to reverse does not exist");
      check.require_shape(x);
      return;
    case ops::Op::pad:
      check.require(x.rank() == y.rank(), "the ranks differ");
      for (std::size_t axis = 0; axis < x.rank(); ++axis) {
        const auto& [low, step, value] = check.as<ops::PadAttributes>();
        check.require(step[axis] > 0, "a step is not positive");
        check.require(low[axis] >= -Shape::max_count && low[axis] <= Shape::max_count,
                      "the padding is larger than any shape");
        (void)end_of(check, low[axis], std::max<std::int64_t>(x[axis], 1), step[axis]);
      }
      return;
    default:  // The other families' operations.
      check.fail("there is no rule for it");
  }
}

void check_update(const TypeCheck& check) {
  if (check.op == ops::Op::update_at) {
    const std::size_t axis = check.as<ops::AxisAttributes>().axis;
    check_beside_axis(check, check.shape(0), check.shape(1), axis);
    check.require(check.shape(1)[axis] <= check.shape(0)[axis],
                  "the update is longer than what it is to replace");
    check.require_operand(1, {check.shape(1), check.operands[0].dtype});
    check.require_operand(2, {Shape{}, DType::i32});
    check.require_shape(check.shape(0));
    return;
  }
  check.require_one_dtype();
  check_box(check, check.shape(0), check.shape(1));
  check.require_shape(check.shape(0));
}

void check_concatenation(const TypeCheck& check) {
  check.require_one_dtype();
  const std::size_t axis = check.as<ops::AxisAttributes>().axis;
  Shape::Extent sum = 0;
  for (const Type& part : check.operands) {
    check_beside_axis(check, check.shape(0), part.shape, axis);
    sum = check.site.sum(sum, part.shape[axis]);
  }
  check.require_shape(replaced_axis(check.shape(0), axis, {sum}));
}

void check_indexing(const TypeCheck& check) {
  const Shape& y = check.results[0].shape;
  if (check.op == ops::Op::one_hot) {
    check.require_operand(0, {check.shape(0), DType::i32});
    check.require(y.rank() == check.shape(0).rank() + 1 &&
                      replaced_axis(y, y.rank() - 1, {}) == check.shape(0),
                  "the result is not the indices with one axis more");
    return;
  }
  const std::size_t axis = check.as<ops::AxisAttributes>().axis;
  const Shape& indices = check.shape(1);
  check.require_operand(1, {indices, DType::i32});
  switch (check.op) {
    case ops::Op::gather:
      check.require(axis < check.shape(0).rank(), "the axis does not exist");
      check.require_shape(replaced_axis(check.shape(0), axis, indices));
      return;
    case ops::Op::gather_gradient:
      check.require(axis < y.rank(), "the axis does not exist");
      check.require_operand(0, {replaced_axis(y, axis, indices), check.operands[0].dtype});
      return;
    case ops::Op::take_along_axis:
      check_beside_axis(check, check.shape(0), indices, axis);
      check.require_shape(indices);
      return;
    case ops::Op::take_along_axis_gradient:
      check.require_operand(0, {indices, check.operands[0].dtype});
      check_beside_axis(check, y, indices, axis);
      return;
    default:  // The other families' operations.
      check.fail("there is no rule for it");
  }
}

}  // namespace ddx::ir::detail
