/// \file
/// Where a tensor lives and which implementation computes with it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx {

/// Names an implementation of tensors. A value.
class Device {
 public:
  /// The implementations there are.
  enum class Kind : std::uint8_t { Naive, Cpu, Lazy };
  static constexpr std::size_t kind_count = 3;

  /// The processors of this machine: what programs get that name no device.
  constexpr Device() = default;

  /// Single-threaded, dependency-free, accurate rather than fast; the judge of the others.
  [[nodiscard]] static constexpr Device naive() noexcept { return Device(Kind::Naive, 0); }

  /// Eager, vectorised and multi-threaded, on the processors of this machine.
  [[nodiscard]] static constexpr Device cpu() noexcept { return Device(Kind::Cpu, 0); }

  /// The processors of this machine, with operations recorded and run when somebody looks at their
  /// results (ddx/backend/lazy.h).
  [[nodiscard]] static constexpr Device lazy() noexcept { return Device(Kind::Lazy, 0); }

  [[nodiscard]] constexpr Kind kind() const noexcept { return kind_; }
  [[nodiscard]] constexpr int ordinal() const noexcept { return ordinal_; }

  friend constexpr bool operator==(const Device&, const Device&) = default;

 private:
  constexpr Device(Kind kind, int ordinal) : kind_(kind), ordinal_(ordinal) {}

  Kind kind_ = Kind::Cpu;
  int ordinal_ = 0;
};

/// Renders as "naive", "cpu" or "lazy".
[[nodiscard]] std::string to_string(Device device);

/// The device of that name, as `to_string` gives it; none where there is none.
[[nodiscard]] std::optional<Device> device_named(std::string_view name);

/// The names of all devices, to tell a user what there is.
[[nodiscard]] std::vector<std::string> device_names();

}  // namespace ddx
