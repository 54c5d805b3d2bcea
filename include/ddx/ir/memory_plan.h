/// \file
/// Where the values of a graph lie while it runs.

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ddx::ir {

/// The memory of a value: of a parameter, of a result, or a place in the arena, the block that
/// holds all that lives only within a run.
struct Home {
  enum class Kind : std::uint8_t { Parameter, Result, Arena };

  Kind kind = Kind::Arena;
  std::size_t place = 0;  ///< The number of the parameter or the result; in the arena, an offset.

  friend bool operator==(const Home&, const Home&) = default;
};

/// A home for every value. Values whose lives do not overlap share memory.
struct MemoryPlan {
  std::vector<Home> homes;      ///< By the number of the value.
  std::size_t arena_bytes = 0;  ///< How large the arena must be.

  [[nodiscard]] const Home& operator[](ValueId value) const noexcept {
    return homes[Graph::index(value)];
  }
};

/// Beginnings of values in the arena are multiples of this many bytes.
inline constexpr std::size_t arena_alignment = 64;

/// Plans the memory of a graph.
///
/// An elementwise operation writes over an operand of its result's type that nobody reads later, an
/// update over the array it changes, and a `reshape` moves nothing. A parameter is written over
/// only where `donated` says so (by the number of the parameter; shorter lists are filled up with
/// false): a result may then lie in its memory. A result that is a parameter which was not donated,
/// or equal to another result, lies in the other one's home: who runs the graph copies or shares.
///
/// Cost:    linear in the graph but for the search for gaps, which is linear in what is alive.
[[nodiscard]] MemoryPlan plan_memory(const Graph& graph, const std::vector<bool>& donated = {});

/// Renders the graph's lines, each with the homes of its results behind it, and the arena's size.
[[nodiscard]] std::string to_text(const Graph& graph, const MemoryPlan& plan);

}  // namespace ddx::ir
