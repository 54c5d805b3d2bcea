#include "backend/pjrt/client.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/pjrt/fakes.h"

#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ddx::backend::pjrt {
namespace client_test {

using ddx::testing::message_of;

TEST(PjrtClient, TellsItsDevices) {
  const auto client = fake_client();
  EXPECT_EQ(client->platform_name(), "fake");
  EXPECT_EQ(client->platform_version(), "1.2");
  ASSERT_EQ(client->devices().size(), 2U);
  const DeviceInfo& device = client->device(1);
  EXPECT_EQ(device.id, 1);
  EXPECT_EQ(device.local_hardware_id, 8);
  EXPECT_EQ(device.kind, "pretence");
  EXPECT_EQ(device.text, "fake:1");
}

TEST(PjrtClient, TellsWhatIsKnownOfMemory) {
  const auto memory = fake_client()->memory(1);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->bytes_in_use, 1001);
  EXPECT_EQ(memory->peak_bytes_in_use, 2000);
  EXPECT_EQ(memory->bytes_limit, 3000);
  EXPECT_EQ(memory->largest_free_block, std::nullopt);
  EXPECT_EQ(memory->allocations, 5);
  EXPECT_EQ(fake_client("NoExtras")->memory(0).has_value(), false);
  EXPECT_EQ(fake_client("NoExtras")->device(0).local_hardware_id, -1);
}

TEST(PjrtClient, ADeviceThatIsNotThereIsAnError) {
  const auto client = fake_client();
  EXPECT_EQ(message_of<UsageError>([&] { (void)client->device(2); }),
            "PJRT device: device 2 of 2 of platform fake");
}

TEST(PjrtClient, WhatThePluginSaysIsTold) {
  const auto plugin = Plugin::load(fake_file("NoDevices"));
  EXPECT_EQ(
      message_of<EnvironmentError>([&] { (void)Client::create(plugin); }),
      "open PJRT devices: " + plugin->file().string() + ": No visible fake devices (NOT_FOUND)");
  EXPECT_EQ(message_of<EnvironmentError>([&] {
              (void)Client::create(plugin, {.preallocate = false, .visible_devices = {0, 2}});
            }),
            "open PJRT devices: " + plugin->file().string() +
                ": No visible fake devices (NOT_FOUND); options preallocate=false, "
                "visible_devices=[0, 2]");
  EXPECT_EQ(live_objects("NoDevices"), 0);
}

// What XLA writes where other processes have taken a card's memory.
TEST(PjrtClient, AFullCardIsAnErrorWithARemedy) {
  const auto plugin = Plugin::load(fake_file("Good"), {.in_child_first = false});
  const ClientOptions full{
      .preallocate = true,
      .others = {
          {"error", std::string("8:CUDA error: Failed to allocate 12884901888 bytes: "
                                "CUDA_ERROR_OUT_OF_MEMORY: out of memory\n=== Source Location;")}}};
  EXPECT_EQ(
      message_of<EnvironmentError>([&] { (void)Client::create(plugin, full); }),
      "open PJRT devices: the device has not enough free memory, which other processes may use "
      "(nvidia-smi lists them); end them, or choose less by PjrtOptions::preallocate and "
      "memory_fraction; " +
          plugin->file().string() +
          ": CUDA error: Failed to allocate 12884901888 bytes: CUDA_ERROR_OUT_OF_MEMORY: out of "
          "memory (RESOURCE_EXHAUSTED)");
}

TEST(PjrtClient, OptionsHaveTheNamesThatPluginsKnow) {
  const ClientOptions options{.cpu_device_count = 3,
                              .preallocate = false,
                              .memory_fraction = 0.5F,
                              .allocator = "bfc",
                              .visible_devices = {1},
                              .others = {{"use", true}}};
  const std::vector<Named> expected{{"cpu_device_count", std::int64_t{3}},
                                    {"preallocate", false},
                                    {"memory_fraction", 0.5F},
                                    {"allocator", std::string("bfc")},
                                    {"visible_devices", std::vector<std::int64_t>{1}},
                                    {"use", true}};
  EXPECT_EQ(named(options), expected);
  EXPECT_TRUE(named(ClientOptions{}).empty());
}

TEST(PjrtClient, LivesAsLongAsABufferOfIt) {
  {
    auto client = fake_client();
    const std::vector<float> values{1, 2};
    const DeviceBuffer buffer = on_device(client, values);
    client.reset();
    EXPECT_EQ(floats_of(buffer), values);
  }
  EXPECT_EQ(live_objects(), 0);
}

}  // namespace client_test
}  // namespace ddx::backend::pjrt
