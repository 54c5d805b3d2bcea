// Rules of reductions, windows, and sorting.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include "stablehlo/detail/op_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ddx::stablehlo::detail {
namespace {

void check_reduce(const OpCheck& check) {
  check.require(check.operands() > 0 && check.operands() % 2 == 0,
                "operands, and as many initial values",
                std::to_string(check.operands()) + " operands");
  const std::size_t count = check.operands() / 2;
  check.require_results(count);
  const Shape& x = check.shape(0);
  const Ints& axes = check.ints("dimensions");
  check.require_axes("dimensions", axes, x.rank());
  Ints kept;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (std::ranges::find(axes, static_cast<std::int64_t>(axis)) == axes.end()) {
      kept.push_back(x[axis]);
    }
  }
  std::vector<ir::Type> elements;
  for (std::size_t i = 0; i < count; ++i) {
    const DType dtype = check.operand(i).dtype;
    check.require_operand(i, {x, dtype});
    check.require_operand(count + i, {{}, dtype});
    check.require_result({shape_of(kept), dtype}, i);
    elements.push_back({{}, dtype});
  }
  std::vector<ir::Type> pairs = elements;
  pairs.insert(pairs.end(), elements.begin(), elements.end());
  check.require_region(0, pairs, elements);
}

Ints extents_of(const Shape& shape) {
  return {shape.extents().begin(), shape.extents().end()};
}

void check_reduce_window(const OpCheck& check) {
  check.require_results(1);
  const Shape& x = check.shape(0);
  for (const char* name :
       {"window_dimensions", "window_strides", "base_dilations", "window_dilations"}) {
    check.require_length(name, x.rank());
  }
  const ir::Type element{{}, check.operand(0).dtype};
  check.require_operand(1, element);
  const Ints extents =
      window_extents(check,
                     {extents_of(x), check.ints("window_dimensions"), check.ints("window_strides"),
                      check.ints("base_dilations"), check.ints("window_dilations")},
                     check.get<Matrix>("padding"));
  check.require_shape(shape_of(extents));
  check.require_region(0, {element, element}, {element});
}

void check_select_and_scatter(const OpCheck& check) {
  check.require_results(1);
  const Shape& x = check.shape(0);
  for (const char* name : {"window_dimensions", "window_strides"}) {
    check.require_length(name, x.rank());
  }
  const Ints ones(x.rank(), 1);
  const Ints extents = window_extents(
      check,
      {extents_of(x), check.ints("window_dimensions"), check.ints("window_strides"), ones, ones},
      check.get<Matrix>("padding"));
  const ir::Type element{{}, check.operand(0).dtype};
  check.require_operand(1, {shape_of(extents), element.dtype});
  check.require_operand(2, element);
  check.require_shape(x);
  check.require_region(0, {element, element}, {{{}, DType::boolean}});
  check.require_region(1, {element, element}, {element});
}

void check_sort(const OpCheck& check) {
  check.require(check.operands() > 0, "an operand", "none");
  check.require_results(check.operands());
  (void)check.axis("dimension", check.shape(0).rank());
  std::vector<ir::Type> pairs;
  for (std::size_t i = 0; i < check.operands(); ++i) {
    const DType dtype = check.operand(i).dtype;
    check.require_operand(i, {check.shape(0), dtype});
    check.require_result(check.operand(i), i);
    pairs.push_back({{}, dtype});
    pairs.push_back({{}, dtype});
  }
  check.require_region(0, pairs, {{{}, DType::boolean}});
}

}  // namespace

Ints window_extents(const OpCheck& check, const WindowExtents& window, const Matrix& padding) {
  const std::size_t axes = window.base.size();
  check.require((padding.columns == 2 || axes == 0) && padding.values.size() == 2 * axes,
                "padding of " + std::to_string(axes) + " pairs",
                std::to_string(padding.values.size()) + " integers");
  Ints extents;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const bool positive = window.size[axis] > 0 && window.strides[axis] > 0 &&
                          window.base_dilations[axis] > 0 && window.window_dilations[axis] > 0;
    check.require(positive, "sizes, strides and dilations that are positive",
                  std::to_string(window.size[axis]) + ", " + std::to_string(window.strides[axis]) +
                      ", " + std::to_string(window.base_dilations[axis]) + " and " +
                      std::to_string(window.window_dilations[axis]) + " on axis " +
                      std::to_string(axis));
    const std::int64_t base = window.base[axis];
    const std::int64_t dilated =
        base == 0 ? 0 : check.sum(check.product(base - 1, window.base_dilations[axis]), 1);
    const std::int64_t padded =
        check.sum(check.sum(padding.values[2 * axis], dilated), padding.values[2 * axis + 1]);
    const std::int64_t reach =
        check.sum(check.product(window.size[axis] - 1, window.window_dilations[axis]), 1);
    check.require(padded >= 0, "an extent that is not negative with its padding",
                  std::to_string(padded) + " on axis " + std::to_string(axis));
    extents.push_back(padded < reach ? 0 : (padded - reach) / window.strides[axis] + 1);
  }
  return extents;
}

void check_reduction_rule(const OpCheck& check) {
  switch (info(check.operation().code).rule) {
    case Rule::Reduce:
      check_reduce(check);
      return;
    case Rule::ReduceWindow:
      check_reduce_window(check);
      return;
    case Rule::SelectAndScatter:
      check_select_and_scatter(check);
      return;
    default:
      check_sort(check);
  }
}

}  // namespace ddx::stablehlo::detail
