/// \file
/// The table a back end fills: one kernel, or the reason why there is none, per operation and
/// element type.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include <array>
#include <cstddef>

namespace ddx::backend {

/// One cell: a kernel, or the word `unsupported` with a reason.
class Cell {
 public:
  constexpr Cell() = default;  ///< Unsupported, because the cell is not set.
  constexpr Cell(ops::Kernel kernel) noexcept : kernel_(kernel), reason_(nullptr) {}

  [[nodiscard]] constexpr ops::Kernel kernel() const noexcept { return kernel_; }
  /// Why there is no kernel; null where there is one.
  [[nodiscard]] constexpr const char* reason() const noexcept { return reason_; }

 private:
  friend constexpr Cell unsupported(const char* reason) noexcept;

  ops::Kernel kernel_ = nullptr;
  const char* reason_ = "this back end has no kernel for it";
};

/// The cell of an operation that a back end cannot do.
[[nodiscard]] constexpr Cell unsupported(const char* reason) noexcept {
  Cell cell;
  cell.reason_ = reason;
  return cell;
}

/// The cells of a back end, by operation and by the dtype of the operation's key operand (see
/// ops::Family).
class KernelTable {
 public:
  [[nodiscard]] constexpr const Cell& at(ops::Op op, DType dtype) const noexcept {
    return cells_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)];
  }
  constexpr void set(ops::Op op, DType dtype, Cell cell) noexcept {
    cells_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)] = cell;
  }

 private:
  std::array<std::array<Cell, dtype_count>, ops::op_count> cells_{};
};

}  // namespace ddx::backend
