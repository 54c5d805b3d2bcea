/// \file
/// A node of a graph made ready to be run many times.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ddx::backend {

/// An operand that the result of a node may be written over where no other reader reads it later.
struct Overwriting {
  std::size_t operand;
  std::size_t uses;  ///< How often the node reads it.
};

/// Those of a node that is an operation.
[[nodiscard]] std::vector<Overwriting> overwritings_of(const ir::Graph& graph,
                                                       const ir::Node& node);

/// What a run of a node needs and no argument decides: found once, a run of some elements takes a
/// third of the time.
struct Launch {
  /// An array, by the number of its value.
  struct Array {
    std::size_t value;
    const ir::Type* type;
    std::size_t bytes;
  };
  std::size_t node;
  ops::Op op;
  DType key;
  const void* attributes;  ///< Null where they take scalars of the run.
  std::vector<Array> operands;
  std::vector<Array> results;
  std::vector<Overwriting> overwritings;

  /// The launch of a node, by its number, which refers to the graph; none where the node has
  /// regions or a check.
  [[nodiscard]] static std::optional<Launch> of(const ir::Graph& graph, std::size_t number);
};

}  // namespace ddx::backend
