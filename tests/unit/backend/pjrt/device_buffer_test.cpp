#include "backend/pjrt/device_buffer.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/pjrt/fakes.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace device_buffer_test {

using ddx::testing::message_of;

TEST(PjrtDeviceBuffer, TellsWhatItHolds) {
  {
    const auto client = fake_client();
    const std::array<float, 6> values{1, 2, 3, 4, 5, 6};
    auto buffer =
        DeviceBuffer::copied(client, {values.data(), DType::f32, {2, 3}}, client->device(0));
    EXPECT_EQ(buffer.dtype(), DType::f32);
    EXPECT_EQ(buffer.shape(), (Shape{2, 3}));
    EXPECT_EQ(buffer.bytes_on_device(), 24U);
    EXPECT_FALSE(buffer.is_deleted());
    EXPECT_TRUE(buffer.ready().is_ready());
    const DeviceBuffer moved = std::move(buffer);
    EXPECT_EQ(floats_of(moved), std::vector<float>(values.begin(), values.end()));
  }
  EXPECT_EQ(live_objects(), 0);
}

TEST(PjrtDeviceBuffer, MemoryOfAnotherSizeIsAnError) {
  const auto client = fake_client();
  const auto buffer = on_device(client, std::array{1.0F, 2.0F});
  std::array<std::byte, 4> small{};
  EXPECT_EQ(message_of<UsageError>([&] { buffer.take_to_host(small); }),
            "copy from a PJRT device: an array of 8 bytes into memory of 4");
}

TEST(PjrtDeviceBuffer, WhatThePluginSaysIsTold) {
  const auto client = fake_client();
  const std::vector<float> large(1U << 20);
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)on_device(client, large); }),
            "copy to a PJRT device: f32[1048576] of 4194304 bytes: Out of fake memory "
            "(RESOURCE_EXHAUSTED); fake:0 has 1000 of 3000 bytes in use; fake:1 has 1001 of 3000 "
            "bytes in use");
  EXPECT_EQ(live_objects(), 1) << "the client";
}

TEST(PjrtDeviceBuffer, GoesToAnotherDevice) {
  const auto client = fake_client();
  const auto buffer = on_device(client, std::array{1.0F, 2.0F});
  EXPECT_EQ(floats_of(buffer.on(client->device(1))), (std::vector{1.0F, 2.0F}));
  const auto other = fake_client("NoExtras");
  const auto stuck = on_device(other, std::array{1.0F});
  EXPECT_EQ(
      message_of<EnvironmentError>([&] { (void)stuck.on(other->device(1)); }),
      "copy to another PJRT device: the plugin has no PJRT_Buffer_CopyToDevice (UNIMPLEMENTED)");
}

TEST(PjrtDeviceBuffer, ElementsThatAreElsewhereAreCopied) {
  const auto client = fake_client();
  const auto buffer = on_device(client, std::array{1.0F, 2.0F});
  EXPECT_EQ(buffer.elements_in_place(), nullptr);
  EXPECT_EQ(floats_of(buffer), (std::vector{1.0F, 2.0F}));
}

// XLA's own: it reads the memory where it is, and owns it until the buffer is gone.
TEST(PjrtDeviceBuffer, SharedMemoryIsOwnedAsLongAsItIsRead) {
  const backend::Buffer memory(64 * sizeof(float));
  std::vector<float> values(64);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i);
  }
  std::memcpy(memory.data(), values.data(), 64 * sizeof(float));
  {
    const auto buffer =
        DeviceBuffer::shared(xla(), {memory.data(), DType::f32, {64}}, memory, xla()->device(0));
    EXPECT_EQ(memory.owners(), 2U);
    EXPECT_FALSE(memory.unshared());
    EXPECT_EQ(floats_of(buffer), values);
  }
  for (int i = 0; i < 1000 && memory.owners() != 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(memory.owners(), 1U);
}

}  // namespace device_buffer_test
}  // namespace ddx::backend::pjrt
