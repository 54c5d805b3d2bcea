#include "ddx/tensor/detail/mapped.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/kernel.h"
#include "ddx/tensor/detail/array.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ddx::detail {

MappedAxes axes_of_arguments(const MappedAxes& axes, std::size_t arguments) {
  if (axes.empty()) {
    return MappedAxes(arguments, 0);
  }
  if (axes.size() != arguments) {
    throw UsageError("vmap", std::to_string(axes.size()) + " axes are named for " +
                                 std::to_string(arguments) + " arguments");
  }
  return axes;
}

std::size_t mapped_axis(std::size_t argument, std::int64_t axis, const Shape& shape) {
  const auto rank = static_cast<std::int64_t>(shape.rank());
  if (axis < -rank || axis >= rank) {
    throw UsageError("vmap", "argument " + std::to_string(argument) + " has a tensor of shape " +
                                 to_string(shape) + ", which has no axis " + std::to_string(axis));
  }
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

void count_examples(std::optional<Shape::Extent>& examples, std::size_t argument,
                    Shape::Extent count) {
  if (examples && *examples != count) {
    throw UsageError("vmap", "argument " + std::to_string(argument) + " has a tensor of " +
                                 std::to_string(count) + " examples, one before it has " +
                                 std::to_string(*examples));
  }
  examples = count;
}

void throw_no_examples() {
  throw UsageError("vmap",
                   "no tensor among the arguments is mapped: nothing says how many examples "
                   "there are");
}

std::vector<ir::Type> MappedArguments::types() const {
  std::vector<ir::Type> types;
  for (const auto& [array, mapped] : arrays_) {
    types.push_back(
        {mapped ? Shape(array.shape().extents().subspan(1)) : array.shape(), array.dtype()});
  }
  return types;
}

void MappedArguments::add(const Array& array, bool mapped) {
  arrays_.push_back({array, mapped});
}

backend::StagedGraph MappedArguments::for_all(const backend::StagedGraph& one) const {
  std::vector<bool> mapped;
  for (const Mapped& argument : arrays_) {
    mapped.push_back(argument.mapped);
  }
  return backend::vmapped(one, mapped, *examples);
}

std::vector<backend::Buffer> MappedArguments::call(Device device,
                                                   const backend::StagedGraph& all) const {
  std::vector<ops::View> views;
  for (const Mapped& argument : arrays_) {
    views.push_back(argument.array.view());
  }
  return backend::record_staged(device, all, views);
}

}  // namespace ddx::detail
