#include "ddx/nn/visit.h"

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::nn {
namespace visit_test {

using Names = std::vector<std::string>;

struct Block {
  Dense<double> dense{{.in = 2, .out = 2}};
  BatchNorm<double> norm{{.features = 2}};

  DDX_DIFFERENTIABLE(Block, dense, norm)
};

/// One of everything a model may hold.
struct Everything {
  double gain = 1.5;
  int count = 3;
  std::array<float, 2> pair_of_gains{1, 2};
  std::vector<Block> blocks{Block(), Block()};
  std::pair<Dropout<double>, Tensor<double>> last{Dropout<double>{{.rate = 0.5}}, {1.0, 2.0}};

  DDX_DIFFERENTIABLE(Everything, gain, count, pair_of_gains, blocks, last)
};

TEST(Visit, ParametersComeInOrderOfDeclarationWithTheirPaths) {
  Names names;
  const Everything model;
  visit_parameters([&](const Path& path, const auto&) { names.push_back(to_string(path)); }, model);
  EXPECT_EQ(names, (Names{"gain", "pair_of_gains.0", "pair_of_gains.1", "blocks.0.dense.weight",
                          "blocks.0.dense.bias", "blocks.0.norm.scale", "blocks.0.norm.offset",
                          "blocks.1.dense.weight", "blocks.1.dense.bias", "blocks.1.norm.scale",
                          "blocks.1.norm.offset", "last.1"}));
}

TEST(Visit, ParametersMeetTheSamePlacesOfTheTangent) {
  Everything model;
  auto tangent = ddx::detail::zeros_like(model);
  tangent.gain = 2;
  tangent.blocks[1].dense.bias = Tensor<double>{5.0, 6.0};
  Names met;
  visit_parameters(
      [&]<class Weight>(const Path& path, Weight&, const Weight& slope) {
        bool is_zero = true;
        if constexpr (std::is_floating_point_v<Weight>) {
          is_zero = slope == 0;
        } else {
          is_zero = slope == zeros_like(slope);
        }
        if (!is_zero) {
          met.push_back(to_string(path));
        }
      },
      model, tangent);
  EXPECT_EQ(met, (Names{"gain", "blocks.1.dense.bias"}));
}

TEST(Visit, StateHasTheRunningAveragesToo) {
  Names names;
  Block model;
  visit_state([&](const Path& path, auto&) { names.push_back(to_string(path)); }, model);
  EXPECT_EQ(names, (Names{"dense.weight", "dense.bias", "norm.scale", "norm.offset",
                          "norm.running_mean", "norm.running_variance"}));
}

TEST(Visit, ObjectsComeInnerOnesFirst) {
  Names names;
  Block model;
  visit_objects([&](const Path& path, auto&) { names.push_back(to_string(path)); }, model);
  EXPECT_EQ(names, (Names{"dense", "norm", ""}));
}

/// What may be there or not, one of several kinds, and what has a name.
struct Chosen {
  std::optional<Dense<double>> projection;
  std::variant<Dense<double>, BatchNorm<double>> last;
  std::map<std::string, Tensor<double>> heads;

  DDX_DIFFERENTIABLE(Chosen, projection, last, heads)
};

Chosen chosen() {
  return {.projection = Dense<double>({.in = 2, .out = 2}),
          .last = BatchNorm<double>({.features = 2}),
          .heads = {{"north", {1.0, 2.0}}, {"south", {3.0}}}};
}

TEST(Visit, WhatIsHeldIsVisitedAndWhatIsNotIsNot) {
  Chosen model = chosen();
  const auto names = [&] {
    Names found;
    visit_state([&](const Path& path, auto&) { found.push_back(to_string(path)); }, model);
    return found;
  };
  EXPECT_EQ(names(), (Names{"projection.0.weight", "projection.0.bias", "last.1.scale",
                            "last.1.offset", "last.1.running_mean", "last.1.running_variance",
                            "heads.north", "heads.south"}));
  model.projection.reset();
  model.last = Dense<double>({.in = 2, .out = 2});
  model.heads.erase("north");
  EXPECT_EQ(names(), (Names{"last.0.weight", "last.0.bias", "heads.south"}));
}

TEST(Visit, WhatIsHeldMeetsItsPlaceInTheTangent) {
  Chosen model = chosen();
  const auto tangent = ddx::detail::zeros_like(model);
  int met = 0;
  visit_parameters(
      [&](const Path& path, const auto& weight, const auto& slope) {
        EXPECT_EQ(weight.shape(), slope.shape()) << to_string(path);
        ++met;
      },
      model, tangent);
  EXPECT_EQ(met, 6);
}

TEST(Visit, ACounterpartThatHoldsSomethingElseIsAnError) {
  const auto message = [](const Chosen& model, const Chosen& other) {
    return ddx::testing::thrown<UsageError>(
        [&] { visit_parameters([](const Path&, const auto&, const auto&) {}, model, other); });
  };
  Chosen other = chosen();
  other.projection.reset();
  EXPECT_EQ(message(chosen(), other),
            "visit: projection holds alternative 0, its counterpart nothing");
  EXPECT_EQ(message(other, chosen()),
            "visit: projection holds nothing, its counterpart alternative 0");
  other = chosen();
  other.last = Dense<double>({.in = 2, .out = 2});
  EXPECT_EQ(message(chosen(), other),
            "visit: last holds alternative 1, its counterpart alternative 0");
  other = chosen();
  other.heads = {{"east", {1.0}}, {"north", {1.0, 2.0}}};
  EXPECT_EQ(message(chosen(), other), "visit: heads has the key south, its counterpart does not");
  other.heads.erase("north");
  EXPECT_EQ(message(chosen(), other), "visit: heads has 2 elements, its counterpart has 1");
}

TEST(Visit, AModelMovesAsAWhole) {
  Everything model;
  move_to(model, Device::cpu());
  EXPECT_EQ(model.blocks[1].dense.weight.device(), Device::cpu());
  EXPECT_EQ(model.blocks[0].norm.running_variance.device(), Device::cpu());
  EXPECT_EQ(model.last.second.device(), Device::cpu());
  EXPECT_EQ(model.last.second.values(), (std::vector<double>{1, 2}));
}

TEST(Visit, InitialValuesDifferBetweenEqualLayersAndFollowTheKey) {
  Everything model;
  EXPECT_EQ(model.blocks[0].dense.weight, model.blocks[1].dense.weight);
  initialize(model, RandomKey(1));
  const auto first = model.blocks[0].dense.weight;
  EXPECT_FALSE(first == model.blocks[1].dense.weight);
  initialize(model, RandomKey(2));
  EXPECT_FALSE(first == model.blocks[0].dense.weight);
  initialize(model, RandomKey(1));
  EXPECT_EQ(first, model.blocks[0].dense.weight);
}

TEST(Visit, AStepReachesEveryLayer) {
  Everything model;
  begin_step(model, RandomKey(1));
  EXPECT_TRUE(model.last.first.training);
  EXPECT_NE(model.blocks[0].norm.statistics, nullptr);
  EXPECT_NE(model.blocks[0].norm.statistics, model.blocks[1].norm.statistics);
  end_step(model);
  EXPECT_FALSE(model.last.first.training);
  EXPECT_EQ(model.blocks[0].norm.statistics, nullptr);
}

}  // namespace visit_test
}  // namespace ddx::nn
