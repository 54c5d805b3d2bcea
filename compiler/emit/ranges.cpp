#include "compiler/emit/emitter.h"

#include <algorithm>
#include <cstdlib>

namespace ddx::compiler {

using namespace ir;

/// Copies what stands in front of `loop`, which counts from `begin` to `end`.
void Emitter::copy_ranges(const Statement& loop, const std::string& begin, const std::string& end) {
  for (const Range* range : loop.copied) {
    const bool moved = range->home != range->loop;
    const std::string first =
        moved ? text(range->first_at_home, Sweep::Forward)
              : "static_cast<std::ptrdiff_t>(" + begin + ")" + text(range->base, Sweep::Forward);
    const std::string array = text(moved ? range->array_at_home : range->array, Sweep::Forward);
    const std::string trips = moved
                                  ? text(range->trips_at_home, Sweep::Forward)
                                  : std::string("ddx::detail::") +
                                        (loop.inclusive ? "trip_count_inclusive(" : "trip_count(") +
                                        shifted(loop, begin) + ", " + end + ", 1)";
    line(slot(range->slot, loop.level) + " = ddx::detail::copy_range<" + range->type + ">(arena, " +
         array + ", " + first + (range->low < 0 ? " - " : " + ") +
         std::to_string(std::abs(range->low)) + ", " + trips + ", " +
         std::to_string(range->high - range->low) + ");");
  }
  for (const Rows* rows : loop.rows) {
    copy_rows(*rows);
  }
}

void Emitter::copy_rows(const Rows& rows) {
  const Range& one = *rows.members.front();
  std::string parts;
  for (const Range* part : rows.members) {
    parts += (parts.empty() ? "{" : ", {") + std::to_string(part->row) + ", " +
             std::to_string(part->low) + ", " + std::to_string(part->high) + "}";
  }
  line(slot(rows.slot, rows.home->level) + " = ddx::detail::copy_rows<" + one.type + ">(arena, " +
       text(one.array_at_home, Sweep::Forward) + ", " + text(one.first_at_home, Sweep::Forward) +
       ", static_cast<std::ptrdiff_t>(" + text(rows.distance, Sweep::Forward) + "), " +
       text(rows.trips, Sweep::Forward) + ", " + text(one.trips_at_home, Sweep::Forward) + ", {" +
       parts + "});");
}

/// An element that was copied, in the reverse sweep.
std::string Emitter::copied(const Value& load) {
  const auto plus = [](long constant) {
    return constant == 0 ? std::string() : " + " + std::to_string(constant);
  };
  const Range& range = *load.range;
  std::string array;
  long low = range.low;
  if (const Rows* const rows = range.rows) {
    long first = range.row;
    for (const Range* part : rows->members) {
      first = std::min(first, part->row);
      low = std::min(low, part->low);
    }
    array = slot(rows->slot, rows->home->level) + ".row(" + rows->over->inner->name + "_k" +
            plus(range.row - first) + ")";
  } else {
    array = slot(range.slot, range.home->level);
  }
  return array + "[" + load.range_loop->inner->name + "_k" + plus(load.range_offset - low) + "]";
}

}  // namespace ddx::compiler
