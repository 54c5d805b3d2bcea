/// \file
/// Where the values of a graph are stored while it runs.

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ddx::ir {

/// The memory of a value: a parameter's, a result's, or a range of the arena, the block for values
/// that live only within a run.
struct Home {
  enum class Kind : std::uint8_t { Parameter, Result, Arena };

  Kind kind = Kind::Arena;
  std::size_t place = 0;  ///< The number of the parameter or the result; in the arena, an offset.

  friend bool operator==(const Home&, const Home&) = default;
};

/// A memory location for every value. Values whose lifetimes do not overlap share memory.
struct MemoryPlan {
  std::vector<Home> homes;      ///< By the number of the value.
  std::size_t arena_bytes = 0;  ///< The size of the arena.

  [[nodiscard]] const Home& operator[](ValueId value) const noexcept {
    return homes[Graph::index(value)];
  }
};

/// Values in the arena start at multiples of this many bytes.
inline constexpr std::size_t arena_alignment = 64;

/// Plans the memory of a graph.
///
/// An elementwise operation runs in place on an operand of its result's type that has no later use.
/// An update runs in place on the array it changes, and a `reshape` moves nothing. A parameter is
/// overwritten only if `donated` is true for its number (a shorter list is padded with false); a
/// result may then use its memory. A result that is a parameter without donation, or equal to
/// another result, has the location of that one: the caller of the run copies or shares it.
///
/// Cost:    linear in the graph, except for the search for gaps, which is linear in the live
///          values.
[[nodiscard]] MemoryPlan plan_memory(const Graph& graph, const std::vector<bool>& donated = {});

/// Renders the graph's lines, each followed by the locations of its results, and the arena's size.
[[nodiscard]] std::string to_text(const Graph& graph, const MemoryPlan& plan);

}  // namespace ddx::ir
