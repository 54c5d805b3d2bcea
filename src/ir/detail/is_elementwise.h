/// \file
/// Which operations compute each element of their result from one element of each operand.

#pragma once

#include "ddx/ir/operation.h"
#include "ddx/ops/op.h"

namespace ddx::ir::detail {

/// Whether the operation is of a family that is elementwise, with broadcasting.
[[nodiscard]] constexpr bool is_elementwise(Operation op) {
  if (op.is_control()) {
    return false;
  }
  switch (ops::info(op.row()).family) {
    case ops::Family::Cast:
    case ops::Family::Unary:
    case ops::Family::Binary:
    case ops::Family::ScaledSum:
    case ops::Family::Comparison:
    case ops::Family::Predicate:
    case ops::Family::Select:
      return true;
    case ops::Family::Creation:
    case ops::Family::Random:
    case ops::Family::Movement:
    case ops::Family::Update:
    case ops::Family::Concatenation:
    case ops::Family::Indexing:
    case ops::Family::Reduction:
    case ops::Family::ArgReduction:
    case ops::Family::Sorting:
    case ops::Family::Cumulative:
    case ops::Family::Fourier:
    case ops::Family::Matmul:
    case ops::Family::QuantizedProduct:
    case ops::Family::Convolution:
    case ops::Family::Resampling:
    case ops::Family::Pooling:
    case ops::Family::Morphology:
    case ops::Family::Normalization:
    case ops::Family::Softmax:
    case ops::Family::CrossEntropy:
    case ops::Family::LinearAlgebra:
    case ops::Family::Attention:
      return false;
  }
  __builtin_unreachable();
}

/// Whether each element of the result depends only on the operands' elements at its position, so
/// that the operation can be fused into a loop.
[[nodiscard]] constexpr bool runs_in_loop(Operation op) {
  return is_elementwise(op) || op == ops::Op::broadcast_to;
}

}  // namespace ddx::ir::detail
