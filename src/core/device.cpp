#include "ddx/core/device.h"

#include "ddx/core/error.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx {
namespace {

constexpr std::array<Device, Device::kind_count> devices{Device::naive(), Device::cpu(),
                                                         Device::lazy()};

}  // namespace

std::string to_string(Device device) {
  switch (device.kind()) {
    case Device::Kind::Naive:
      return "naive";
    case Device::Kind::Cpu:
      return "cpu";
    case Device::Kind::Lazy:
      return "lazy";
  }
  throw InternalError("device", "kind " + std::to_string(static_cast<int>(device.kind())));
}

std::optional<Device> device_named(std::string_view name) {
  const auto found =
      std::ranges::find(devices, name, [](Device device) { return to_string(device); });
  return found == devices.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const Device device : devices) {
    names.push_back(to_string(device));
  }
  return names;
}

}  // namespace ddx
