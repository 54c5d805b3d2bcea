/// \file
/// Differences between two graphs.

#pragma once

#include "ddx/ir/graph.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>

namespace ddx::ir {

/// A line of the user's program.
struct Line {
  std::source_location where;  ///< Line 0 where none is known.
  bool is_exact = false;       ///< Otherwise the line belongs to a neighbour in the graph.

  /// Renders as "at FILE:LINE", "near FILE:LINE", or "at an unknown line".
  [[nodiscard]] std::string text() const;
};

/// How two graphs differ at one place.
enum class DifferenceKind : std::uint8_t {
  Extra,      ///< The second has operations that the first lacks.
  Missing,    ///< The first has operations that the second lacks.
  Operation,  ///< Another operation is there.
  DType,
  Shape,
  Attribute,
  Operand,  ///< It reads another value.
  Check,    ///< Only one of them has a requirement on elements.
  Result,   ///< Other values are results of the graph.
};

/// "extra operation" and so on.
[[nodiscard]] std::string_view to_string(DifferenceKind kind) noexcept;

/// The first difference of two graphs in the order of operations. "before" is the first graph,
/// "after" the second.
struct Difference {
  DifferenceKind kind = DifferenceKind::Operation;
  std::string what;    ///< What differs: "axis of softmax", "operand 0 of matmul", "operations".
  std::string before;  ///< As it is in the first graph; empty if there is nothing.
  std::string after;
  Line line_before;
  Line line_after;
};

/// The first difference of two graphs; none if they are equal. Different source lines do not count.
///
/// Cost:    linear in the graphs.
[[nodiscard]] std::optional<Difference> first_difference(const Graph& before, const Graph& after);

/// An extent that differs between two graphs.
struct ExtentChange {
  std::int64_t before = 0;
  std::int64_t after = 0;
  bool is_leading = false;  ///< Of the first axis of the first array that differs, as for a batch.
};

/// The one extent in which two graphs differ, with others that are multiples of it: the size of a
/// batch, the length of a sequence. None if they differ otherwise, or are equal.
///
/// Cost:    linear in the graphs.
[[nodiscard]] std::optional<ExtentChange> extent_change(const Graph& before, const Graph& after);

/// The distance between two graphs, which determines the nearest one. Graphs are compared from
/// their beginnings and from their ends.
struct Distance {
  std::size_t unmatched =
      0;  ///< Operations of one graph without a counterpart of that name in the other.
  std::size_t changed = 0;  ///< Of the others, those that differ in types or attributes.

  friend auto operator<=>(const Distance&, const Distance&) = default;
};

/// Cost:    linear in the graphs.
[[nodiscard]] Distance distance(const Graph& a, const Graph& b);

/// The user's line of a node. If it has none, or one in a derivative of this library, the line of
/// the first node that reads its result, or else of the last one that computes an operand.
///
/// Cost:    O(1) if it has one, otherwise linear in the graph.
[[nodiscard]] Line line_of(const Graph& graph, std::size_t node);

}  // namespace ddx::ir
