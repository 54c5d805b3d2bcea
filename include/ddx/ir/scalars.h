/// \file
/// The numbers passed to a run of a graph.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"

#include <span>
#include <variant>

namespace ddx::ir {

/// The value of a scalar.
using ScalarValue = std::variant<ops::Literal, RandomKey>;

/// The attributes of a node with its run-time fields filled in. `values` has an element for each
/// scalar of the graph, each of its kind.
[[nodiscard]] ops::Attributes bound_attributes(const Node& node,
                                               std::span<const ScalarValue> values);

}  // namespace ddx::ir
