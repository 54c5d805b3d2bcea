#include "ddx/backend/mesh.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/core/shape.h"

#include "tests/unit/backend/pjrt/fakes.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace ddx::backend {
namespace mesh_test {

/// Four devices of XLA's plugin under a name that no other test opens.
Mesh square() {
  static const Device first = [] {
    add_pjrt_plugin("backend_mesh_test", pjrt::xla()->plugin()->file());
    set_pjrt_options("backend_mesh_test", {.cpu_device_count = 4, .try_in_child_first = false});
    return Device::pjrt("backend_mesh_test");
  }();
  return {{{"data", 2}, {"model", 2}}, first};
}

std::vector<std::int32_t> elements_of(const Buffer& buffer, std::size_t count) {
  buffer.await_elements();
  std::vector<std::int32_t> elements(count);
  std::memcpy(elements.data(), buffer.data(), count * sizeof(std::int32_t));
  return elements;
}

TEST(BackendMesh, EachDeviceGetsItsPart) {
  std::vector<std::int32_t> elements(24);
  std::iota(elements.begin(), elements.end(), 0);
  const Buffer whole(24 * sizeof(std::int32_t));
  std::memcpy(whole.data(), elements.data(), 24 * sizeof(std::int32_t));
  const Buffer parted = divided(whole, {4, 6}, DType::i32, square(), {{}, "model"});
  EXPECT_TRUE(parted.is_lazy());
  EXPECT_EQ(partition_of(parted, {4, 6}, square()), (PartitionSpec{{}, "model"}));
  EXPECT_EQ(partition_of(parted, {2, 2, 6}, square()), (PartitionSpec{{}, {}, "model"}));
  const std::vector<MeshPart> parts = parts_of(parted, square());
  ASSERT_EQ(parts.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(parts[i].device, square().devices()[i]);
    EXPECT_EQ(parts[i].shape, (Shape{4, 3}));
    EXPECT_EQ(parts[i].bytes, 4U * 3U * sizeof(std::int32_t));
  }
  EXPECT_EQ(elements_of(parted, 24), elements);
  EXPECT_TRUE(parts_of(whole, square()).empty());
  EXPECT_EQ(partition_of(whole, {4, 6}, square()), PartitionSpec{});
}

TEST(BackendMesh, WhatLiesSoIsTheSameBlock) {
  const Buffer whole(16);
  std::memset(whole.data(), 0, 16);
  const Buffer parted = divided(whole, {4}, DType::i32, square(), {"data"});
  EXPECT_EQ(divided(parted, {4}, DType::i32, square(), {"data"}), parted);
  EXPECT_NE(divided(parted, {4}, DType::i32, square(), {"model"}), parted);
}

}  // namespace mesh_test
}  // namespace ddx::backend
