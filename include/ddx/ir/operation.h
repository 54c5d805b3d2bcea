/// \file
/// The operation of a node: a row of ops.def, or one of the operations that run graphs.

#pragma once

#include "ddx/core/error.h"
#include "ddx/ops/op.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ddx::ir {

/// Operations whose attributes contain graphs, called their regions. They are not rows of ops.def:
/// they have no kernels, and accept any dtypes and shapes.
enum class Control : std::uint8_t {
  Cond,       ///< cond(p, operands...; then, else): the results of one region.
  WhileLoop,  ///< while_loop(carry..., invariants...; condition, body): body while condition.
  Scan,       ///< scan(carry..., slices..., invariants...; body): body for each slice.
};

/// The maximum number of regions of a node.
inline constexpr std::size_t max_regions = 2;

/// A row of a table of the control operations.
struct ControlInfo {
  std::string_view name;
  std::array<std::string_view, max_regions>
      regions;  ///< Their names; empty where a region is missing.

  [[nodiscard]] constexpr std::size_t region_count() const noexcept {
    return regions[1].empty() ? 1 : 2;
  }
};

/// By the number of the operation.
inline constexpr std::array<ControlInfo, 3> control_table{
    {{"cond", {"then", "else"}}, {"while_loop", {"condition", "body"}}, {"scan", {"body", ""}}}};

/// The row of a control operation.
[[nodiscard]] constexpr const ControlInfo& info(Control control) noexcept {
  return control_table[static_cast<std::size_t>(control)];
}

/// The operation of a node. Compares with rows and with control operations. A caller that needs the
/// row must call row(), and so must know that there is one.
class Operation {
 public:
  constexpr Operation(ops::Op op) noexcept : code_(static_cast<std::uint16_t>(op)) {}  // NOLINT
  constexpr Operation(Control control) noexcept                                        // NOLINT
      : code_(static_cast<std::uint16_t>(first_control + static_cast<std::uint16_t>(control))) {}

  [[nodiscard]] constexpr bool is_control() const noexcept { return code_ >= first_control; }

  /// The row of ops.def.
  ///
  /// Throws:  InternalError if it is a control operation.
  [[nodiscard]] constexpr ops::Op row() const {
    if (is_control()) {
      throw InternalError(std::string(info(control()).name), "it is no row of ops.def");
    }
    return static_cast<ops::Op>(code_);
  }
  /// Requires is_control().
  [[nodiscard]] constexpr Control control() const noexcept {
    return static_cast<Control>(code_ - first_control);
  }
  /// A number that identifies the operation, the same in every process.
  [[nodiscard]] constexpr std::uint16_t code() const noexcept { return code_; }

  friend constexpr bool operator==(Operation, Operation) noexcept = default;

 private:
  static constexpr std::uint16_t first_control = 0x100;  // Above all values of ops::Op.

  std::uint16_t code_;
};

/// The name that graphs are printed with.
[[nodiscard]] constexpr std::string_view to_string(Operation operation) {
  return operation.is_control() ? info(operation.control()).name : ops::to_string(operation.row());
}

}  // namespace ddx::ir
