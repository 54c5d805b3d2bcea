/// \file
/// How an array is divided among the devices of a mesh.

#pragma once

#include "ddx/core/mesh.h"
#include "ddx/core/shape.h"

#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx {

/// For each axis of an array the axes of a mesh that divide it: the array's axis is cut into as
/// many equal parts as there are devices along them. Along mesh axes that do not occur, devices
/// have the same. Axes of the array that are left out at the end are not divided; so the empty one
/// represents an array that every device has as a whole.
///
/// Example:
///   PartitionSpec{"data"}               // The first axis along "data".
///   PartitionSpec{{}, "model"}          // The second axis along "model".
///   PartitionSpec{{"data", "model"}}    // The first axis along both, "data" being the outer one.
class PartitionSpec {
 public:
  /// The axes of a mesh that divide one axis of an array.
  class Axis {
   public:
    Axis() = default;                                    ///< It is not divided.
    Axis(const char* name) : names_{name} {}             // NOLINT(google-explicit-*)
    Axis(std::string name) : names_{std::move(name)} {}  // NOLINT(google-explicit-*)
    Axis(std::initializer_list<std::string> names) : names_(names) {}
    explicit Axis(std::vector<std::string> names) : names_(std::move(names)) {}

    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

   private:
    std::vector<std::string> names_;
  };

  PartitionSpec() = default;  ///< Every device has all of the array.
  PartitionSpec(std::initializer_list<Axis> axes);
  explicit PartitionSpec(std::vector<std::vector<std::string>> axes);

  /// For each axis of the array, up to the last one that is divided, the names of mesh axes.
  [[nodiscard]] const std::vector<std::vector<std::string>>& axes() const noexcept { return axes_; }

  friend bool operator==(const PartitionSpec&, const PartitionSpec&) = default;

 private:
  void drop_undivided();

  std::vector<std::vector<std::string>> axes_;
};

/// Renders as `{"data", {}, {"x", "y"}}`; the empty one as `{}`.
[[nodiscard]] std::string to_string(const PartitionSpec& spec);
/// Writes what to_string gives.
std::ostream& operator<<(std::ostream& stream, const PartitionSpec& spec);

/// Checks that an array of this shape can be divided so.
///
/// Throws:  UsageError of the operation where the mesh lacks an axis, one occurs twice, there are
///          more axes than the array has, or an extent is no multiple of the number of parts.
void check_partition(const char* operation, const PartitionSpec& spec, const Shape& shape,
                     const Mesh& mesh, const std::source_location& where);

}  // namespace ddx
