#include "ddx/core/partition_spec.h"

#include "ddx/core/error.h"
#include "ddx/core/mesh.h"
#include "ddx/core/shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "\"" : ", \"") + name + "\"";
  }
  return text;
}

}  // namespace

PartitionSpec::PartitionSpec(std::initializer_list<Axis> axes) {
  for (const Axis& axis : axes) {
    axes_.push_back(axis.names());
  }
  drop_undivided();
}

PartitionSpec::PartitionSpec(std::vector<std::vector<std::string>> axes) : axes_(std::move(axes)) {
  drop_undivided();
}

void PartitionSpec::drop_undivided() {
  while (!axes_.empty() && axes_.back().empty()) {
    axes_.pop_back();
  }
}

std::string to_string(const PartitionSpec& spec) {
  std::string text;
  for (const auto& names : spec.axes()) {
    text += text.empty() ? "" : ", ";
    text += names.size() == 1 ? joined(names) : "{" + joined(names) + "}";
  }
  return "{" + text + "}";
}

std::ostream& operator<<(std::ostream& stream, const PartitionSpec& spec) {
  return stream << to_string(spec);
}

void check_partition(const char* operation, const PartitionSpec& spec, const Shape& shape,
                     const Mesh& mesh, const std::source_location& where) {
  const std::string facts = "; partition " + to_string(spec) + ", shape " + to_string(shape);
  if (spec.axes().size() > shape.rank()) {
    throw UsageError(operation,
                     "axis " + std::to_string(spec.axes().size() - 1) + " of an array of rank " +
                         std::to_string(shape.rank()) + " is to be divided" + facts,
                     where);
  }
  std::vector<std::string> used;
  for (std::size_t axis = 0; axis < spec.axes().size(); ++axis) {
    std::int64_t parts = 1;
    for (const std::string& name : spec.axes()[axis]) {
      if (std::ranges::find(mesh.axes(), name, &MeshAxis::name) == mesh.axes().end()) {
        throw UsageError(operation, "no axis \"" + name + "\" in " + to_string(mesh) + facts,
                         where);
      }
      if (std::ranges::find(used, name) != used.end()) {
        throw UsageError(operation, "mesh axis \"" + name + "\" is to divide twice" + facts, where);
      }
      used.push_back(name);
      parts *= mesh.extent(name);
    }
    if (shape[axis] % parts != 0) {
      throw UsageError(operation,
                       "extent " + std::to_string(shape[axis]) + " of axis " +
                           std::to_string(axis) + " is no multiple of " + std::to_string(parts) +
                           " parts" + facts,
                       where);
    }
  }
}

}  // namespace ddx
