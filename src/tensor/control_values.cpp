#include "ddx/tensor/detail/control_values.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ops/literal.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/run_scan.h"
#include "ddx/tensor/detail/run_while_loop.h"
#include "ddx/tensor/detail/staged_values.h"
#include "ddx/tensor/options.h"

#include "tensor/detail/views_of.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx::detail {
namespace {

std::string to_string(const ir::Type& type) {
  return std::string(ddx::to_string(type.dtype)) + " " + ddx::to_string(type.shape);
}

}  // namespace

void check_condition(const char* operation, const Shape& condition) {
  if (condition.count() != 1) {
    throw UsageError(operation,
                     "the condition has shape " + ddx::to_string(condition) + ", not one element");
  }
}

void check_same_types(const char* operation, const char* what, const std::vector<ir::Type>& in,
                      const std::vector<ir::Type>& out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i] != out[i]) {
      throw UsageError(operation, "tensor " + std::to_string(i) + " of the " + what + " is " +
                                      to_string(in[i]) + " at first and " + to_string(out[i]) +
                                      " then");
    }
  }
}

void throw_other_numbers(const char* operation, const char* what) {
  throw UsageError(operation, "a number in the " + std::string(what) +
                                  ", or the length of a list, is not the same as at first; what "
                                  "changes has to be an element of a tensor");
}

void throw_shared() {
  throw UsageError("staging",
                   "an argument or a result has a pointer that is not null: copies share what it "
                   "points to (a model in a training step has one; end_step ends the step)");
}

Shape::Extent slice_count(const char* operation, const std::vector<ir::Type>& types,
                          const std::optional<Shape::Extent>& turns) {
  std::optional<Shape::Extent> count = turns;
  if (turns && *turns < 0) {
    throw UsageError(operation, std::to_string(*turns) + " turns");
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string tensor = "tensor " + std::to_string(i) + " of the slices";
    if (types[i].shape.rank() == 0) {
      throw UsageError(operation, tensor + " has shape [], and so no axis of slices");
    }
    const Shape::Extent extent = types[i].shape[0];
    if (count && *count != extent) {
      throw UsageError(operation, tensor + " has shape " + ddx::to_string(types[i].shape) +
                                      ", which is " + std::to_string(extent) +
                                      " slices; there are " + std::to_string(*count) +
                                      (i == 0 ? " turns" : " of those before it"));
    }
    count = extent;
  }
  if (!count) {
    throw UsageError(operation,
                     "there is no tensor among the slices: .turns has to say how many there are");
  }
  return *count;
}

std::vector<ir::Type> slice_types(std::vector<ir::Type> types) {
  for (ir::Type& type : types) {
    type.shape = Shape(type.shape.extents().subspan(1));
  }
  return types;
}

std::vector<ir::Type> stacked_types(std::vector<ir::Type> types, Shape::Extent count) {
  for (ir::Type& type : types) {
    std::vector<Shape::Extent> extents{count};
    extents.insert(extents.end(), type.shape.extents().begin(), type.shape.extents().end());
    type.shape = Shape(extents, "scan");
  }
  return types;
}

std::vector<ir::Type> joined(std::vector<ir::Type> first, const std::vector<ir::Type>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::pair<std::vector<ir::Type>, std::vector<ir::Type>> divided(const std::vector<ir::Type>& types,
                                                                std::size_t count) {
  const auto place = types.begin() + static_cast<std::ptrdiff_t>(count);
  return {{types.begin(), place}, {place, types.end()}};
}

Array slice_of(const Array& x, Shape::Extent place) {
  const auto extents = x.shape().extents();
  std::vector<std::int64_t> start(extents.size(), 0);
  std::vector<std::int64_t> stop(extents.begin(), extents.end());
  start[0] = place;
  stop[0] = place + 1;
  const SliceOptions options{.start = Indices(start), .stop = Indices(stop)};
  return {slice(x, options, std::source_location{}), Shape(extents.subspan(1))};
}

std::vector<Array> stacked_arrays(const std::vector<std::vector<Array>>& turns) {
  std::vector<Array> all;
  for (std::size_t i = 0; i < turns[0].size(); ++i) {
    std::vector<const Array*> parts;
    for (const std::vector<Array>& turn : turns) {
      parts.push_back(&turn[i]);
    }
    all.push_back(stack(parts, 0, std::source_location{}));
  }
  return all;
}

std::vector<Array> zeros_of(const std::vector<ir::Type>& types, Device device) {
  std::vector<Array> all;
  for (const ir::Type& type : types) {
    all.push_back(full(type.shape, {}, type.dtype, device));
  }
  return all;
}

std::vector<Array> with_condition(const Array& condition, std::vector<Array> operands) {
  operands.insert(operands.begin(), Array(condition, Shape{}));
  return operands;
}

std::vector<backend::Buffer> record_regions(Device device, ir::Control control,
                                            backend::StagedGraph first, backend::StagedGraph second,
                                            const std::vector<Array>& operands,
                                            const std::source_location& where) {
  const std::array regions{std::move(first), std::move(second)};
  return backend::record_control(device, control, regions, views_of(operands), {}, where);
}

std::vector<backend::Buffer> record_scan_of(Device device, backend::StagedGraph body,
                                            const std::vector<Array>& operands,
                                            const ir::ScanFields& fields,
                                            const std::source_location& where) {
  const std::array regions{std::move(body)};
  return backend::record_control(device, ir::Control::Scan, regions, views_of(operands), fields,
                                 where);
}

void check_most_turns(const std::optional<std::int64_t>& most) {
  if (most && *most < 0) {
    throw UsageError("while_loop", "at most " + std::to_string(*most) + " turns");
  }
}

}  // namespace ddx::detail
