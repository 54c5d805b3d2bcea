#include "ddx/core/partition_spec.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx {
namespace partition_spec_test {

using Names = std::vector<std::vector<std::string>>;

TEST(PartitionSpec, NamesTheMeshAxesOfEachAxis) {
  EXPECT_EQ(PartitionSpec{}.axes(), Names());
  EXPECT_EQ(PartitionSpec{"data"}.axes(), (Names{{"data"}}));
  EXPECT_EQ((PartitionSpec{{}, "model"}).axes(), (Names{{}, {"model"}}));
  EXPECT_EQ((PartitionSpec{"data", "model"}).axes(), (Names{{"data"}, {"model"}}));
  const PartitionSpec both{PartitionSpec::Axis{"data", "model"}};
  EXPECT_EQ(both.axes(), (Names{{"data", "model"}}));
  EXPECT_EQ(PartitionSpec(Names{{"x"}, {}, {"y", "z"}}).axes(), (Names{{"x"}, {}, {"y", "z"}}));
}

TEST(PartitionSpec, WhatIsNotDividedAtTheEndDoesNotCount) {
  EXPECT_EQ((PartitionSpec{"data", {}, {}}), PartitionSpec{"data"});
  EXPECT_EQ(PartitionSpec(Names{{}, {}}), PartitionSpec{});
  EXPECT_NE((PartitionSpec{{}, "data"}), PartitionSpec{"data"});
}

TEST(PartitionSpec, IsRendered) {
  EXPECT_EQ(to_string(PartitionSpec{}), "{}");
  EXPECT_EQ(to_string(PartitionSpec{"data", {}, PartitionSpec::Axis{"x", "y"}}),
            R"({"data", {}, {"x", "y"}})");
}

}  // namespace partition_spec_test
}  // namespace ddx
