/// \file
/// The devices of a plugin, opened for use.

#pragma once

#include "backend/pjrt/api.h"
#include "backend/pjrt/named_value.h"
#include "backend/pjrt/plugin.h"
#include "backend/pjrt/transfer_counts.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ddx::backend::pjrt {

/// What a client is made with. What is not said is the plugin's choice. A plugin may refuse, or not
/// look at, what it has no use for.
struct ClientOptions {
  std::optional<std::int64_t> cpu_device_count = {};  ///< Devices that share the processors.
  std::optional<bool> preallocate = {};               ///< Takes the memory of accelerators at once.
  std::optional<float> memory_fraction = {};          ///< Of an accelerator's memory, at most.
  std::optional<std::string> allocator = {};       ///< "default", "bfc", "cuda_async", "platform".
  std::vector<std::int64_t> visible_devices = {};  ///< Accelerators to open; empty: all.
  std::vector<Named> others = {};                  ///< By the names that the plugin documents.
};

/// The options as a plugin takes them.
[[nodiscard]] std::vector<Named> named(const ClientOptions& options);

/// A device that programs of this process can run on.
struct DeviceInfo {
  RawDevice* raw;
  int id;                 ///< Unique among all devices of all processes.
  int local_hardware_id;  ///< Of an accelerator in this machine; -1: none.
  std::string kind;       ///< E.g. "cpu", "NVIDIA H100 80GB HBM3".
  std::string text;       ///< As the plugin's messages call it.
};

/// What a device reports of its memory.
struct DeviceMemory {
  std::int64_t bytes_in_use = 0;
  std::optional<std::int64_t> peak_bytes_in_use;
  std::optional<std::int64_t> bytes_limit;
  std::optional<std::int64_t> largest_free_block;
  std::optional<std::int64_t> allocations;
};

/// Open devices. Buffers, executables and events own it together, so it is closed after the last of
/// them. May be used from any thread.
class Client {
 public:
  /// Opens the devices of a plugin.
  ///
  /// Throws:  EnvironmentError with the plugin's message, e.g. that no accelerator is there.
  [[nodiscard]] static std::shared_ptr<const Client> create(std::shared_ptr<const Plugin> plugin,
                                                            const ClientOptions& options = {});

  /// For `create`.
  Client(std::shared_ptr<const Plugin> plugin, RawClient* raw) noexcept;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  [[nodiscard]] const std::shared_ptr<const Plugin>& plugin() const noexcept { return plugin_; }
  [[nodiscard]] const Api& api() const noexcept { return plugin_->api(); }
  [[nodiscard]] RawClient* raw() const noexcept { return raw_; }

  [[nodiscard]] const std::string& platform_name() const noexcept { return platform_name_; }
  [[nodiscard]] const std::string& platform_version() const noexcept { return platform_version_; }

  /// The devices that this process can use, by their ordinal.
  [[nodiscard]] const std::vector<DeviceInfo>& devices() const noexcept { return devices_; }

  /// The device of an ordinal.
  ///
  /// Throws:  UsageError where there are not that many.
  [[nodiscard]] const DeviceInfo& device(std::size_t ordinal) const;

  /// What a device reports of its memory; none where its plugin does not say.
  [[nodiscard]] std::optional<DeviceMemory> memory(std::size_t ordinal) const;

  /// Of all its devices: DeviceBuffer counts there.
  [[nodiscard]] TransferCounts& transfers() const noexcept { return transfers_; }

 private:
  void read_facts();
  [[nodiscard]] DeviceInfo info_of_device(RawDevice* device) const;

  std::shared_ptr<const Plugin> plugin_;
  RawClient* raw_;
  std::string platform_name_;
  std::string platform_version_;
  std::vector<DeviceInfo> devices_;
  mutable TransferCounts transfers_;
};

}  // namespace ddx::backend::pjrt
