/// \file
/// Checks one operation of a program.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/ints.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ddx::stablehlo::detail {

/// Fails with the position and name of the operation, and the fault.
class OpCheck {
 public:
  OpCheck(const Module& module, const Operation& operation)
      : module_(module), operation_(operation) {}

  [[nodiscard]] const Operation& operation() const noexcept { return operation_; }
  [[nodiscard]] std::size_t operands() const noexcept { return operation_.operands.size(); }
  [[nodiscard]] const ir::Type& operand(std::size_t i) const {
    return module_.type(operation_.operands[i]);
  }
  [[nodiscard]] const Shape& shape(std::size_t i) const { return operand(i).shape; }
  [[nodiscard]] std::size_t results() const noexcept { return operation_.result_count; }
  [[nodiscard]] const ir::Type& result(std::size_t i = 0) const {
    return module_.types[static_cast<std::size_t>(operation_.first_result) + i];
  }
  [[nodiscard]] const Module& module() const noexcept { return module_; }

  /// An attribute, or null if there is none.
  [[nodiscard]] const Attribute* find(std::string_view name) const;
  template <class A>
  [[nodiscard]] const A& get(std::string_view name) const {
    return std::get<A>(*find(name));
  }
  [[nodiscard]] const Ints& ints(std::string_view name) const { return get<Ints>(name); }
  [[nodiscard]] std::int64_t integer(std::string_view name) const {
    return get<Integer>(name).value;
  }
  /// A list of a record; empty if it is missing.
  [[nodiscard]] Ints list(std::string_view record, std::string_view field) const;
  [[nodiscard]] std::int64_t number(std::string_view record, std::string_view field) const;
  /// Checks that a record is of this kind and has no other fields.
  void require_fields(std::string_view record, std::string_view kind,
                      const std::vector<std::string_view>& names) const;

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const;
  void require(bool holds, const std::string& expected, const std::string& found) const {
    if (!holds) {
      fail(expected, found);
    }
  }
  void require_results(std::size_t count) const;

  // Sums and products of what a module says, which must fit in 64 bits.
  [[nodiscard]] std::int64_t sum(std::int64_t a, std::int64_t b) const;
  [[nodiscard]] std::int64_t product(std::int64_t a, std::int64_t b) const;
  void require_operand(std::size_t i, const ir::Type& type) const;
  void require_result(const ir::Type& type, std::size_t i = 0) const;
  /// Checks that the one result has this shape and the dtype of the first operand.
  void require_shape(const Shape& shape) const;
  /// Checks that a list has one integer for each of this many axes.
  void require_length(std::string_view name, std::size_t length) const;
  /// Checks that a list has axes below `rank`, none twice, and sorted if the specification requires
  /// that.
  void require_axes(std::string_view what, const Ints& axes, std::size_t rank,
                    bool sorted = false) const;
  /// Checks an axis below `rank`.
  [[nodiscard]] std::size_t axis(std::string_view name, std::size_t rank) const;
  void require_enumerator(std::string_view name, std::string_view kind,
                          const std::vector<std::string_view>& values) const;
  /// The parameters and results of a region.
  void require_region(std::size_t i, const std::vector<ir::Type>& parameters,
                      const std::vector<ir::Type>& returned) const;

 private:
  const Module& module_;
  const Operation& operation_;
};

/// "[1, 2]", for messages.
[[nodiscard]] std::string text_of(const Ints& list);

// Rules by what they concern, each for the operations that name it.

// rules_elementwise.cpp
void check_elementwise_rule(const OpCheck& check);
// rules_movement.cpp
void check_movement_rule(const OpCheck& check);
// rules_indexing.cpp
void check_gather(const OpCheck& check);
void check_scatter(const OpCheck& check);
void check_dynamic_slices(const OpCheck& check);
// rules_reduction.cpp
void check_reduction_rule(const OpCheck& check);
// rules_products.cpp
void check_product_rule(const OpCheck& check);
// rules_control.cpp
void check_control_rule(const OpCheck& check);
void check_collective_rule(const OpCheck& check);

/// The extents of a window operation's result along each axis; all lists have one length.
struct WindowExtents {
  Ints base;
  Ints size;
  Ints strides;
  Ints base_dilations;
  Ints window_dilations;
};
[[nodiscard]] Ints window_extents(const OpCheck& check, const WindowExtents& window,
                                  const Matrix& padding);

}  // namespace ddx::stablehlo::detail
