/// \file
/// An operation on its way into a record.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ddx::backend::lazy {

/// What an operation with regions has in the place of attributes: the regions, which are kept, and
/// what their scalars and checks are.
struct Regions {
  std::vector<std::shared_ptr<const ir::Graph>> graphs;
  ir::ScanFields scan;
  std::vector<ir::ScalarValue> scalars;
  std::vector<ops::Check> checks;
};

/// An operation as the front end calls it: views of arrays, or of one element without a block. The
/// outputs are lazy values that no caller has yet.
struct Operation {
  ir::Operation op;
  const std::span<const ops::View>& inputs;
  const std::span<const ops::View>& outputs;
  const void* attributes;  ///< Of one with regions, its Regions.
  const ops::Check& check;
  /// The dtype of the operand that a kernel is found by, for an operation that may have none: what
  /// is recorded for the first time is asked for it. None: it has one.
  std::optional<DType> key;
};

[[nodiscard]] inline bool has_check(const Operation& operation) noexcept {
  return operation.check.before != nullptr || operation.check.after != nullptr;
}

/// Whether there are checks of it: its own, or those of its regions.
[[nodiscard]] inline bool has_demands(const Operation& operation) noexcept {
  return has_check(operation) || operation.op.is_control();
}

}  // namespace ddx::backend::lazy
