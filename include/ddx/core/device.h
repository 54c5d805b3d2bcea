/// \file
/// Where a tensor lives and which implementation computes with it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx {

/// Names an implementation of tensors. A value.
class Device {
 public:
  /// The implementations there are.
  enum class Kind : std::uint8_t { Naive, Cpu, Lazy, Pjrt, Mesh };
  static constexpr std::size_t kind_count = 5;

  /// The processors of this machine: what programs get that name no device.
  constexpr Device() = default;

  /// Single-threaded, dependency-free, accurate rather than fast; the judge of the others.
  [[nodiscard]] static constexpr Device naive() noexcept { return Device(Kind::Naive, 0); }

  /// Eager, vectorised and multi-threaded, on the processors of this machine.
  [[nodiscard]] static constexpr Device cpu() noexcept { return Device(Kind::Cpu, 0); }

  /// The processors of this machine, with operations recorded and run when their results are
  /// observed (ddx/backend/lazy.h).
  [[nodiscard]] static constexpr Device lazy() noexcept { return Device(Kind::Lazy, 0); }

  /// A device of the plugin of PJRT that a name denotes ("cpu", "cuda", "tpu", ...;
  /// ddx/backend/pjrt.h), by its number among them: operations are recorded as on `lazy()`, and run
  /// by XLA. Nothing is loaded before the first operation.
  ///
  /// Throws:  UsageError where the name is empty or has other characters than letters, digits, `_`,
  ///          `-` and `.`, where the ordinal is negative, and where 255 names are in use.
  [[nodiscard]] static Device pjrt(std::string_view name, int ordinal = 0);

  [[nodiscard]] constexpr Kind kind() const noexcept { return kind_; }
  /// Its number among the devices of a plugin; of a mesh (ddx/core/mesh.h) its number among those.
  [[nodiscard]] constexpr int ordinal() const noexcept { return ordinal_; }
  /// Whether operations are recorded, and run when their results are observed.
  [[nodiscard]] constexpr bool is_lazy() const noexcept { return kind_ >= Kind::Lazy; }
  /// The name of the plugin; empty where there is none.
  [[nodiscard]] std::string_view platform() const noexcept;

  friend constexpr bool operator==(const Device&, const Device&) = default;

 private:
  friend class Mesh;  // Which is a device of its own.

  constexpr Device(Kind kind, int ordinal, std::uint16_t platform = 0)
      : kind_(kind), platform_(platform), ordinal_(ordinal) {}

  Kind kind_ = Kind::Cpu;
  std::uint16_t platform_ = 0;  // Of a table of names, from 1. (No character: a discrete number.)
  int ordinal_ = 0;
};

/// Renders as "naive", "cpu", "lazy", "pjrt:NAME:ORDINAL", or as `to_string` of a mesh.
[[nodiscard]] std::string to_string(Device device);
/// Writes what to_string gives.
std::ostream& operator<<(std::ostream& stream, Device device);

/// The device of that name, as `to_string` gives it; none where there is none, and of a mesh. The
/// ordinal may be left out: "pjrt:cpu" is "pjrt:cpu:0". Whether there is such a plugin, its first
/// use shows.
[[nodiscard]] std::optional<Device> device_named(std::string_view name);

/// The names of all devices, to tell a user what there is; the last is "pjrt:NAME[:ORDINAL]".
[[nodiscard]] std::vector<std::string> device_names();

}  // namespace ddx
