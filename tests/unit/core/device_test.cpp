#include "ddx/core/device.h"

#include <gtest/gtest.h>

namespace ddx {
namespace {

TEST(Device, IsAValueWithAName) {
  EXPECT_EQ(Device::naive(), Device::naive());
  EXPECT_NE(Device::naive(), Device::cpu());
  EXPECT_EQ(to_string(Device::naive()), "naive");
  EXPECT_EQ(to_string(Device::cpu()), "cpu");
  EXPECT_EQ(Device::cpu().ordinal(), 0);
}

}  // namespace
}  // namespace ddx
