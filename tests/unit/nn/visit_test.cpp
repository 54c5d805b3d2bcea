#include "ddx/nn/visit.h"

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::nn {
namespace {

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

}  // namespace
}  // namespace ddx::nn
