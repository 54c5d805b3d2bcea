/// \file
/// Printing and parsing graphs as text.
///
///   graph(%0: f32[128, 10], %1: i32[4]; #0: number; checks 1) {
///     %2: f32[] = full() {value = #0}
///     %3: f32[128, 10] = mul(%0, %2)
///     %4: f32[128] = sum(%3) {axes = 2}
///     %5: f32[4] = gather(%4, %1) !0
///     return %5, %3
///   }
///
/// Values are numbered from 0, parameters first. Attributes with default values are omitted, as are
/// the ends of lists. `#0` is the first scalar, `!0` the first check. A number is followed by `i`
/// if its integer form is equal; otherwise it is written `(real, integer)`, and a complex one
/// `(real, integer, imaginary)`.
///
/// An operation with regions lists, after its operands, the scalars and checks passed to them, and
/// has the regions in braces after the fields of a scan:
///
///   %4: f32[], %5: f32[9] = scan(%0, %1, %2; #0; !1) {
///     carries = 1,
///     slices = 1,
///     trips = 9,
///     body = graph(%0: f32[], %1: f32[], %2: f32[]; #0: number; checks 1) {
///       ...
///     }
///   }

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

namespace ddx::ir {

/// Renders as "f32[2, 3]".
[[nodiscard]] std::string to_string(const Type& type);
/// Writes what to_string gives.
std::ostream& operator<<(std::ostream& stream, const Type& type);

/// Renders the graph, one line per node, each with a line feed.
[[nodiscard]] std::string to_text(const Graph& graph);
/// Writes what to_text gives.
std::ostream& operator<<(std::ostream& stream, const Graph& graph);

/// Renders one node as its line, without indentation, line feed and regions.
[[nodiscard]] std::string to_text(const Graph& graph, std::size_t node);

/// Parses the output of `to_text`. Spaces and line ends only separate.
///
/// Throws:  UsageError if the text is not a graph: the expected and the found text, line and
///          column.
///          The graph is not verified.
[[nodiscard]] Graph parse_graph(std::string_view text);

}  // namespace ddx::ir
