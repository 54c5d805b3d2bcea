#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attention.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/ops/normalization.h"
#include "ddx/ops/op.h"

#include "ir/detail/type_check.h"

#include <array>
#include <cstddef>

namespace ddx::ir::detail {

void check_normalization(const TypeCheck& check) {
  const DType dtype = check.operands[0].dtype;
  const Shape& x = check.shape(0);
  const Type channels{ops::channel_shape(check.site, x, {}), dtype};
  const bool by_row = check.op == ops::Op::layer_norm || check.op == ops::Op::layer_norm_gradient;
  const Type statistics{by_row ? ops::row_shape(x) : channels.shape, wide_dtype(dtype)};
  check.require_operand(1, channels);
  check.require_result(0, check.operands[0]);
  switch (check.op) {
    case ops::Op::batch_norm_inference:
      check.require_operand(2, channels);
      check.require_operand(3, statistics);
      check.require_operand(4, statistics);
      return;
    case ops::Op::batch_norm_training_gradient:
    case ops::Op::layer_norm_gradient:
      check.require_operand(2, statistics);
      check.require_operand(3, statistics);
      check.require_operand(4, check.operands[0]);
      check.require_result(1, channels);
      check.require_result(2, channels);
      return;
    default:  // Those that compute the statistics.
      check.require_operand(2, channels);
      check.require_result(1, statistics);
      check.require_result(2, statistics);
  }
}

void check_linear_algebra(const TypeCheck& check) {
  const DType dtype = check.operands[0].dtype;
  const Shape& x = check.shape(0);
  const ops::MatrixStack stack = ops::checked_matrices(check.site, x);
  const Type values{ops::with_vectors(x, stack.smaller()), dtype};
  const auto require_square = [&] { (void)ops::checked_square(check.site, x); };
  // The columns of a factor whose shape says whether it is complete.
  const auto columns_of = [&](const Type& factor, Shape::Extent rows) {
    const Shape& shape = factor.shape;
    const bool complete = shape.rank() > 0 && shape[shape.rank() - 1] == rows;
    return complete ? rows : stack.smaller();
  };
  switch (check.op) {
    case ops::Op::cholesky:
      require_square();
      check.require_shape(x);
      return;
    case ops::Op::lu:
      check.require_shape(x);
      check.require_result(1, {ops::with_vectors(x, stack.rows), DType::i32});
      return;
    case ops::Op::triangular_solve:
      check.require_one_dtype();
      ops::check_system(check.site, x, check.shape(1));
      check.require_shape(check.shape(1));
      return;
    case ops::Op::qr: {
      const auto columns = columns_of(check.results[0], stack.rows);
      check.require_shape(ops::with_matrices(x, stack.rows, columns));
      check.require_result(1, {ops::with_matrices(x, columns, stack.columns), dtype});
      return;
    }
    case ops::Op::svd:
      check.require_shape(
          ops::with_matrices(x, stack.rows, columns_of(check.results[0], stack.rows)));
      check.require_result(1, values);
      check.require_result(
          2, {ops::with_matrices(x, stack.columns, columns_of(check.results[2], stack.columns)),
              dtype});
      return;
    case ops::Op::svdvals:
      check.require_result(0, values);
      return;
    case ops::Op::eigh:
      require_square();
      check.require_result(0, values);
      check.require_result(1, check.operands[0]);
      return;
    case ops::Op::eigvalsh:
      require_square();
      check.require_result(0, values);
      return;
    default:  // The other families' operations.
      check.fail("there is no rule for it");
  }
}

void check_attention(const TypeCheck& check) {
  const DType dtype = check.operands[0].dtype;
  check.require_operand(1, {check.shape(1), dtype});
  check.require_operand(2, {check.shape(2), dtype});
  const Type y{ops::attention_shape(check.site, check.shape(0), check.shape(1), check.shape(2)),
               dtype};
  if (check.op == ops::Op::attention_over_range) {
    check.require_operand(3, {Shape{2}, DType::i32});
    check.require_result(0, y);
    return;
  }
  const Type row{ops::query_places(check.shape(0)), wide_dtype(dtype)};
  const bool tangent = check.op == ops::Op::attention_with_tangent ||
                       check.op == ops::Op::attention_with_tangent_gradient;
  const std::size_t arguments = tangent ? 6 : 3;
  for (std::size_t i = 3; i < arguments; ++i) {
    check.require_operand(i, check.operands[i - 3]);
  }
  const std::array<Type, 4> results{y, row, y, row};
  const std::size_t count = tangent ? 4 : 2;
  if (check.op == ops::Op::attention || check.op == ops::Op::attention_with_tangent) {
    for (std::size_t i = 0; i < count; ++i) {
      check.require_result(i, results[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    check.require_operand(arguments + i, results[i]);
  }
  for (std::size_t i = arguments + count; i < check.operands.size(); ++i) {
    check.require_operand(i, y);
  }
  for (std::size_t i = 0; i < arguments; ++i) {
    check.require_result(i, check.operands[i]);
  }
}

}  // namespace ddx::ir::detail
