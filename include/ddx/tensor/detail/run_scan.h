/// \file
/// A function for each slice: called in a loop, or recorded as an operation with a region.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/detail/record_function.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::detail {

/// Over which slices a scan goes, and where it stands in the program.
struct ScanWay {
  Shape::Extent turns = 0;
  bool reverse = false;
  std::source_location where;
};

/// The types of both lists.
[[nodiscard]] std::vector<ir::Type> joined(std::vector<ir::Type> first,
                                           const std::vector<ir::Type>& second);
/// The first so many types, and the others.
[[nodiscard]] std::pair<std::vector<ir::Type>, std::vector<ir::Type>> divided(
    const std::vector<ir::Type>& types, std::size_t count);

/// Calls `body(k)` for each turn, in its order.
template <class Body>
void for_each_turn(const ScanWay& way, const Body& body) {
  for (Shape::Extent turn = 0; turn < way.turns; ++turn) {
    body(way.reverse ? way.turns - 1 - turn : turn);
  }
}

/// What no turn gives back: zeros of no extent, of the types of an output for slices that are zero.
template <class Carry, class Output, class Turn, class Slices>
Output no_outputs(const Turn& turn, const Carry& start, const Slices& slices) {
  const std::vector<Array> arrays = arrays_in(slices);
  const Device device = arrays.empty() ? Device() : arrays[0].device();
  Slices one = slices;
  set_arrays(one, zeros_of(slice_types(types_of(arrays)), device));
  Output output = turn(start, one).second;
  const std::vector<Array> outputs = arrays_in(output);
  set_arrays(output, zeros_of(stacked_types(types_of(outputs), 0),
                              outputs.empty() ? device : outputs[0].device()));
  return output;
}

/// The last carry, and the outputs of all turns: `turn(carry, slice)` returns a pair of the two.
template <class Carry, class Output, class Turn, class Slices>
std::pair<Carry, Output> loop_scan(const ScanWay& way, const Turn& turn, const Carry& start,
                                   const Slices& slices) {
  if (way.turns == 0) {
    return {start, no_outputs<Carry, Output>(turn, start, slices)};
  }
  Carry carry = start;
  Stack<Output> outputs(way.turns);
  for_each_turn(way, [&](Shape::Extent k) {
    std::pair<Carry, Output> both = turn(carry, slice_at(slices, k));
    check_same_form("scan", "carry", start, both.first);
    carry = std::move(both.first);
    outputs.put("scan", k, both.second);
  });
  return {std::move(carry), std::move(outputs).take()};
}

/// As above, recorded for a lazy device. What is a symbolic zero in all carries stays one.
template <class Carry, class Output, class Turn, class Slices>
std::pair<Carry, Output> record_scan(Device device, const ScanWay& way, const Turn& turn,
                                     const Carry& given, const Slices& slices) {
  Carry start = given;
  const std::vector<Array> sliced = arrays_in(slices);
  const auto recorded = [&] {
    const std::vector<ir::Type> types =
        joined(types_of(arrays_in(start)), slice_types(types_of(sliced)));
    return record<std::pair<Carry, Output>>(
        "scan", device,
        [&](const Carry& carry, const Slices& slice) {
          std::pair<Carry, Output> both = turn(carry, slice);
          write_out_zeros(both.first, start);
          return both;
        },
        types, start, slices);
  };
  auto body = recorded();
  while (write_out_zeros(start, body.form.first)) {
    body = recorded();
  }
  const std::vector<Array> operands = arrays_in(start, slices);
  const std::vector<ir::Type> carries = types_of(arrays_in(start));
  const auto [returned, outputs] =
      divided(result_types(body.staged.graph), arrays_in(body.form.first).size());
  check_same_form("scan", "carry", start, carries, body.form.first, returned);
  const std::vector<ir::Type> results = joined(carries, stacked_types(outputs, way.turns));
  set_tensors(body.form,
              record_scan_of(device, std::move(body.staged), operands,
                             {.carries = static_cast<std::uint32_t>(carries.size()),
                              .slices = static_cast<std::uint32_t>(sliced.size()),
                              .trips = way.turns,
                              .reverse = way.reverse},
                             way.where),
              results, device);
  return std::move(body.form);
}

/// Either, by where the values lie.
template <class Carry, class Output, class Turn, class Slices>
std::pair<Carry, Output> run_scan(const ScanWay& way, const Turn& turn, const Carry& start,
                                  const Slices& slices) {
  const std::optional<Device> device = recording_device(start, slices);
  return device ? record_scan<Carry, Output>(*device, way, turn, start, slices)
                : loop_scan<Carry, Output>(way, turn, start, slices);
}

}  // namespace ddx::detail
