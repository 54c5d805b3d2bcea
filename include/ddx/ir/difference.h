/// \file
/// What tells one graph from another.

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
  bool is_exact = false;       ///< Else it is that of a neighbour in the graph.

  /// Renders as "at FILE:LINE", "near FILE:LINE", or "at an unknown line".
  [[nodiscard]] std::string text() const;
};

/// In what two graphs differ at one place.
enum class DifferenceKind : std::uint8_t {
  Extra,      ///< The second has operations that the first lacks.
  Missing,    ///< The first has operations that the second lacks.
  Operation,  ///< Another operation stands there.
  DType,
  Shape,
  Attribute,
  Operand,  ///< It reads another value.
  Check,    ///< One demands something of elements, the other does not.
  Result,   ///< Other values are results of the graph.
};

/// "extra operation" and so on.
[[nodiscard]] std::string_view to_string(DifferenceKind kind) noexcept;

/// The first place, in the order of the operations, where two graphs differ. Of the first graph is
/// what is called "before", of the second "after".
struct Difference {
  DifferenceKind kind = DifferenceKind::Operation;
  std::string what;    ///< What differs: "axis of softmax", "operand 0 of matmul", "operations".
  std::string before;  ///< As it is in the first graph; empty where there is nothing.
  std::string after;
  Line line_before;
  Line line_after;
};

/// Where two graphs differ first; none where they are equal. Lines that differ are no difference.
///
/// Cost:    linear in the graphs.
[[nodiscard]] std::optional<Difference> first_difference(const Graph& before, const Graph& after);

/// An extent that another graph has in its place.
struct ExtentChange {
  std::int64_t before = 0;
  std::int64_t after = 0;
  bool is_leading = false;  ///< Of the first axis of the first array that differs, as in batches.
};

/// What two graphs differ in where that is one extent alone, and those that are multiples of it:
/// the size of a batch, the length of a sequence. None where they differ otherwise, or are equal.
///
/// Cost:    linear in the graphs.
[[nodiscard]] std::optional<ExtentChange> extent_change(const Graph& before, const Graph& after);

/// How far one graph is from another: what tells the nearest one. Graphs are compared from their
/// beginnings and from their ends.
struct Distance {
  std::size_t unmatched = 0;  ///< Operations of either where the other has none of that name.
  std::size_t changed = 0;    ///< Of the others, those that differ in types or attributes.

  friend auto operator<=>(const Distance&, const Distance&) = default;
};

/// Cost:    linear in the graphs.
[[nodiscard]] Distance distance(const Graph& a, const Graph& b);

/// The user's line of a node; where it has none, or one of this library's own derivatives, of the
/// first one that reads what it makes, or else of the last one that makes what it reads.
///
/// Cost:    O(1) where it has one, else linear in the graph.
[[nodiscard]] Line line_of(const Graph& graph, std::size_t node);

}  // namespace ddx::ir
