#include "ddx/core/device.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ddx {
namespace {

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
  EXPECT_EQ(device_names(), (std::vector<std::string>{"naive", "cpu", "lazy"}));
}

}  // namespace
}  // namespace ddx
