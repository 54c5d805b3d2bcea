#include "ddx/nn/shard.h"

#include "ddx/core/error.h"
#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/virtual_devices.h"

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace shard_test {

using ddx::testing::mesh_of;

struct Model {
  Dense<float> dense{{.in = 4, .out = 6}};
  BatchNorm<float> norm{{.features = 6}};

  Tensor<float> operator()(const Tensor<float>& x) const { return x | dense | norm; }

  DDX_DIFFERENTIABLE(Model, dense, norm)
};

TEST(Shard, PutsEachTensorWhereTheRuleSays) {
  const Mesh mesh = mesh_of({{"model", 2}});
  Model model;
  initialize(model, RandomKey(1));
  const Model before = model;
  std::vector<std::string> asked;
  shard(model, mesh, [&](const std::string& path, const Shape& shape) {
    asked.push_back(path + " " + to_string(shape));
    return path == "dense.weight" ? PartitionSpec{{}, "model"} : PartitionSpec{};
  });
  EXPECT_EQ(asked.front(), "dense.weight [4, 6]");
  EXPECT_EQ(model.dense.weight.device(), mesh.device());
  EXPECT_EQ(parts_of(model.dense.weight)[1].shape, (Shape{4, 3}));
  EXPECT_EQ(sharding_of(model.dense.bias), PartitionSpec{});
  visit_state(
      [&](const Path& path, const auto& value) {
        if constexpr (requires { value.device(); }) {
          EXPECT_EQ(value.device(), mesh.device()) << to_string(path);
        }
      },
      model);
  const Tensor<float> x = random_normal<float>(RandomKey(2), {3, 4});
  const auto expected = before(x).values();
  const auto found = model(x.to(mesh.device())).values();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-5F * (1 + std::abs(expected[i])));
  }
}

TEST(Shard, NamesTheParameterThatDoesNotFit) {
  Model model;
  const std::string said = ddx::testing::message_of<UsageError>([&] {
    shard(model, mesh_of({{"model", 4}}), [](const std::string& path, const Shape&) {
      return path == "dense.weight" ? PartitionSpec{{}, "model"} : PartitionSpec{};
    });
  });
  EXPECT_TRUE(
      said.starts_with("shard dense.weight: extent 6 of axis 1 is no multiple of 4 parts; "
                       R"(partition {{}, "model"}, shape [4, 6])"))
      << said;
}

}  // namespace shard_test
}  // namespace ddx::nn
