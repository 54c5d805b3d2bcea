#include "ddx/core/mesh.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ddx {
namespace mesh_test {

using testing::message_of;

const Device first = Device::pjrt("cpu");

TEST(Mesh, IsADevice) {
  const Mesh mesh({{"data", 2}, {"model", 3}}, first);
  EXPECT_EQ(mesh.size(), 6U);
  EXPECT_EQ(mesh.extent("data"), 2);
  EXPECT_EQ(mesh.extent("model"), 3);
  EXPECT_EQ(mesh.devices()[5], Device::pjrt("cpu", 5));
  EXPECT_EQ(mesh.device().kind(), Device::Kind::Mesh);
  EXPECT_EQ(mesh.device().platform(), "cpu");
  EXPECT_TRUE(mesh.device().is_lazy());
  EXPECT_EQ(sizeof(Device), 8U);
  EXPECT_EQ(Mesh::of(mesh.device()), mesh);
  EXPECT_EQ(Mesh::of(mesh.device()).axes(), (std::vector<MeshAxis>{{"data", 2}, {"model", 3}}));
}

TEST(Mesh, OfEqualAxesAndDevicesIsOneDevice) {
  const Mesh mesh({{"data", 4}}, first);
  EXPECT_EQ(mesh, Mesh({{"data", 4}}, first));
  const std::vector<Device> same{first, Device::pjrt("cpu", 1), Device::pjrt("cpu", 2),
                                 Device::pjrt("cpu", 3)};
  EXPECT_EQ(mesh, Mesh({{"data", 4}}, same));
  EXPECT_NE(mesh, Mesh({{"batch", 4}}, first));
  EXPECT_NE(mesh, Mesh({{"data", 2}}, first));
  EXPECT_NE(mesh, Mesh({{"data", 2}, {"model", 2}}, first));
  EXPECT_NE(mesh, Mesh({{"data", 4}}, Device::pjrt("cpu", 1)));
  EXPECT_NE(mesh, Mesh({{"data", 4}}, Device::pjrt("cuda")));
  EXPECT_NE(mesh.device(), first);
}

TEST(Mesh, SaysWhatItIs) {
  EXPECT_EQ(to_string(Mesh({{"data", 2}, {"model", 2}}, Device::pjrt("cuda", 4))),
            "mesh(data=2, model=2; pjrt:cuda:4-7)");
  EXPECT_EQ(to_string(Mesh({{"x", 1}}, first)), "mesh(x=1; pjrt:cpu:0)");
  const Mesh picked({{"x", 2}}, std::vector<Device>{Device::pjrt("cpu", 2), first});
  EXPECT_EQ(to_string(picked), "mesh(x=2; pjrt:cpu:2,0)");
  EXPECT_EQ(to_string(picked.device()), to_string(picked));
}

TEST(Mesh, WhatCannotBeOneIsAnError) {
  const auto said = [](std::vector<MeshAxis> axes, Device device = first) {
    const std::string message =
        message_of<UsageError>([&] { (void)Mesh(std::move(axes), device); });
    return message.substr(0, message.find(" (at "));
  };
  EXPECT_EQ(said({}), "mesh: there are no axes");
  EXPECT_EQ(said({{"data", 0}}), R"(mesh: axis "data" has extent 0)");
  EXPECT_EQ(said({{"data", -4}}), R"(mesh: axis "data" has extent -4)");
  EXPECT_EQ(said({{"data", 2}, {"", 2}}), R"(mesh: "" cannot be the name of axis 1)");
  EXPECT_EQ(said({{"da\"ta", 2}}), R"(mesh: "da"ta" cannot be the name of axis 0)");
  EXPECT_EQ(said({{"data", 2}, {"data", 2}}), R"(mesh: two axes are named "data")");
  EXPECT_EQ(said({{"data", std::int64_t{1} << 40}, {"model", std::int64_t{1} << 40}}),
            "mesh: axes data=1099511627776, model=1099511627776 are more than 1048576 devices");
  EXPECT_EQ(said({{"data", 2}}, Device::cpu()), "mesh: device cpu is none of a plugin of PJRT");
  const Mesh mesh({{"data", 2}}, first);
  EXPECT_EQ(said({{"data", 2}}, mesh.device()),
            "mesh: device mesh(data=2; pjrt:cpu:0-1) is none of a plugin of PJRT");
  EXPECT_TRUE(message_of<UsageError>([] {
                (void)Mesh::of(Device::lazy());
              }).starts_with("mesh: device lazy is no mesh"));
  EXPECT_TRUE(message_of<UsageError>([&] {
                (void)mesh.extent("model");
              }).starts_with(R"(mesh: no axis "model" among data=2)"));
}

TEST(Mesh, DevicesThatDoNotFitAreAnError) {
  const auto said = [](const std::vector<Device>& devices) {
    const std::string message = message_of<UsageError>([&] { (void)Mesh({{"data", 2}}, devices); });
    return message.substr(0, message.find(" (at "));
  };
  EXPECT_EQ(said({first}), "mesh: 1 devices for axes data=2, which are 2");
  EXPECT_EQ(said({first, first}), "mesh: device pjrt:cpu:0 occurs twice");
  EXPECT_EQ(said({first, Device::pjrt("cuda")}),
            "mesh: devices pjrt:cpu:0 and pjrt:cuda:0 are of two plugins");
  EXPECT_EQ(said({first, Device::lazy()}), "mesh: device lazy is none of a plugin of PJRT");
}

}  // namespace mesh_test
}  // namespace ddx
