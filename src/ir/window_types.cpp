#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/ops/window.h"

#include "ir/detail/type_check.h"

#include <cstddef>

namespace ddx::ir::detail {
namespace {

/// Checks that the window is as large as the filter.
void check_window(const TypeCheck& check, const Shape& filter) {
  const auto& window = check.as<ops::WindowAttributes>();
  for (std::size_t axis = 0; axis < window.axes; ++axis) {
    check.require(window.size[axis] == filter[axis], "the window is not the filter's");
  }
}

}  // namespace

void check_convolution(const TypeCheck& check) {
  check.require_one_dtype();
  const Shape& made = check.results[0].shape;
  const bool to_input = check.op == ops::Op::convolution_input_gradient;
  const bool to_filter = check.op == ops::Op::convolution_filter_gradient;
  const Shape& input = to_input ? made : check.shape(0);
  const Shape& filter = to_filter ? made : check.shape(1);
  const Shape output =
      ops::convolution_shape(check.site, input, filter, check.as<ops::WindowAttributes>());
  check_window(check, filter);
  if (to_input || to_filter) {
    check.require_operand(to_input ? 0 : 1, {output, check.operands[0].dtype});
  } else {
    check.require_shape(output);
  }
}

void check_pooling(const TypeCheck& check) {
  const auto& window = check.as<ops::WindowAttributes>();
  switch (check.op) {
    case ops::Op::avg_pool_gradient:
      check.require_operand(0, {ops::pool_shape(check.site, check.results[0].shape, window),
                                check.operands[0].dtype});
      return;
    case ops::Op::max_pool_gradient:
      check.require_operand(
          1, {ops::pool_shape(check.site, check.shape(0), window), check.operands[0].dtype});
      check.require_shape(check.shape(0));
      return;
    default:  // The poolings themselves.
      check.require_shape(ops::pool_shape(check.site, check.shape(0), window));
  }
}

void check_morphology(const TypeCheck& check) {
  check.require_one_dtype();
  const Shape output = ops::morphology_shape(check.site, check.shape(0), check.shape(1),
                                             check.as<ops::WindowAttributes>());
  check_window(check, check.shape(1));
  if (check.op == ops::Op::grey_dilation) {
    check.require_shape(output);
    return;
  }
  check.require_operand(2, {output, check.operands[0].dtype});
  check.require_shape(check.shape(check.op == ops::Op::grey_dilation_input_gradient ? 0 : 1));
}

}  // namespace ddx::ir::detail
