#include "compiler/emit/emitter.h"

#include <algorithm>
#include <cstdlib>

namespace ddx::compiler {

using namespace ir;

/// Copies what stands in front of `loop`, which counts from `begin` to `end`.
void Emitter::copy_slices(const Statement& loop, const std::string& begin, const std::string& end) {
  for (const SavedSlice* slice : loop.copied) {
    const bool moved = slice->home != slice->loop;
    const std::string first =
        moved ? text(slice->first_at_home, Sweep::Forward)
              : "static_cast<std::ptrdiff_t>(" + begin + ")" + text(slice->base, Sweep::Forward);
    const std::string array = text(moved ? slice->array_at_home : slice->array, Sweep::Forward);
    const std::string trips = moved
                                  ? text(slice->trips_at_home, Sweep::Forward)
                                  : std::string("ddx::detail::") +
                                        (loop.inclusive ? "trip_count_inclusive(" : "trip_count(") +
                                        shifted(loop, begin) + ", " + end + ", 1)";
    line(slot(slice->slot, loop.level) + " = ddx::detail::copy_range<" + slice->type + ">(arena, " +
         array + ", " + first + (slice->low < 0 ? " - " : " + ") +
         std::to_string(std::abs(slice->low)) + ", " + trips + ", " +
         std::to_string(slice->high - slice->low) + ");");
  }
  for (const SavedTile* tile : loop.tiles) {
    copy_tile(*tile);
  }
}

/// In front of the reverse sweep of `loop`: asks for what lies below its copies, of which the first
/// is lowest.
void Emitter::fetch_copies(const Statement& loop) {
  const SavedSlice* lowest = nullptr;
  long copies = 0, more = 0;
  for (const SavedSlice* slice : loop.slices) {
    if (slice->home == &loop && !slice->tile) {
      lowest = lowest ? lowest : slice;
      ++copies;
      more += slice->high - slice->low;
    }
  }
  if (lowest) {
    line("ddx::detail::fetch_below(arena, " + slot(lowest->slot, loop.level) + ", " +
         std::to_string(copies) + " * " + trips(loop) + " + " + std::to_string(more) + ");");
  }
}

void Emitter::copy_tile(const SavedTile& tile) {
  const SavedSlice& one = *tile.members.front();
  std::string parts;
  for (const SavedSlice* part : tile.members) {
    parts += (parts.empty() ? "{" : ", {") + std::to_string(part->row) + ", " +
             std::to_string(part->low) + ", " + std::to_string(part->high) + "}";
  }
  line(slot(tile.slot, tile.home->level) + " = ddx::detail::copy_rows<" + one.type + ">(arena, " +
       text(one.array_at_home, Sweep::Forward) + ", " + text(one.first_at_home, Sweep::Forward) +
       ", static_cast<std::ptrdiff_t>(" + text(tile.distance, Sweep::Forward) + "), " +
       text(tile.trips, Sweep::Forward) + ", " + text(one.trips_at_home, Sweep::Forward) + ", {" +
       parts + "});");
}

/// An element that was copied, in the reverse sweep.
std::string Emitter::copied(const Value& load) {
  const auto plus = [](long constant) {
    return constant == 0 ? std::string() : " + " + std::to_string(constant);
  };
  const SavedSlice& slice = *load.slice;
  std::string array;
  long low = slice.low;
  if (const SavedTile* const tile = slice.tile) {
    long first = slice.row;
    for (const SavedSlice* part : tile->members) {
      first = std::min(first, part->row);
      low = std::min(low, part->low);
    }
    array = slot(tile->slot, tile->home->level) + ".row(" + tile->over->inner->name + "_k" +
            plus(slice.row - first) + ")";
  } else {
    array = slot(slice.slot, slice.home->level);
  }
  return array + "[" + load.slice_loop->inner->name + "_k" + plus(load.slice_offset - low) + "]";
}

}  // namespace ddx::compiler
