#include "ddx/core/mesh.h"

#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <ostream>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx {
namespace {

constexpr const char* making = "mesh";

struct Facts {
  std::vector<MeshAxis> axes;
  std::vector<Device> devices;

  friend bool operator==(const Facts&, const Facts&) = default;
};

/// The meshes that have been made, by their number. It only grows.
class Meshes {
 public:
  static Meshes& instance() {
    static auto* const meshes = new Meshes;
    return *meshes;
  }
  int number_of(Facts facts) {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find_if(all_, [&](const auto& one) { return *one == facts; });
    if (known == all_.end()) {
      all_.push_back(std::make_unique<const Facts>(std::move(facts)));
      return static_cast<int>(all_.size() - 1);
    }
    return static_cast<int>(known - all_.begin());
  }
  const Facts& facts(int number) {
    const std::scoped_lock lock(mutex_);
    return *all_[static_cast<std::size_t>(number)];
  }

 private:
  detail::ForkSafeMutex mutex_;
  std::vector<std::unique_ptr<const Facts>> all_;
};

bool is_axis_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string to_string(const std::vector<MeshAxis>& axes) {
  std::string text;
  for (const MeshAxis& axis : axes) {
    text += (text.empty() ? "" : ", ") + axis.name + "=" + std::to_string(axis.extent);
  }
  return text;
}

/// How many devices the axes ask for. More than there can be ordinals is an error here, so that
/// no caller overflows or makes lists of them.
std::int64_t count_of(const std::vector<MeshAxis>& axes, const std::source_location& where) {
  constexpr std::int64_t most = 1 << 20;
  if (axes.empty()) {
    throw UsageError(making, "there are no axes", where);
  }
  std::int64_t count = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const MeshAxis& axis = axes[i];
    if (!is_axis_name(axis.name)) {
      throw UsageError(
          making, "\"" + axis.name + "\" cannot be the name of axis " + std::to_string(i), where);
    }
    if (std::ranges::count(axes, axis.name, &MeshAxis::name) > 1) {
      throw UsageError(making, "two axes are named \"" + axis.name + "\"", where);
    }
    if (axis.extent < 1) {
      throw UsageError(
          making, "axis \"" + axis.name + "\" has extent " + std::to_string(axis.extent), where);
    }
    if (axis.extent > most / count) {
      throw UsageError(
          making, "axes " + to_string(axes) + " are more than " + std::to_string(most) + " devices",
          where);
    }
    count *= axis.extent;
  }
  return count;
}

void check_device(Device device, const std::source_location& where) {
  if (device.kind() != Device::Kind::Pjrt) {
    throw UsageError(making, "device " + ddx::to_string(device) + " is none of a plugin of PJRT",
                     where);
  }
}

std::vector<Device> devices_from(Device first, std::int64_t count,
                                 const std::source_location& where) {
  check_device(first, where);
  std::vector<Device> devices;
  for (std::int64_t i = 0; i < count; ++i) {
    devices.push_back(Device::pjrt(first.platform(), first.ordinal() + static_cast<int>(i)));
  }
  return devices;
}

Facts checked(std::vector<MeshAxis> axes, std::vector<Device> devices,
              const std::source_location& where) {
  const std::int64_t count = count_of(axes, where);
  if (static_cast<std::int64_t>(devices.size()) != count) {
    throw UsageError(making,
                     std::to_string(devices.size()) + " devices for axes " + to_string(axes) +
                         ", which are " + std::to_string(count),
                     where);
  }
  for (const Device device : devices) {
    check_device(device, where);
    if (device.platform() != devices.front().platform()) {
      throw UsageError(making,
                       "devices " + ddx::to_string(devices.front()) + " and " +
                           ddx::to_string(device) + " are of two plugins",
                       where);
    }
    if (std::ranges::count(devices, device) > 1) {
      throw UsageError(making, "device " + ddx::to_string(device) + " occurs twice", where);
    }
  }
  return {std::move(axes), std::move(devices)};
}

}  // namespace

Mesh::Mesh(std::vector<MeshAxis> axes, std::vector<Device> devices,
           const std::source_location& where) {
  Facts facts = checked(std::move(axes), std::move(devices), where);
  const std::uint16_t platform = facts.devices.front().platform_;
  device_ = Device(Device::Kind::Mesh, Meshes::instance().number_of(std::move(facts)), platform);
}

Mesh::Mesh(std::vector<MeshAxis> axes, Device first, const std::source_location& where) {
  const std::int64_t count = count_of(axes, where);
  *this = Mesh(std::move(axes), devices_from(first, count, where), where);
}

Mesh Mesh::of(Device device, const std::source_location& where) {
  if (device.kind() != Device::Kind::Mesh) {
    throw UsageError(making, "device " + to_string(device) + " is no mesh", where);
  }
  return Mesh(device);
}

const std::vector<MeshAxis>& Mesh::axes() const noexcept {
  return Meshes::instance().facts(device_.ordinal()).axes;
}

const std::vector<Device>& Mesh::devices() const noexcept {
  return Meshes::instance().facts(device_.ordinal()).devices;
}

std::int64_t Mesh::extent(std::string_view axis, const std::source_location& where) const {
  const auto found = std::ranges::find(axes(), axis, &MeshAxis::name);
  if (found == axes().end()) {
    throw UsageError(making, "no axis \"" + std::string(axis) + "\" among " + to_string(axes()),
                     where);
  }
  return found->extent;
}

std::string to_string(const Mesh& mesh) {
  const std::vector<Device>& devices = mesh.devices();
  bool in_a_row = true;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    in_a_row = in_a_row && devices[i].ordinal() == devices[0].ordinal() + static_cast<int>(i);
  }
  std::string text = "mesh(" + to_string(mesh.axes()) + "; " + to_string(devices.front());
  if (in_a_row && devices.size() > 1) {
    return text + "-" + std::to_string(devices.back().ordinal()) + ")";
  }
  for (std::size_t i = 1; i < devices.size(); ++i) {
    text += "," + std::to_string(devices[i].ordinal());
  }
  return text + ")";
}

std::ostream& operator<<(std::ostream& stream, const Mesh& mesh) {
  return stream << to_string(mesh);
}

}  // namespace ddx
