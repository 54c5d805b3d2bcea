/// \file
/// Which operands an operation may overwrite with its result.

#pragma once

#include "ddx/ir/operation.h"
#include "ddx/ops/op.h"

#include <cstddef>

namespace ddx::ir::detail {

/// The number of operands, from the first one on, that the result may overwrite if they have its
/// type.
[[nodiscard]] constexpr std::size_t operands_to_overwrite(Operation op) {
  if (op.is_control()) {
    return 0;
  }
  switch (ops::info(op.row()).family) {
    case ops::Family::Unary:
    case ops::Family::Binary:
    case ops::Family::ScaledSum:
      return 2;
    case ops::Family::Update:
      return 1;
    default:  // Kernels of the other families may read after they have written.
      return 0;
  }
}

}  // namespace ddx::ir::detail
