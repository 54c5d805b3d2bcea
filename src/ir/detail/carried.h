/// \file
/// The carry of operations with regions.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"

#include <cstddef>

namespace ddx::ir::detail {

/// How many operands of an operation with regions are its carry, whose last values are its first
/// results.
[[nodiscard]] inline std::size_t carried(const Node& node) {
  switch (node.op.control()) {
    case Control::Cond:
      return 0;
    case Control::WhileLoop:
      return node.result_count;
    case Control::Scan:
      return node.scan.carries;
  }
  __builtin_unreachable();
}

}  // namespace ddx::ir::detail
