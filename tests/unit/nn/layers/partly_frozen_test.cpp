#include "ddx/nn/layers/partly_frozen.h"

#include "ddx/ad/operators.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/adapters.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/nn/layers/embedding.h"
#include "ddx/nn/optimizers/adamw.h"
#include "ddx/nn/optimizers/parameter_group.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace ddx::nn {
namespace partly_frozen_test {

using ddx::testing::message_of;
using Names = std::vector<std::string>;

/// Vectors of words, a dense layer, and scores tied to the vectors.
template <FloatingScalar Scalar>
struct Tied {
  Embedding<Scalar> words{{.count = 5, .features = 4, .key = RandomKey(1)}};
  Dense<Scalar> dense{{.in = 4, .out = 4, .activation = Activation::Tanh, .key = RandomKey(2)}};
  Dropout<Scalar> dropout{{.rate = 0.5}};

  Tensor<Scalar> operator()(const Tensor<std::int32_t>& x) const {
    return words.scores(dropout(dense(words(x))));
  }
  DDX_DIFFERENTIABLE(Tied, words, dense, dropout)
};

const Tensor<std::int32_t> indices{{1, 3, 0}, {2, 2, 4}};

template <class Model>
auto loss(const Model& m) {
  return sum(square(m(indices)));
}

bool is_dense(const std::string& path) {
  return path.starts_with("dense.");
}

TEST(PartlyFrozen, HasTheGradientsOfTheOpenModel) {
  Tied<double> model;
  add_low_rank(model, {.layers = {"dense"}, .rank = 2});
  model.dense.low_rank.front().up = {{0.5, 1, -1, 0.25}, {0.125, 2, 0.5, -0.5}};
  const auto open = gradient(loss<Tied<double>>, model);

  const PartlyFrozen tuned(model, is_low_rank);
  EXPECT_EQ(loss(tuned), loss(model));
  const auto slopes = gradient(loss<PartlyFrozen<Tied<double>>>, tuned).trained;
  ASSERT_EQ(slopes.size(), 2U);
  const auto& adapter = open.dense.low_rank.front();
  EXPECT_TRUE(all_close(slopes.at("dense.low_rank.0.down"), adapter.down));
  EXPECT_TRUE(all_close(slopes.at("dense.low_rank.0.up"), adapter.up));

  const PartlyFrozen all(model, [](const std::string&) { return true; });
  const auto every = gradient(loss<PartlyFrozen<Tied<double>>>, all).trained;
  ASSERT_EQ(every.size(), 5U);
  EXPECT_TRUE(all_close(every.at("words.weight"), open.words.weight));
  EXPECT_TRUE(all_close(every.at("dense.weight"), open.dense.weight));
  EXPECT_TRUE(all_close(every.at("dense.bias"), open.dense.bias));
}

TEST(PartlyFrozen, TheOptimizerMovesWhatIsChosenAlone) {
  const Tied<double> model;
  PartlyFrozen tuned(model, is_dense);
  AdamW optimizer(tuned, {.learning_rate = 0.1, .weight_decay = 0.5});
  optimizer.groups.push_back(
      {paths_ending_with("bias"), [](auto& own) { own.learning_rate = 0.0; }});
  Names states;
  optimizer.visit_state([&](const Path& path, const auto&) { states.push_back(to_string(path)); });
  EXPECT_EQ(states, (Names{"mean.trained.dense.bias", "mean.trained.dense.weight",
                           "square.trained.dense.bias", "square.trained.dense.weight", "steps"}));
  const double before = loss(tuned).item();
  optimizer.update(tuned, gradient(loss<PartlyFrozen<Tied<double>>>, tuned));
  EXPECT_LT(loss(tuned).item(), before);

  const auto result = tuned.model();
  EXPECT_EQ(loss(result), loss(tuned));
  EXPECT_EQ(result.words.weight, model.words.weight);
  EXPECT_EQ(result.dense.bias, model.dense.bias);
  EXPECT_FALSE(result.dense.weight == model.dense.weight);
  EXPECT_FALSE(gradient(loss<Tied<double>>, result).words.weight.is_symbolic_zero());
}

TEST(PartlyFrozen, NamesAllItsValuesAndMovesThem) {
  PartlyFrozen tuned(Tied<double>(), is_dense);
  Names names;
  visit_state([&](const Path& path, const auto&) { names.push_back(to_string(path)); }, tuned);
  EXPECT_EQ(names, (Names{"trained.dense.bias", "trained.dense.weight", "rest.words.weight"}));
  const auto before = loss(tuned);
  move_to(tuned, Device::naive());
  EXPECT_EQ(tuned.model().words.weight.device(), Device::naive());
}

TEST(PartlyFrozen, DropsInTrainingSteps) {
  PartlyFrozen tuned(Tied<double>(), is_dense);
  const auto at_rest = tuned(indices);
  begin_step(tuned, RandomKey(3));
  EXPECT_FALSE(all_close(tuned(indices), at_rest));
  end_step(tuned);
  EXPECT_EQ(tuned(indices), at_rest);
}

TEST(PartlyFrozen, AModelOf16BitsIsTrainedInF32) {
  PartlyFrozen tuned(Tied<BFloat16>(), is_dense);
  static_assert(std::is_same_v<decltype(tuned.trained["dense.weight"]), Tensor<float>&>);
  const auto before = tuned.trained.at("dense.weight");
  const auto value = [](const auto& m) { return sum(square(cast<float>(m(indices)))); };
  AdamW optimizer(tuned, {.learning_rate = 1e-4, .weight_decay = 0});
  optimizer.update(tuned, gradient(value, tuned));
  // A step of the first moment is the learning rate, which bf16 beside weights of 0.5 rounds off.
  const auto step = abs(tuned.trained.at("dense.weight") - before);
  EXPECT_TRUE(all_close(step, full<float>(step.shape(), 1e-4F), {.relative = 1e-2}));
}

/// Layers in a row.
template <FloatingScalar Scalar>
struct Row {
  std::vector<Dense<Scalar>> layers;
  Tensor<Scalar> operator()(const Tensor<Scalar>& x) const {
    auto y = x;
    for (const auto& layer : layers) {
      y = layer(y);
    }
    return sum(y);
  }
  DDX_DIFFERENTIABLE(Row, layers)
};

/// The most memory that a gradient takes beside what was there before.
template <class Model>
double peak_of_gradient(const Model& model, const Tensor<float>& x) {
  backend::reset_memory_peak();
  const auto before = backend::memory_statistics().in_use;
  const auto slopes = gradient([&](const Model& m) { return m(x); }, model);
  return static_cast<double>(backend::memory_statistics().peak - before);
}

TEST(PartlyFrozen, KeepsNeitherInputsNorGradientsOfConstantWeights) {
  Row<float> model;
  for (int i = 0; i < 8; ++i) {
    model.layers.push_back(Dense<float>({.in = 64, .out = 64, .bias = false}));
  }
  const auto x = full<float>({1024, 64}, 0.5F);
  const PartlyFrozen tuned(model, paths_starting_with("layers.0."));
  // Of the eight inputs of layers and eight gradients, the ones of the first layer are left.
  EXPECT_LT(peak_of_gradient(tuned, x), 0.5 * peak_of_gradient(model, x));
}

/// Layers that are given weights which are computed from trained parameters.
template <FloatingScalar Scalar>
struct Computed {
  Dense<Scalar> encoder{{.in = 3, .out = 2, .key = RandomKey(3)}};
  Dense<Scalar> decoder{{.in = 2, .out = 3, .key = RandomKey(4)}};
  Tensor<Scalar> gain = Tensor<Scalar>({3}, {0.5, 2, 3});

