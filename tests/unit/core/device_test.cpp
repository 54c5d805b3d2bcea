#include "ddx/core/device.h"

#include "ddx/core/error.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ddx {
namespace device_test {

using testing::thrown;

TEST(Device, IsAValueWithAName) {
  EXPECT_EQ(Device::naive(), Device::naive());
  EXPECT_NE(Device::naive(), Device::cpu());
  EXPECT_EQ(to_string(Device::naive()), "naive");
  EXPECT_EQ(to_string(Device::cpu()), "cpu");
  EXPECT_EQ(Device::cpu().ordinal(), 0);
}

TEST(Device, IsFoundByItsName) {
  EXPECT_EQ(device_named("naive"), Device::naive());
  EXPECT_EQ(device_named("cpu"), Device::cpu());
  EXPECT_EQ(device_named("lazy"), Device::lazy());
  EXPECT_EQ(device_named("CPU"), std::nullopt);
  EXPECT_EQ(device_named(""), std::nullopt);
  EXPECT_EQ(device_names(),
            (std::vector<std::string>{"naive", "cpu", "lazy", "pjrt:NAME[:ORDINAL]"}));
}

TEST(Device, OfAPluginHasAPlatformAndAnOrdinal) {
  const Device device = Device::pjrt("some_plugin-1.2", 3);
  EXPECT_EQ(device.kind(), Device::Kind::Pjrt);
  EXPECT_EQ(device.platform(), "some_plugin-1.2");
  EXPECT_EQ(device.ordinal(), 3);
  EXPECT_TRUE(device.is_lazy());
  EXPECT_EQ(device, Device::pjrt("some_plugin-1.2", 3));
  EXPECT_NE(device, Device::pjrt("some_plugin-1.2", 2));
  EXPECT_NE(device, Device::pjrt("another", 3));
  EXPECT_EQ(to_string(device), "pjrt:some_plugin-1.2:3");
  EXPECT_EQ(device_named("pjrt:some_plugin-1.2:3"), device);
  EXPECT_EQ(device_named("pjrt:another"), Device::pjrt("another"));
  EXPECT_EQ(Device::cpu().platform(), "");
  EXPECT_FALSE(Device::cpu().is_lazy());
  EXPECT_TRUE(Device::lazy().is_lazy());
}

TEST(Device, NamesThatCanBeNoPluginsAreRefused) {
  for (const char* const name : {"pjrt:", "pjrt::0", "pjrt:cpu:", "pjrt:cpu:-1", "pjrt:cpu:1x",
                                 "pjrt:a b", "pjrt:cpu:0:0"}) {
    EXPECT_EQ(device_named(name), std::nullopt) << name;
  }
  EXPECT_EQ(thrown<UsageError>([] { (void)Device::pjrt("a:b"); }),
            "device: \"a:b\" cannot be the name of a plugin");
  EXPECT_EQ(thrown<UsageError>([] { (void)Device::pjrt("cpu", -1); }),
            "device: ordinal -1 of plugin cpu is negative");
}

}  // namespace device_test
}  // namespace ddx
