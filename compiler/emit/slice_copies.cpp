#include "compiler/emit/slice_copies.h"

#include "compiler/emit/all_parts.h"

#include <algorithm>
#include <cstdlib>

namespace ddx::compiler {

using namespace ir;

/// Copies what stands in front of `loop`, which counts from `begin` to `end`.
void SliceCopies::copy_slices(const Statement& loop, const std::string& begin,
                              const std::string& end) {
  for (const SavedSlice* slice : loop.copied) {
    const bool moved = slice->home != slice->loop;
    const std::string first = moved ? speller_.text(slice->first_at_home, Sweep::Forward)
                                    : "static_cast<std::ptrdiff_t>(" + begin + ")" +
                                          speller_.text(slice->base, Sweep::Forward);
    const std::string array =
        speller_.text(moved ? slice->array_at_home : slice->array, Sweep::Forward);
    const std::string trips = moved
                                  ? speller_.text(slice->trips_at_home, Sweep::Forward)
                                  : std::string("ddx::detail::") +
                                        (loop.inclusive ? "trip_count_inclusive(" : "trip_count(") +
                                        shifted(loop, begin) + ", " + end + ", 1)";
    line(speller_.slot(slice->slot, loop.level) + " = ddx::detail::copy_range<" + slice->type +
         ">(arena, " + array + ", " + first + (slice->low < 0 ? " - " : " + ") +
         std::to_string(std::abs(slice->low)) + ", " + trips + ", " +
         std::to_string(slice->high - slice->low) + ");");
  }
  for (const SavedTile* tile : loop.tiles) {
    copy_tile(*tile);
  }
}

/// In front of the reverse sweep of `loop`: asks for what lies below its copies, of which the first
/// is lowest.
void SliceCopies::fetch_copies(const Statement& loop) {
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
    line("ddx::detail::fetch_below(arena, " + speller_.slot(lowest->slot, loop.level) + ", " +
         std::to_string(copies) + " * " + reverse_loops_.trips(loop) + " + " +
         std::to_string(more) + ");");
  }
}

void SliceCopies::copy_tile(const SavedTile& tile) {
  const SavedSlice& one = *tile.members.front();
  std::string parts;
  for (const SavedSlice* part : tile.members) {
    parts += (parts.empty() ? "{" : ", {") + std::to_string(part->row) + ", " +
             std::to_string(part->low) + ", " + std::to_string(part->high) + "}";
  }
  line(speller_.slot(tile.slot, tile.home->level) + " = ddx::detail::copy_rows<" + one.type +
       ">(arena, " + speller_.text(one.array_at_home, Sweep::Forward) + ", " +
       speller_.text(one.first_at_home, Sweep::Forward) + ", static_cast<std::ptrdiff_t>(" +
       speller_.text(tile.distance, Sweep::Forward) + "), " +
       speller_.text(tile.trips, Sweep::Forward) + ", " +
       speller_.text(one.trips_at_home, Sweep::Forward) + ", {" + parts + "});");
}

/// An element that was copied, in the reverse sweep.
std::string SliceCopies::copied(const Value& load) {
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
    array = speller_.slot(tile->slot, tile->home->level) + ".row(" + tile->over->inner->name +
            "_k" + plus(slice.row - first) + ")";
  } else {
    array = speller_.slot(slice.slot, slice.home->level);
  }
  return array + "[" + load.slice_loop->inner->name + "_k" + plus(load.slice_offset - low) + "]";
}

}  // namespace ddx::compiler
