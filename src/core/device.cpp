#include "ddx/core/device.h"

#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/error.h"
#include "ddx/core/mesh.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace ddx {
namespace {

constexpr std::array<Device, 3> devices{Device::naive(), Device::cpu(), Device::lazy()};
constexpr std::string_view pjrt_prefix = "pjrt:";

bool is_platform_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

/// The names of plugins that devices have been made of, by their number. It only grows.
class PlatformNames {
 public:
  static PlatformNames& instance() {
    static auto* const names = new PlatformNames;
    return *names;
  }

  std::uint16_t number_of(std::string_view name) {
    const std::scoped_lock lock(mutex_);
    const std::size_t count = count_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < count; ++i) {
      if (names_[i] == name) {
        return static_cast<std::uint16_t>(i + 1);
      }
    }
    if (count == names_.size()) {
      throw UsageError("device", "a plugin named " + std::string(name) + " after " +
                                     std::to_string(count) + " of other names");
    }
    names_[count] = name;
    count_.store(count + 1, std::memory_order_release);
    return static_cast<std::uint16_t>(count + 1);
  }
  /// Of a number that was given out.
  std::string_view name_of(std::uint16_t number) const noexcept {
    return number == 0 || number > count_.load(std::memory_order_acquire) ? std::string_view()
                                                                          : names_[number - 1];
  }

 private:
  detail::ForkSafeMutex mutex_;
  std::array<std::string, 255> names_;
  std::atomic<std::size_t> count_{0};
};

/// What follows "pjrt:" as a device.
std::optional<Device> pjrt_named(std::string_view rest) {
  const std::size_t colon = rest.find(':');
  const std::string_view name = rest.substr(0, colon);
  int ordinal = 0;
  if (colon != std::string_view::npos) {
    const std::string_view digits = rest.substr(colon + 1);
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, ordinal);
    if (error != std::errc() || stop != end) {
      return std::nullopt;
    }
  }
  if (!is_platform_name(name) || ordinal < 0) {
    return std::nullopt;
  }
  return Device::pjrt(name, ordinal);
}

}  // namespace

Device Device::pjrt(std::string_view name, int ordinal) {
  if (!is_platform_name(name)) {
    throw UsageError("device", "\"" + std::string(name) + "\" cannot be the name of a plugin");
  }
  if (ordinal < 0) {
    throw UsageError("device", "ordinal " + std::to_string(ordinal) + " of plugin " +
                                   std::string(name) + " is negative");
  }
  return {Kind::Pjrt, ordinal, PlatformNames::instance().number_of(name)};
}

std::string_view Device::platform() const noexcept {
  return platform_ == 0 ? std::string_view() : PlatformNames::instance().name_of(platform_);
}

std::string to_string(Device device) {
  switch (device.kind()) {
    case Device::Kind::Naive:
      return "naive";
    case Device::Kind::Cpu:
      return "cpu";
    case Device::Kind::Lazy:
      return "lazy";
    case Device::Kind::Pjrt:
      return std::string(pjrt_prefix) + std::string(device.platform()) + ":" +
             std::to_string(device.ordinal());
    case Device::Kind::Mesh:
      return to_string(Mesh::of(device));
  }
  throw InternalError("device", "kind " + std::to_string(static_cast<int>(device.kind())));
}

std::ostream& operator<<(std::ostream& stream, Device device) {
  return stream << to_string(device);
}

std::optional<Device> device_named(std::string_view name) {
  if (name.starts_with(pjrt_prefix)) {
    return pjrt_named(name.substr(pjrt_prefix.size()));
  }
  const auto found =
      std::ranges::find(devices, name, [](Device device) { return to_string(device); });
  return found == devices.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const Device device : devices) {
    names.push_back(to_string(device));
  }
  names.emplace_back("pjrt:NAME[:ORDINAL]");
  return names;
}

}  // namespace ddx
