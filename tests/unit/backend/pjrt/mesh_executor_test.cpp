#include "backend/pjrt/mesh_executor.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/lazy.h"
#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"
#include "ddx/core/mesh.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"

#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/mesh_array.h"
#include "tests/unit/backend/pjrt/fakes.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace ddx::backend::pjrt {
namespace mesh_executor_test {

/// Four devices of XLA's plugin under a name that no other test opens.
Mesh mesh() {
  static const Device first = [] {
    add_pjrt_plugin("mesh_executor_test", xla()->plugin()->file());
    set_pjrt_options("mesh_executor_test", {.cpu_device_count = 4, .try_in_child_first = false});
    return Device::pjrt("mesh_executor_test");
  }();
  return {{{"data", 4}}, first};
}

Tensor<float> on_mesh(float value = 1.0F) {
  return shard(full<float>({64, 64}, value), mesh(), {"data"});
}

/// Where the parts of a tensor lie in the memory of the devices.
std::vector<const std::byte*> places(const Tensor<float>& x) {
  const Buffer buffer(*block_of(x.array().view()));
  std::vector<const std::byte*> places;
  for (const DeviceBuffer& part : mesh_executor_of(mesh()).array_of(buffer)->elements()->parts) {
    places.push_back(part.elements_in_place());
  }
  return places;
}

TEST(MeshExecutor, OfAMeshIsOne) {
  EXPECT_EQ(&mesh_executor_of(mesh()), &mesh_executor_of(Mesh::of(mesh().device())));
  EXPECT_EQ(mesh_executor_of(mesh()).device(), mesh().device());
}

TEST(MeshExecutor, AnUpdateIsWrittenOverWhatNobodyElseHas) {
  Tensor<float> x = on_mesh();
  const auto before = places(x);
  x = x + 1.0F;
  EXPECT_EQ(places(x), before);
  EXPECT_EQ(x.values(), std::vector<float>(64 * 64, 2.0F));
}

TEST(MeshExecutor, WhatSomebodyHasIsNotWrittenOver) {
  Tensor<float> x = on_mesh();
  const auto before = places(x);
  const Tensor<float> copy = x;
  x = x + 1.0F;
  const auto after = places(x);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NE(after[i], before[i]);
  }
  EXPECT_EQ(copy.values(), std::vector<float>(64 * 64, 1.0F));
}

// Elements observed through a span stay while the tensor is changed on the mesh.
TEST(MeshExecutor, WhatSomebodyLooksAtIsNotWrittenOver) {
  Tensor<float> x = shard(full<float>({64, 64}, 1.0F), mesh(), {});
  const Tensor<float> y = x * 3.0F;
  const auto seen = y.elements();
  Tensor<float> z = y;
  z = z + 1.0F;
  lazy_barrier();
  EXPECT_EQ(seen[0], 3.0F);
  EXPECT_EQ(z.values(), std::vector<float>(64 * 64, 4.0F));
}

TEST(MeshExecutor, ALoopCompilesOnce) {
  Tensor<float> x = on_mesh(0.0F);
  for (int i = 0; i < 3; ++i) {
    x = x * 2.0F + 1.0F;
    lazy_barrier();
  }
  const auto compiled = pjrt_statistics("mesh_executor_test").compiled;
  for (int i = 3; i < 10; ++i) {
    x = x * 2.0F + 1.0F;
    lazy_barrier();
  }
  EXPECT_EQ(pjrt_statistics("mesh_executor_test").compiled, compiled);
  EXPECT_EQ(x.values(), std::vector<float>(64 * 64, 1023.0F));
}

TEST(MeshExecutor, ScalarsThatWereEqualMayDiffer) {
  const Tensor<float> x = on_mesh(2.0F);
  const auto run = [&](float factor, float offset) { return (x * factor + offset).values(); };
  const auto filled = [](float value) { return std::vector<float>(64 * 64, value); };
  EXPECT_EQ(run(3, 3), filled(9));
  EXPECT_EQ(run(4, 4), filled(12));  // Here it is seen that they change.
  const auto compiled = pjrt_statistics("mesh_executor_test").compiled;
  EXPECT_EQ(run(5, 5), filled(15));
  EXPECT_EQ(pjrt_statistics("mesh_executor_test").compiled, compiled);
  EXPECT_EQ(run(4, 5), filled(13));
  EXPECT_EQ(run(5, 4), filled(14));
  EXPECT_EQ(pjrt_statistics("mesh_executor_test").compiled, compiled + 1);
}

TEST(MeshExecutor, ANumberThatChangesCompilesNothing) {
  Tensor<float> x = on_mesh(0.0F);
  for (const float number : {0.5F, 1.5F}) {  // Here it is seen that it changes.
    x = x + number;
    lazy_barrier();
  }
  const auto compiled = pjrt_statistics("mesh_executor_test").compiled;
  x = x + 3.0F;
  EXPECT_EQ(x.values(), std::vector<float>(64 * 64, 5.0F));
  EXPECT_EQ(pjrt_statistics("mesh_executor_test").compiled, compiled);
}

// Programs with sums over devices from many threads: each device must get them in one order.
TEST(MeshExecutor, ThreadsShareTheDevices) {
  std::vector<float> sums(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      threads.emplace_back([&sums, i] {
        Tensor<float> x = on_mesh(static_cast<float>(i));
        for (int k = 0; k < 10; ++k) {
          x = x + sum(x) / 4096.0F;  // Doubles.
        }
        sums[i] = x.values()[4095];
      });
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_EQ(sums[i], 1024.0F * static_cast<float>(i));
  }
}

}  // namespace mesh_executor_test
}  // namespace ddx::backend::pjrt
