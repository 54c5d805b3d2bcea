#include "backend/pjrt/client.h"

#include "ddx/core/error.h"

#include "backend/pjrt/advice.h"
#include "backend/pjrt/api.h"
#include "backend/pjrt/named_value.h"
#include "backend/pjrt/plugin.h"
#include "backend/pjrt/status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

constexpr const char* open_operation = "open PJRT devices";

std::optional<std::int64_t> known(const OptionalCount& count) {
  return count.is_set ? std::optional(count.value) : std::nullopt;
}

/// Why there is no client, for people: what to do about it where that is known, else the options.
std::string reason(const Plugin& plugin, const Status& status, const std::vector<Named>& options) {
  const std::string_view advice =
      is_out_of_memory(status)
          ? "the device has not enough free memory, which other processes may use (nvidia-smi "
            "lists "
            "them); end them, or choose less by PjrtOptions::preallocate and memory_fraction"
          : advice_for(status);
  const std::string of_file = plugin.file().string() + ": ";
  if (!advice.empty()) {
    return std::string(advice) + "; " + of_file + to_string(first_line(status));
  }
  std::string with;
  for (const Named& option : options) {
    with += (with.empty() ? "; options " : ", ") + to_string(option);
  }
  return of_file + to_string(status) + with;
}

}  // namespace

std::vector<Named> named(const ClientOptions& options) {
  std::vector<Named> all;
  if (options.cpu_device_count) {
    all.push_back({"cpu_device_count", *options.cpu_device_count});
  }
  if (options.preallocate) {
    all.push_back({"preallocate", *options.preallocate});
  }
  if (options.memory_fraction) {
    all.push_back({"memory_fraction", *options.memory_fraction});
  }
  if (options.allocator) {
    all.push_back({"allocator", *options.allocator});
  }
  if (!options.visible_devices.empty()) {
    all.push_back({"visible_devices", options.visible_devices});
  }
  all.insert(all.end(), options.others.begin(), options.others.end());
  return all;
}

Client::Client(std::shared_ptr<const Plugin> plugin, RawClient* raw) noexcept
    : plugin_(std::move(plugin)), raw_(raw) {}

Client::~Client() {
  ClientDestroyArgs destroy{.head = {}, .client = raw_};
  api().call_to_destroy(destroy);
}

std::shared_ptr<const Client> Client::create(std::shared_ptr<const Plugin> plugin,
                                             const ClientOptions& options) {
  const std::vector<Named> given = named(options);
  const std::vector<NamedValue> raw = to_raw(given);
  ClientCreateArgs args{.head = {}, .options = raw.data(), .option_count = raw.size()};
  const Status status = plugin->api().try_call(args);
  if (!status.is_ok()) {
    throw EnvironmentError(open_operation, reason(*plugin, status, given));
  }
  const auto client = std::make_shared<Client>(std::move(plugin), args.client);
  client->read_facts();
  return client;
}

void Client::read_facts() {
  ClientPlatformNameArgs name{.head = {}, .client = raw_};
  api().call(open_operation, name);
  platform_name_.assign(name.name, name.name_size);
  ClientPlatformVersionArgs version{.head = {}, .client = raw_};
  api().call(open_operation, version);
  platform_version_.assign(version.version, version.version_size);
  ClientAddressableDevicesArgs devices{.head = {}, .client = raw_};
  api().call(open_operation, devices);
  for (std::size_t i = 0; i < devices.device_count; ++i) {
    devices_.push_back(info_of_device(devices.devices[i]));
  }
  if (devices_.empty()) {
    throw EnvironmentError(open_operation, plugin_->file().string() + " has no devices here");
  }
}

DeviceInfo Client::info_of_device(RawDevice* device) const {
  DeviceGetDescriptionArgs description{.head = {}, .device = device};
  api().call(open_operation, description);
  DeviceDescriptionIdArgs id{.head = {}, .description = description.description};
  api().call(open_operation, id);
  DeviceDescriptionKindArgs kind{.head = {}, .description = description.description};
  api().call(open_operation, kind);
  DeviceDescriptionDebugStringArgs text{.head = {}, .description = description.description};
  api().call(open_operation, text);
  DeviceLocalHardwareIdArgs hardware{.head = {}, .device = device};
  if (!api().try_call(hardware).is_ok()) {
    hardware.id = -1;
  }
  return {.raw = device,
          .id = id.id,
          .local_hardware_id = hardware.id,
          .kind = std::string(kind.kind, kind.kind_size),
          .text = std::string(text.text, text.text_size)};
}

const DeviceInfo& Client::device(std::size_t ordinal) const {
  if (ordinal >= devices_.size()) {
    throw UsageError("PJRT device", "device " + std::to_string(ordinal) + " of " +
                                        std::to_string(devices_.size()) + " of platform " +
                                        platform_name_);
  }
  return devices_[ordinal];
}

std::optional<DeviceMemory> Client::memory(std::size_t ordinal) const {
  DeviceMemoryStatsArgs args{.head = {}, .device = device(ordinal).raw};
  if (!api().try_call(args).is_ok()) {
    return std::nullopt;
  }
  return DeviceMemory{.bytes_in_use = args.bytes_in_use,
                      .peak_bytes_in_use = known(args.peak_bytes_in_use),
                      .bytes_limit = known(args.bytes_limit),
                      .largest_free_block = known(args.largest_free_block),
                      .allocations = known(args.allocations)};
}

}  // namespace ddx::backend::pjrt
