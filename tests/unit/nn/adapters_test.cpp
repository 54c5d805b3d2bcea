#include "ddx/nn/adapters.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/sequential.h"
#include "ddx/nn/quantize.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace adapters_test {

using ddx::testing::message_of;
using Names = std::vector<std::string>;

Sequential<Dense<double>, Dense<double>> network() {
  return Sequential{Dense<double>{{.in = 3, .out = 4, .key = RandomKey(1)}},
                    Dense<double>{{.in = 4, .out = 2, .key = RandomKey(2)}}};
}

template <class Model>
Names adapters_of(const Model& model) {
  Names names;
  visit_parameters(
      [&](const Path& path, const auto&) {
        if (is_low_rank(to_string(path))) {
          names.push_back(to_string(path));
        }
      },
      model);
  return names;
}

TEST(AddLowRank, ChangesTheNamedLayersAndNoResult) {
  auto model = network();
  const auto x = random_normal<double>(RandomKey(3), {5, 3});
  const auto before = model(x);
  add_low_rank(model, {.layers = {"first"}, .rank = 2});
  EXPECT_EQ(adapters_of(model), (Names{"first.low_rank.0.down", "first.low_rank.0.up",
                                       "rest.first.low_rank.0.down", "rest.first.low_rank.0.up"}));
  EXPECT_EQ(model(x), before);

  auto second = network();
  add_low_rank(second, {.layers = {"rest.first"}, .rank = 2});
  EXPECT_EQ(adapters_of(second), (Names{"rest.first.low_rank.0.down", "rest.first.low_rank.0.up"}));
}

TEST(MergeLowRank, LeavesAModelWithTheSameResults) {
  auto model = network();
  add_low_rank(model, {.layers = {"first"}, .rank = 2, .alpha = 3});
  model.first.low_rank.front().up = random_normal<double>(RandomKey(5), {2, 4});
  model.rest.first.low_rank.front().up = random_normal<double>(RandomKey(6), {2, 2});
  const auto x = random_normal<double>(RandomKey(3), {5, 3});
  const auto adapted = model(x);
  EXPECT_FALSE(all_close(adapted, network()(x)));
  merge_low_rank(model);
  EXPECT_EQ(adapters_of(model), Names{});
  EXPECT_TRUE(all_close(model(x), adapted));
}

TEST(AddLowRank, MistakesAreAnErrorThatChangesNothing) {
  auto model = network();
  EXPECT_EQ(message_of<UsageError>([&] { add_low_rank(model, {.layers = {}}); }),
            "add_low_rank: layers is empty, at least one name is required");
  EXPECT_EQ(message_of<UsageError>([&] { add_low_rank(model, {.layers = {"first", "irst"}}); }),
            "add_low_rank: \"irst\" fits none of the 2 dense layers of the model");
  EXPECT_EQ(adapters_of(model), Names{});
  add_low_rank(model, {.layers = {"rest.first"}});
  EXPECT_EQ(
      message_of<UsageError>([&] { add_low_rank(model, {.layers = {"first"}}); }),
      "add_low_rank: rest.first has an adapter already; merge_low_rank adds it to the weight");
  quantize(model, 8);
  const auto paths = adapters_of(model);
  EXPECT_EQ(
      message_of<UsageError>([&] { merge_low_rank(model); }),
      "merge_low_rank: rest.first has a quantised weight; merge adapters before nn::quantize");
  EXPECT_EQ(adapters_of(model), paths);
}

}  // namespace adapters_test
}  // namespace ddx::nn
