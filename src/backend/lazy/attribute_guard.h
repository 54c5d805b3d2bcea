/// \file
/// Which numbers among attributes a recorded operation takes at the run, and whether another
/// operation's attributes are the same but for these.

#pragma once

#include "ddx/ir/scalars.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ddx::backend::lazy {

/// Attributes of which some run-time fields are given at the run. Those are as by default here, so
/// that guards of operations which differ in them alone are equal.
struct AttributeGuard {
  ops::Attributes attributes;
  std::uint8_t scalars = 0;  ///< Bit i: run-time field i, in their order, is given at the run.
};

/// The scalar that a number stands for; none where rewrites can make use of its value, so that it
/// is worth a graph of its own.
[[nodiscard]] std::optional<ir::ScalarValue> scalar_of(const ops::Literal& number);

/// The guard of attributes. What they give at the run is appended to `scalars`.
[[nodiscard]] AttributeGuard guard_of(ops::Attributes attributes,
                                      std::vector<ir::ScalarValue>& scalars);

/// Whether the struct of an operation's attributes passes the guard. What it gives at the run is
/// appended to `scalars`, some of it even where it does not pass.
[[nodiscard]] bool passes(const AttributeGuard& guard, const void* kernel_attributes,
                          std::vector<ir::ScalarValue>& scalars);

}  // namespace ddx::backend::lazy
