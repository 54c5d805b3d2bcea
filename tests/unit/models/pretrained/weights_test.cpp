#include "ddx/models/pretrained/weights.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/tensor_conversion.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/tensor.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace ddx::models {
namespace weights_test {

using ddx::testing::TemporaryFolder;
using ddx::testing::thrown;
using Floats = Tensor<float>;

struct One {
  Floats w;
  DDX_DIFFERENTIABLE(One, w)
};

struct Layer {
  Floats weight, bias;
  DDX_DIFFERENTIABLE(Layer, weight, bias)
};

struct Model {
  std::vector<Layer> layers;
  Floats head;
  DDX_DIFFERENTIABLE(Model, layers, head)
};

/// Files with these arrays.
class Published {
 public:
  explicit Published(io::StoredTensors arrays) {
    io::write_weight_files(folder_.path(), {std::move(arrays), {}});
  }
  [[nodiscard]] io::WeightFiles files() const { return io::WeightFiles(folder_.path()); }

 private:
  TemporaryFolder folder_;
};

Floats counted(const Shape& shape) {
  return reshape(iota<float>(shape.count()), shape);
}

/// What a rule makes of one published array, for a model of this shape; and that it goes back.
Floats loaded(const NameRule& rule, const Floats& theirs, const Shape& ours) {
  const Published published({{"theirs", io::to_stored(theirs)}});
  One model{zeros<float>(ours)};
  load_weights(model, published.files(), {.rules = {rule}});
  EXPECT_EQ(published_arrays(model, {.rules = {rule}}).at("theirs"), io::to_stored(theirs));
  return model.w;
}

TEST(LoadWeights, OfEachLayout) {
  EXPECT_EQ(loaded({"w", {"theirs"}}, counted({2, 3}), {2, 3}), counted({2, 3}));
  EXPECT_EQ(loaded({"w", {"theirs"}, Layout::Transposed}, counted({2, 3}), {3, 2}),
            (Floats{{0, 3}, {1, 4}, {2, 5}}));
  // Out, in, one place: two places of [in, out].
  const Floats filter = loaded({"w", {"theirs"}, Layout::Filter}, counted({2, 3, 2}), {2, 3, 2});
  EXPECT_EQ(filter, Floats({2, 3, 2}, {0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}));
  EXPECT_EQ(loaded({"w", {"theirs"}, Layout::TransposedFilter}, counted({2, 3, 2}), {2, 3, 2}),
            filter);
  // Channel c has the results 2 c and 2 c + 1, of three places each.
  EXPECT_EQ(loaded({"w", {"theirs"}, Layout::Depthwise}, counted({4, 1, 3}), {3, 2, 2}),
            Floats({3, 2, 2}, {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}));
  // Two channels of 1 x 3: ours counts channels last.
  EXPECT_EQ(
      loaded(
          {.ours = "w", .theirs = {"theirs"}, .layout = Layout::Flattened, .flattened = {2, 1, 3}},
          counted({2, 6}), {6, 2}),
      (Floats{{0, 6}, {3, 9}, {1, 7}, {4, 10}, {2, 8}, {5, 11}}));
}

// A convolution over one axis that is published as one over two.
TEST(LoadWeights, OfShapesThatDifferInAxesOfExtentOne) {
  const Floats theirs = counted({2, 3, 2, 1});
  const Published published({{"theirs", io::to_stored(theirs)}});
  NameRule rule{"w", {"theirs"}, Layout::Filter};
  One model{zeros<float>({2, 3, 2})};
  EXPECT_EQ(thrown<UsageError>([&] { load_weights(model, published.files(), {.rules = {rule}}); }),
            "load_weights: 1 array has another form: \"theirs\" is f32 [2, 3, 2, 1], w takes f32 "
            "[2, 3, 2] (here)");
  rule.ignores_unit_axes = true;
  load_weights(model, published.files(), {.rules = {rule}});
  EXPECT_EQ(model.w, Floats({2, 3, 2}, {0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}));
  const Floats row = counted({1, 6});
  One same{zeros<float>({6, 1, 1})};
  load_weights(same, io::WeightFiles(io::StoredTensors{{"theirs", io::to_stored(row)}}),
               {.rules = {{.ours = "w", .theirs = {"theirs"}, .ignores_unit_axes = true}}});
  EXPECT_EQ(same.w, counted({6, 1, 1}));
  One other{zeros<float>({3, 2})};
  EXPECT_EQ(thrown<UsageError>([&] {
              load_weights(
                  other, io::WeightFiles(io::StoredTensors{{"theirs", io::to_stored(row)}}),
                  {.rules = {{.ours = "w", .theirs = {"theirs"}, .ignores_unit_axes = true}}});
            }),
            "load_weights: 1 array has another form: \"theirs\" is f32 [1, 6], w takes f32 [3, 2] "
            "(here)");
}

TEST(LoadWeights, OfUnequalParts) {
  const auto part = [](std::string ours, std::int64_t index, std::vector<std::int64_t> extents) {
    return NameRule{.ours = std::move(ours),
                    .theirs = {"fused"},
                    .layout = Layout::Transposed,
                    .part = {.index = index, .count = 2, .extents = std::move(extents)}};
  };
  const Published published({{"fused", io::to_stored(counted({3, 2}))}});
  Model model{
      {{zeros<float>({2, 1}), zeros<float>({0})}, {zeros<float>({2, 2}), zeros<float>({0})}},
      zeros<float>({0})};
  const NameRules names{
      .rules = {part("layers.0.weight", 0, {1, 2}), part("layers.1.weight", 1, {1, 2})}};
  load_weights(model, published.files(), names);
  EXPECT_EQ(model.layers[0].weight, (Floats{{0}, {1}}));
  EXPECT_EQ(model.layers[1].weight, (Floats{{2, 4}, {3, 5}}));
  EXPECT_EQ(published_arrays(model, names).at("fused"), io::to_stored(counted({3, 2})));
  const NameRules wrong{
      .rules = {part("layers.0.weight", 0, {2, 1}), part("layers.1.weight", 1, {2, 1})}};
  const auto refused = thrown<UsageError>([&] { load_weights(model, published.files(), wrong); });
  EXPECT_TRUE(
      refused.starts_with("load_weights: 2 arrays have another form: layers.0.weight is f32 "
                          "[2, 1], which its layout or part does not allow"))
      << refused;
  EXPECT_TRUE(thrown<UsageError>([&] {
                (void)published_arrays(model, wrong);
              }).starts_with("save_weights: layers.0.weight: its rule names no part of [1, 2]"));
}

TEST(LoadWeights, OfPartsSumsAndTiedArrays) {
  const NameRules names{.rules = {{.ours = "layers.0.weight",
                                   .theirs = {"fused"},
                                   .part = {.axis = 1, .index = 0, .count = 2}},
                                  {.ours = "layers.1.weight",
                                   .theirs = {"fused"},
                                   .layout = Layout::Transposed,
                                   .part = {.axis = 1, .index = 1, .count = 2}},
                                  {"layers.{}.bias", {"first.{}", "second.{}"}},
                                  {.ours = "head", .theirs = {"head"}, .tied_to = "first.0"}}};
  const Published published({{"fused", io::to_stored(counted({2, 4}))},
                             {"first.0", io::to_stored(Floats{1, 2})},
                             {"second.0", io::to_stored(Floats{10, 20})},
                             {"first.1", io::to_stored(Floats{3})},
                             {"second.1", io::to_stored(Floats{30})}});
  Model model{
      {{zeros<float>({2, 2}), zeros<float>({2})}, {zeros<float>({2, 2}), zeros<float>({1})}},
      zeros<float>({2})};
  load_weights(model, published.files(), names);
  EXPECT_EQ(model.layers[0].weight, (Floats{{0, 1}, {4, 5}}));
  EXPECT_EQ(model.layers[1].weight, (Floats{{2, 6}, {3, 7}}));
  EXPECT_EQ(model.layers[0].bias, (Floats{11, 22}));
  EXPECT_EQ(model.layers[1].bias, (Floats{33}));
  EXPECT_EQ(model.head, (Floats{1, 2}));
  const auto back = published_arrays(model, names);
  EXPECT_EQ(back.size(), 5U);
  EXPECT_EQ(back.at("fused"), io::to_stored(counted({2, 4})));
  EXPECT_EQ(back.at("first.0"), io::to_stored(Floats{11, 22}));
  EXPECT_EQ(back.at("second.0"), io::to_stored(Floats{0, 0}));
}

TEST(LoadWeights, WithPrefixesOldNamesAndIgnoredArrays) {
  const Published published({{"module.model.norm.gamma", io::to_stored(Floats{1, 2})},
                             {"module.steps", io::to_stored(Tensor<std::int64_t>{7})}});
  One model{zeros<float>({2})};
  load_weights(model, published.files(),
               {.rules = {{"w", {"norm.weight"}}},
                .ignored = {"steps"},
                .prefixes = {"model.", "module."},
                .renamed = {{".gamma", ".weight"}}});
  EXPECT_EQ(model.w, (Floats{1, 2}));
}

TEST(LoadWeights, RoundsToTheDTypeOfTheModel) {
  const Published published({{"theirs", io::to_stored(Tensor<double>{0.1, 1e300})}});
  One model{zeros<float>({2})};
  load_weights(model, published.files(), {.rules = {{"w", {"theirs"}}}});
  EXPECT_EQ(model.w, (Floats{0.1F, std::numeric_limits<float>::infinity()}));
  const auto half = published_arrays(model, {.rules = {{"w", {"theirs"}}}}, DType::f16);
  EXPECT_EQ(half.at("theirs"), io::to_stored(cast<Half>(model.w)));
}

TEST(LoadWeights, KeepsTheDevice) {
  const Published published({{"theirs", io::to_stored(Floats{1, 2})}});
  One model{zeros<float>({2}, Device::naive())};
  load_weights(model, published.files(), {.rules = {{"w", {"theirs"}}}});
  EXPECT_EQ(model.w.device(), Device::naive());
  EXPECT_EQ(model.w.to(Device::cpu()), (Floats{1, 2}));
}

TEST(LoadWeights, ReadsIntoTheMemoryOfTheModel) {
  const Published published({{"theirs", io::to_stored(Tensor<double>{1, 2})}});
  const NameRules names{.rules = {{"w", {"theirs"}}}};
  One model{zeros<float>({2})};
  const void* memory = model.w.array().data();
  load_weights(model, published.files(), names);
  EXPECT_EQ(model.w.array().data(), memory);
  EXPECT_EQ(model.w, (Floats{1, 2}));
}

TEST(LoadWeights, LeavesWhatSharesTheMemoryOfTheModel) {
  const Published published({{"theirs", io::to_stored(Floats{1, 2})}});
  One model{zeros<float>({2})};
  const One before = model;
  load_weights(model, published.files(), {.rules = {{"w", {"theirs"}}}});
  EXPECT_EQ(model.w, (Floats{1, 2}));
  EXPECT_EQ(before.w, zeros<float>({2}));
}

TEST(LoadWeights, AsksNothingForAMissingBias) {
  const Published published({{"w", io::to_stored(counted({3, 2}))}});
  nn::Dense<float> layer({.in = 2, .out = 3, .bias = false});
  const NameRules names{.rules = {{"weight", {"w"}, Layout::Transposed}}};
  load_weights(layer, published.files(), names);
  EXPECT_EQ(layer.weight, (Floats{{0, 2, 4}, {1, 3, 5}}));
  EXPECT_EQ(published_arrays(layer, names).size(), 1U);
}

const NameRules of_layers{.rules = {{"layers.{}.weight", {"layer.{}.w"}, Layout::Transposed},
                                    {"layers.{}.bias", {"layer.{}.b"}}}};

Model two_layers() {
  return {{{zeros<float>({2, 3}), zeros<float>({3})}, {zeros<float>({3, 3}), zeros<float>({3})}},
          zeros<float>({2})};
}

TEST(LoadWeights, NamesAllFaultsAndChangesNothing) {
  const Published published({{"layer.0.w", io::to_stored(counted({3, 2}))},
                             {"layer.0.b", io::to_stored(Tensor<std::int32_t>{1, 2, 3})},
                             {"layer.1.w", io::to_stored(counted({3, 4}))},
                             {"layer.1.bias", io::to_stored(Floats{1, 2, 3})}});
  Model model = two_layers();
  EXPECT_EQ(thrown<UsageError>([&] {
              load_weights(model, published.files(), of_layers, {.ignored_paths = {"tail"}});
            }),
            "load_weights: 1 array is missing: \"layer.1.b\" for layers.1.bias (nearest: "
            "\"layer.1.bias\"); 2 arrays have another form: \"layer.0.b\" is i32 [3], "
            "layers.0.bias takes f32 [3], \"layer.1.w\" is f32 [3, 4], layers.1.weight takes f32 "
            "[3, 3]; 1 path has no rule: head; 1 array has no place: \"layer.1.bias\"; 1 ignored "
            "path is none of the model's: tail (here)");
  EXPECT_EQ(model.layers[0].weight, zeros<float>({2, 3}));
}

TEST(LoadWeights, KeepsIgnoredPaths) {
  const Published published({{"layer.0.w", io::to_stored(counted({3, 2}))},
                             {"layer.0.b", io::to_stored(Floats{1, 2, 3})},
                             {"layer.1.b", io::to_stored(Floats{1, 2})}});
  Model model = two_layers();
  load_weights(model, published.files(), of_layers, {.ignored_paths = {"layers.1", "head"}});
  EXPECT_EQ(model.layers[0].bias, (Floats{1, 2, 3}));
  EXPECT_EQ(model.layers[1].bias, zeros<float>({3}));
}

TEST(LoadWeights, RefusesNamesThatAreOneWithoutPrefixes) {
  const Published published(
      {{"w", io::to_stored(Floats{1})}, {"model.w", io::to_stored(Floats{2})}});
  One model{zeros<float>({1})};
  EXPECT_EQ(thrown<UsageError>([&] {
              load_weights(model, published.files(),
                           {.rules = {{"w", {"w"}}}, .prefixes = {"model."}});
            }),
            "load_weights: 1 array has no place: \"w\"; 1 name is there twice: \"model.w\" and "
            "\"w\" (here)");
}

TEST(LoadWeights, RefusesALayoutOfAnotherRank) {
  const Published published({{"theirs", io::to_stored(Floats{1, 2})}});
  One model{zeros<float>({2})};
  EXPECT_EQ(thrown<UsageError>([&] {
              load_weights(model, published.files(),
                           {.rules = {{"w", {"theirs"}, Layout::Filter}}});
            }),
            "load_weights: 1 array has another form: w is f32 [2], which its layout or part does "
            "not allow (here)");
}

TEST(PublishedArrays, RefuseWhatHasNoPlace) {
  const One model{zeros<float>({2})};
  EXPECT_EQ(thrown<UsageError>([&] { (void)published_arrays(model, {}); }),
            "save_weights: w has no rule (here)");
  const Model layers = two_layers();
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)published_arrays(layers, {.rules = {{"{*}", {"same"}}}}); }),
      "save_weights: \"same\", to which layers.0.bias goes, is there already (here)");
  const NameRules one_part{
      .rules = {{.ours = "w", .theirs = {"both"}, .part = {.axis = 0, .index = 1, .count = 2}}}};
  EXPECT_EQ(thrown<UsageError>([&] { (void)published_arrays(model, one_part); }),
            "save_weights: a part of \"both\" is missing; w is another (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)published_arrays(model, {.rules = {{"w", {"a.{}"}}}}); }),
      "NameRules: \"a.{}\" has more wildcards than its path");
}

}  // namespace weights_test
}  // namespace ddx::models
