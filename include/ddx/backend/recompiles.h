/// \file
/// Why the lazy device has made graphs ready that it could not find among those it knew.

#pragma once

#include "ddx/ir/graph_diff.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ddx::backend {

/// One compiled graph, and its difference from the nearest known one.
struct Recompile {
  std::uint64_t number = 0;                  ///< From 1, since the history began.
  std::size_t operations = 0;                ///< Of the graph, as recorded.
  std::chrono::nanoseconds compile_time{};   ///< What it took to make it ready.
  std::optional<ir::Distance> distance;      ///< From the nearest one; none where none was known.
  std::optional<ir::Difference> difference;  ///< The first one.
  std::optional<ir::ExtentChange> extent;    ///< Where the size of a batch, say, differs alone.
};

/// Keeps a history of what is compiled from now on, of the latest `most` graphs; 0 ends it, as it
/// is at the start. What it knew is forgotten. While there is none, it costs a load at each
/// compilation, and nothing else.
void set_recompile_history(std::size_t most);

/// The history, from the oldest to the latest, all threads together.
///
/// Throws:  std::bad_alloc.
[[nodiscard]] std::vector<Recompile> recompiles();

/// The history as text: for each graph how far it is from the nearest one that was known, the first
/// difference, and the lines of the program that it comes from. Says how to begin where there is
/// no history.
[[nodiscard]] std::string explain_recompiles();

}  // namespace ddx::backend
