/// \file
/// Devices of one plugin as a grid with named axes.

#pragma once

#include "ddx/core/device.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace ddx {

/// An axis of a mesh.
struct MeshAxis {
  std::string name;
  std::int64_t extent = 1;

  friend bool operator==(const MeshAxis&, const MeshAxis&) = default;
};

/// Devices of one plugin of PJRT in a grid whose axes have names. It is a device: operations on
/// tensors that live there are recorded as on `Device::lazy()`, and what is recorded runs on all
/// devices of the mesh as one program, which XLA divides among them. A value; small.
///
/// Example:
///   const ddx::Mesh mesh({{"data", 2}, {"model", 2}}, ddx::Device::pjrt("cpu"));
class Mesh {
 public:
  /// The devices from `first` on, as many as the extents say: the last axis counts fastest. Nothing
  /// is loaded before the first operation, which shows whether there are that many.
  ///
  /// Throws:  UsageError where there are no axes, a name is empty, occurs twice or has other
  ///          characters than letters, digits and `_`, an extent is less than 1, or `first` is no
  ///          device of a plugin of PJRT.
  Mesh(std::vector<MeshAxis> axes, Device first,
       const std::source_location& where = std::source_location::current());

  /// These devices, in row-major order of the axes.
  ///
  /// Throws:  as above; UsageError where they are not as many as the extents say, not of one
  ///          plugin, or one occurs twice.
  Mesh(std::vector<MeshAxis> axes, std::vector<Device> devices,
       const std::source_location& where = std::source_location::current());

  /// The mesh that a device is.
  ///
  /// Throws:  UsageError where it is none.
  [[nodiscard]] static Mesh of(Device device,
                               const std::source_location& where = std::source_location::current());

  [[nodiscard]] const std::vector<MeshAxis>& axes() const noexcept;
  /// In row-major order of the axes.
  [[nodiscard]] const std::vector<Device>& devices() const noexcept;
  /// How many devices it has.
  [[nodiscard]] std::size_t size() const noexcept { return devices().size(); }
  /// How many devices there are along an axis.
  ///
  /// Throws:  UsageError where there is no axis of that name.
  [[nodiscard]] std::int64_t extent(
      std::string_view axis,
      const std::source_location& where = std::source_location::current()) const;

  /// The mesh as a device. Meshes of equal axes and devices are one device.
  [[nodiscard]] Device device() const noexcept { return device_; }

  friend bool operator==(const Mesh&, const Mesh&) = default;

 private:
  explicit Mesh(Device device) noexcept : device_(device) {}

  Device device_;
};

/// Renders as "mesh(data=2, model=2; pjrt:cpu:0-3)"; devices that do not follow each other as
/// "pjrt:cpu:0,2".
[[nodiscard]] std::string to_string(const Mesh& mesh);
/// Writes what to_string gives.
std::ostream& operator<<(std::ostream& stream, const Mesh& mesh);

}  // namespace ddx
