#include "backend/pjrt/mesh_parts.h"

#include "ddx/core/device.h"
#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/core/shape.h"
#include "ddx/stablehlo/module.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace ddx::backend::pjrt {
namespace mesh_parts_test {

const stablehlo::Mesh square{.axes = {{"data", 2}, {"model", 3}}};

TEST(MeshParts, AreCountedRowByRow) {
  const Shape whole{4, 6};
  const stablehlo::Sharding sharding{{"data"}, {"model"}};
  EXPECT_EQ(part_of(whole, sharding, square, 0), (Part{{2, 2}, {0, 0}}));
  EXPECT_EQ(part_of(whole, sharding, square, 1), (Part{{2, 2}, {0, 2}}));
  EXPECT_EQ(part_of(whole, sharding, square, 3), (Part{{2, 2}, {2, 0}}));
  EXPECT_EQ(part_of(whole, sharding, square, 5), (Part{{2, 2}, {2, 4}}));
}

TEST(MeshParts, OfTwoAxesOfAMeshTheFirstIsTheOuterOne) {
  const Shape whole{12};
  EXPECT_EQ(part_of(whole, {{"data", "model"}}, square, 1), (Part{{2}, {2}}));
  EXPECT_EQ(part_of(whole, {{"data", "model"}}, square, 3), (Part{{2}, {6}}));
  EXPECT_EQ(part_of(whole, {{"model", "data"}}, square, 1), (Part{{2}, {4}}));
  EXPECT_EQ(part_of(whole, {{"model", "data"}}, square, 3), (Part{{2}, {2}}));
}

TEST(MeshParts, OfWhatIsNotDividedAreTheWhole) {
  EXPECT_EQ(part_of({}, {}, square, 4), (Part{{}, {}}));
  EXPECT_EQ(part_of({4, 6}, {{}, {}}, square, 4), (Part{{4, 6}, {0, 0}}));
  EXPECT_EQ(part_of({0, 6}, {{"data"}, {}}, square, 4), (Part{{0, 6}, {0, 0}}));
  EXPECT_TRUE(is_replicated({{}, {}}));
  EXPECT_TRUE(is_replicated({}));
  EXPECT_FALSE(is_replicated({{}, {"data"}}));
}

// Every part of an array, by formula: element (i, j, k) of 4 x 6 x 5 is 30 i + 5 j + k.
TEST(MeshParts, AreCopiedOutAndIn) {
  const Shape whole{4, 6, 5};
  std::vector<int> elements(120);
  std::iota(elements.begin(), elements.end(), 0);
  const auto* const bytes = reinterpret_cast<const std::byte*>(elements.data());
  for (const stablehlo::Sharding& sharding : std::vector<stablehlo::Sharding>{
           {{}, {}, {}}, {{"data"}, {}, {}}, {{}, {"model"}, {}}, {{"data"}, {"model"}, {}}}) {
    std::vector<int> back(120, -1);
    for (std::size_t device = 0; device < 6; ++device) {
      const Part part = part_of(whole, sharding, square, device);
      std::vector<int> own(static_cast<std::size_t>(part.shape.count()), -1);
      copy_out(bytes, whole, part, sizeof(int), reinterpret_cast<std::byte*>(own.data()));
      std::size_t next = 0;
      for (std::int64_t i = 0; i < part.shape[0]; ++i) {
        for (std::int64_t j = 0; j < part.shape[1]; ++j) {
          for (std::int64_t k = 0; k < part.shape[2]; ++k) {
            ASSERT_EQ(own[next++], 30 * (i + part.begin[0]) + 5 * (j + part.begin[1]) + k);
          }
        }
      }
      copy_in(reinterpret_cast<std::byte*>(back.data()), whole, part, sizeof(int),
              reinterpret_cast<const std::byte*>(own.data()));
    }
    EXPECT_EQ(back, elements);
  }
}

TEST(MeshParts, OfNoElementsCopyNothing) {
  const Part part{{0, 3}, {0, 0}};
  copy_out(nullptr, {0, 6}, part, 4, nullptr);
  copy_in(nullptr, {0, 6}, part, 4, nullptr);
}

TEST(MeshParts, AnotherShapeKeepsAxesThatAreTheSame) {
  const stablehlo::Sharding first{{"data"}, {}, {}};
  EXPECT_EQ(reshaped(first, {8, 2, 3}, {8, 6}), (stablehlo::Sharding{{"data"}, {}}));
  EXPECT_EQ(reshaped(first, {8, 2, 3}, {48}), (stablehlo::Sharding{{}}));
  EXPECT_EQ(reshaped(first, {8, 2, 3}, {4, 4, 3}), (stablehlo::Sharding{{}, {}, {}}));
  EXPECT_EQ(reshaped({{}, {"data"}}, {6, 8}, {2, 3, 8}), (stablehlo::Sharding{{}, {}, {"data"}}));
  EXPECT_EQ(reshaped({{"data"}, {"model"}}, {4, 6}, {4, 1, 6}),
            (stablehlo::Sharding{{"data"}, {}, {"model"}}));
  EXPECT_EQ(reshaped({}, {}, {1, 1}), (stablehlo::Sharding{{}, {}}));
}

TEST(MeshParts, AreSaidOfEachAxisInPrograms) {
  EXPECT_EQ(sharding_of({"data"}, 3), (stablehlo::Sharding{{"data"}, {}, {}}));
  EXPECT_EQ(sharding_of({}, 0), stablehlo::Sharding());
  const Mesh mesh({{"data", 2}, {"model", 3}}, Device::pjrt("cpu"));
  EXPECT_EQ(axes_of(mesh), square);
}

}  // namespace mesh_parts_test
}  // namespace ddx::backend::pjrt