  Tensor<Scalar> operator()(const Tensor<Scalar>& x) const {
    Dense<Scalar> tied = decoder;
    tied.weight = matrix_transpose(encoder.weight);
    Dense<Scalar> scaled = decoder;
    scaled.weight = scaled.weight * gain;
    const Tensor<Scalar> y = tanh(encoder(x));
    return tied(y) + scaled(y);
  }
  DDX_DIFFERENTIABLE(Computed, encoder, decoder, gain)
};

TEST(PartlyFrozen, ComputedWeightsHaveTheirDerivatives) {
  const Computed<double> model;
  const Tensor<double> x{{0.3, -1, 2}, {1, 0.5, -0.25}};
  const auto loss = [&](const auto& m) { return sum(square(m(x))); };
  const auto all = gradient(loss, model);
  const PartlyFrozen tuned(
      model, [](const std::string& path) { return path == "encoder.weight" || path == "gain"; });
  const auto slopes = gradient(loss, tuned);
  EXPECT_EQ(slopes.trained.size(), 2U);
  EXPECT_TRUE(all_close(slopes.trained.at("encoder.weight"), all.encoder.weight));
  EXPECT_TRUE(all_close(slopes.trained.at("gain"), all.gain));
}

TEST(PartlyFrozen, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] {
              PartlyFrozen tuned(Tied<double>(), [](const std::string&) { return false; });
            }),
            "PartlyFrozen: no parameter of the model is chosen to be trained");
  EXPECT_EQ(message_of<UsageError>(
                [] { PartlyFrozen<Tied<double>, float> tuned(Tied<double>(), is_dense); }),
            "PartlyFrozen: dense.weight is of f64, which is wider than f32");
}

}  // namespace partly_frozen_test
}  // namespace ddx::nn
