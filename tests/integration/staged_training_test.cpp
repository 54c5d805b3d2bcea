// Steps of training as compiled functions: models and optimisers are arguments and results.

#include "ddx/ad.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/models/gpt.h"
#include "ddx/models/lenet.h"
#include "ddx/models/residual_network.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/scan.h"
#include "ddx/tensor/vmap.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx {
namespace {

using namespace ddx::nn;

using Mlp = Sequential<Dense<float>, BatchNorm<float>, Dropout<float>, Dense<float>>;

Mlp mlp() {
  return Mlp(Dense<float>({.in = 4, .out = 8, .activation = Activation::Tanh, .key = RandomKey(1)}),
             BatchNorm<float>({.features = 8, .momentum = 0.5}), Dropout<float>({.rate = 0.25}),
             Dense<float>({.in = 8, .out = 1, .bias = false, .key = RandomKey(2)}));
}

/// One step of training, of any model and optimiser.
template <class Model, class Optimizer>
auto training_step(Model model, Optimizer optimizer, const Tensor<float>& x, const Tensor<float>& y,
                   RandomKey key) {
  begin_step(model, key);
  auto [loss, slope] =
      value_with_gradient([&](const Model& m) { return mean(square(m(x) - y)); }, model);
  optimizer.update(model, slope);
  end_step(model);
  return std::tuple(std::move(model), std::move(optimizer), std::move(loss));
}

template <class Model>
void expect_near(Model a, Model b) {
  std::vector<float> numbers;
  visit_state(
      [&](const Path&, const auto& part) {
        if constexpr (requires { part.values(); }) {
          for (const auto each : part.values()) {
            numbers.push_back(static_cast<float>(each));
          }
        }
      },
      a);
  std::size_t place = 0;
  visit_state(
      [&](const Path& path, const auto& part) {
        if constexpr (requires { part.values(); }) {
          for (const auto each : part.values()) {
            const auto one = static_cast<float>(each);
            ASSERT_NEAR(one, numbers[place], 1e-5 * (1 + std::abs(one))) << to_string(path);
            ++place;
          }
        }
      },
      b);
  EXPECT_EQ(place, numbers.size());
}

template <class Optimizer, class Model>
void expect_equal_training(Model staged, Model plain, const Tensor<float>& x,
                           const Tensor<float>& y, Optimizer optimizer) {
  Optimizer plain_optimizer = optimizer;
  int recordings = 0;
  const auto step = compile([&](const Model& model, const Optimizer& given, const Tensor<float>& a,
                                const Tensor<float>& b, RandomKey key) {
    ++recordings;
    return training_step(model, given, a, b, key);
  });
  Tensor<float> loss;
  Tensor<float> plain_loss;
  for (std::uint64_t i = 0; i < 5; ++i) {
    if (i == 3) {
      optimizer.options.learning_rate *= 0.5;
      plain_optimizer.options.learning_rate *= 0.5;
    }
    std::tie(staged, optimizer, loss) =
        step(std::move(staged), std::move(optimizer), x, y, RandomKey(i));
    std::tie(plain, plain_optimizer, plain_loss) =
        training_step(std::move(plain), std::move(plain_optimizer), x, y, RandomKey(i));
    EXPECT_NEAR(loss.item(), plain_loss.item(), 1e-5F * (1 + plain_loss.item()));
  }
  EXPECT_EQ(recordings, 1);  // Rates, keys and the number of steps are parameters.
  EXPECT_EQ(optimizer.steps(), 5);
  expect_near(staged, plain);
}

/// Steps of a whole model with AdamW, gradients clipped: recorded once, the same numbers.
template <class Model, class Input>
void expect_equal_steps(Model staged, const Input& x) {
  const auto take = [](Model model, AdamW<Model> optimizer, const Input& input) {
    begin_step(model, RandomKey(3));
    auto [loss, slope] =
        value_with_gradient([&](const Model& m) { return mean(square(m(input))); }, model);
    optimizer.update(model, clip_by_global_norm(std::move(slope), 0.5));
    end_step(model);
    return std::tuple(std::move(model), std::move(optimizer), std::move(loss));
  };
  Model plain = staged;
  // Biases of keys have no gradient but rounding errors, which a small epsilon would magnify.
  AdamW<Model> optimizer(staged, {.learning_rate = 0.01, .epsilon = 1e-3});
  AdamW<Model> plain_optimizer = optimizer;
  int recordings = 0;
  const auto step = compile([&](const Model& model, const AdamW<Model>& given, const Input& input) {
    ++recordings;
    return take(model, given, input);
  });
  Tensor<float> loss;
  Tensor<float> plain_loss;
  for (int i = 0; i < 3; ++i) {
    std::tie(staged, optimizer, loss) = step(std::move(staged), std::move(optimizer), x);
    std::tie(plain, plain_optimizer, plain_loss) =
        take(std::move(plain), std::move(plain_optimizer), x);
    EXPECT_NEAR(loss.item(), plain_loss.item(), 1e-5F * (1 + plain_loss.item()));
  }
  EXPECT_EQ(recordings, 1);
  expect_near(staged, plain);
}

class StagedTraining : public ::testing::Test {
 protected:
  Tensor<float> x = random_normal<float>(RandomKey(7), {16, 4});
  Tensor<float> y = random_normal<float>(RandomKey(8), {16, 1});
};

TEST_F(StagedTraining, EqualsPlainStepsWithSGD) {
  expect_equal_training(mlp(), mlp(), x, y,
                        SGD<Mlp>(mlp(), {.learning_rate = 0.1, .momentum = 0.9}));
}

TEST_F(StagedTraining, EqualsPlainStepsWithAdam) {
  expect_equal_training(mlp(), mlp(), x, y, Adam<Mlp>(mlp(), {.learning_rate = 0.01}));
}

TEST_F(StagedTraining, EqualsPlainStepsWithAdamWAndGroups) {
  AdamW<Mlp> optimizer(mlp(), {.learning_rate = 0.01, .weight_decay = 0.1});
  optimizer.groups.push_back({paths_ending_with("bias"), [](auto& own) { own.weight_decay = 0; }});
  expect_equal_training(mlp(), mlp(), x, y, optimizer);
}

// The rate of each step is a parameter of what is recorded, also where groups adjust it.
template <class Optimizer>
void expect_equal_schedules(Optimizer optimizer, const Tensor<float>& x, const Tensor<float>& y) {
  optimizer.groups.push_back(
      {paths_ending_with("bias"), [](auto& own) { own.learning_rate *= 0.5; }});
  const OneCycle rate({.peak = 0.125, .steps = 8});
  Mlp staged = mlp();
  move_to(staged, Device::lazy());
  optimizer.move_to(Device::lazy());
  Mlp plain = staged;
  Optimizer plain_optimizer = optimizer;
  int recordings = 0;
  const auto step = compile([&](const Mlp& model, const Optimizer& given, const Tensor<float>& a,
                                const Tensor<float>& b) {
    ++recordings;
    return training_step(model, given, a, b, RandomKey(1));
  });
  Tensor<float> loss;
  Tensor<float> plain_loss;
  for (int i = 0; i < 8; ++i) {
    optimizer.options.learning_rate = rate(optimizer.steps());
    plain_optimizer.options.learning_rate = rate(i);
    std::tie(staged, optimizer, loss) = step(std::move(staged), std::move(optimizer), x, y);
    std::tie(plain, plain_optimizer, plain_loss) =
        training_step(std::move(plain), std::move(plain_optimizer), x, y, RandomKey(1));
    EXPECT_EQ(loss.item(), plain_loss.item()) << "step " << i;
    EXPECT_EQ(optimizer.options.learning_rate, rate(i));
  }
  EXPECT_EQ(recordings, 1);
}

TEST_F(StagedTraining, AScheduleIsRecordedOnce) {
  expect_equal_schedules(SGD<Mlp>(mlp(), {.momentum = 0.9}), x.to(Device::lazy()),
                         y.to(Device::lazy()));
}

TEST_F(StagedTraining, AScheduleIsRecordedOnceWithEachOptimizer) {
  const auto equal = [&](const auto& optimizer) {
    expect_equal_schedules(optimizer, x.to(Device::lazy()), y.to(Device::lazy()));
  };
  equal(AdaDelta<Mlp>(mlp()));
  equal(Lion<Mlp>(mlp()));
  equal(RMSProp<Mlp>(mlp()));
}

// The gradient overflows at first, and again after the scale has grown.
TEST_F(StagedTraining, ALossScaleIsRecordedOnce) {
  using Optimizer = SGD<Mlp>;
  const auto take = [](Mlp model, Optimizer optimizer, DynamicLossScale scale,
                       const Tensor<float>& a, const Tensor<float>& b) {
    begin_step(model, RandomKey(1));
    auto [loss, slope] = value_with_gradient(
        [&](const Mlp& m) { return scale.scaled(mean(square(m(a) - b))); }, model);
    scale.update(optimizer, model, std::move(slope));
    end_step(model);
    return std::tuple(std::move(model), std::move(optimizer), std::move(scale), std::move(loss));
  };
  Mlp staged = mlp();
  Mlp plain = staged;
  Optimizer optimizer(staged, {.learning_rate = 0.125, .momentum = 0.5});
  Optimizer plain_optimizer = optimizer;
  DynamicLossScale scale({.initial = 0x1p127, .growth = 16, .backoff = 0.25, .growth_interval = 2});
  DynamicLossScale plain_scale = scale;
  int recordings = 0;
  const auto step = compile([&](const Mlp& m, const Optimizer& o, const DynamicLossScale& s,
                                const Tensor<float>& a, const Tensor<float>& b) {
    ++recordings;
    return take(m, o, s, a, b);
  });
  Tensor<float> loss;
  Tensor<float> plain_loss;
  int smaller = 0;
  int larger = 0;
  for (int i = 0; i < 12; ++i) {
    const double before = scale.value();
    std::tie(staged, optimizer, scale, loss) =
        step(std::move(staged), std::move(optimizer), std::move(scale), x, y);
    std::tie(plain, plain_optimizer, plain_scale, plain_loss) =
        take(std::move(plain), std::move(plain_optimizer), std::move(plain_scale), x, y);
    EXPECT_EQ(scale.value(), plain_scale.value()) << "step " << i;
    EXPECT_EQ(optimizer.steps(), plain_optimizer.steps()) << "step " << i;
    if (std::isfinite(plain_loss.item())) {
      EXPECT_NEAR(loss.item() / before, plain_loss.item() / before, 1e-5);
    }
    smaller += scale.value() < before ? 1 : 0;
    larger += smaller > 0 && scale.value() > before ? 1 : 0;
  }
  EXPECT_GT(smaller, 1);
  EXPECT_GT(larger, 0);
  EXPECT_EQ(optimizer.steps(), 12 - smaller);
  EXPECT_EQ(recordings, 1);
  expect_near(staged, plain);
}

// A model, its optimiser and an average of it are carried from turn to turn.
TEST_F(StagedTraining, AScanEqualsPlainSteps) {
  using Average = ExponentialMovingAverage<Mlp>;
  using State = std::tuple<Mlp, Adam<Mlp>, Average>;
  const auto turn = [&](const State& state, const Tensor<float>& a) {
    auto [model, optimizer, average] = state;
    const auto target = y.to(a.device());
    Tensor<float> loss;
    std::tie(model, optimizer, loss) =
        training_step(std::move(model), std::move(optimizer), a, target, RandomKey(5));
    average.update(model);
    return std::pair(State(std::move(model), std::move(optimizer), std::move(average)), loss);
  };
  const auto inputs = random_normal<float>(RandomKey(9), {6, 16, 4});
  const auto all_turns = [&](Device device) {
    Mlp model = mlp();
    move_to(model, device);
    const State start(model, Adam<Mlp>(model, {.learning_rate = 0.01}),
                      Average(model, {.decay = 0.9, .warm_up = true}));
    return scan(turn, start, inputs.to(device));
  };
  auto [plain, plain_losses] = all_turns({});
  auto [recorded, losses] = all_turns(Device::lazy());
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(losses[{i}], (plain_losses[{i}]), 1e-5);
  }
  EXPECT_EQ(std::get<1>(recorded).steps(), 6);
  expect_near(std::get<0>(recorded), std::get<0>(plain));
  expect_near(std::get<2>(recorded).model(), std::get<2>(plain).model());
  // Plain steps continue from the result of a scan.
  Tensor<float> loss;
  std::tie(std::get<0>(recorded), std::get<1>(recorded), loss) =
      training_step(std::get<0>(recorded), std::get<1>(recorded), x.to(Device::lazy()),
                    y.to(Device::lazy()), RandomKey(6));
  std::tie(std::get<0>(plain), std::get<1>(plain), loss) =
      training_step(std::get<0>(plain), std::get<1>(plain), x, y, RandomKey(6));
  EXPECT_EQ(std::get<1>(recorded).steps(), 7);
  expect_near(std::get<0>(recorded), std::get<0>(plain));
}

// Models that differ in nothing but their numbers are trained at once, each as if alone.
TEST_F(StagedTraining, AnEnsembleTrainsAsItsModelsDo) {
  using Model = Dense<float>;
  const auto begin = [](const Tensor<float>& weight) {
    Model model({.in = 4, .out = 1, .key = RandomKey(1)});
    model.weight = weight;
    return std::pair(model, Adam<Model>(model, {.learning_rate = 0.1}));
  };
  const auto step = [](std::pair<Model, Adam<Model>> both, const Tensor<float>& a,
                       const Tensor<float>& b) {
    auto [model, optimizer] = std::move(both);
    const auto slope = gradient([&](const Model& m) { return mean(square(m(a) - b)); }, model);
    optimizer.update(model, clip_by_global_norm(slope, 0.25));
    return std::pair(std::move(model), std::move(optimizer));
  };
  const auto weights = random_normal<float>(RandomKey(3), {3, 4, 1});
  auto ensemble = vmap(begin)(weights);
  for (int i = 0; i < 4; ++i) {
    ensemble = vmap(step, {0, std::nullopt, std::nullopt})(ensemble, x, y);
  }
  for (std::int64_t k = 0; k < 3; ++k) {
    auto alone = begin(
        Tensor<float>({4, 1}, weights.elements().subspan(static_cast<std::size_t>(4 * k), 4)));
    for (int i = 0; i < 4; ++i) {
      alone = step(alone, x, y);
    }
    for (std::int64_t i = 0; i < 4; ++i) {
      EXPECT_NEAR((ensemble.first.weight[{k, i, 0}]), (alone.first.weight[{i, 0}]), 1e-5);
    }
    EXPECT_NEAR((ensemble.first.bias[{k, 0}]), (alone.first.bias[{0}]), 1e-5);
  }
}

TEST_F(StagedTraining, EqualsPlainStepsOfLeNet) {
  expect_equal_steps(models::LeNet<float>(), random_normal<float>(RandomKey(1), {2, 28, 28, 1}));
}

TEST_F(StagedTraining, EqualsPlainStepsOfAResidualNetwork) {
  expect_equal_steps(models::ResidualNetwork<float>({.blocks = 1}),
                     random_normal<float>(RandomKey(1), {2, 8, 8, 3}));
}

TEST_F(StagedTraining, EqualsPlainStepsOfAGptWithDropout) {
  const models::GPT<float> model(
      {.vocabulary = 7, .context = 6, .blocks = 2, .features = 8, .heads = 2, .dropout = 0.1});
  const Tensor<std::int32_t> tokens({2, 6}, {0, 1, 2, 3, 4, 5, 6, 0, 2, 4, 6, 1});
  expect_equal_steps(model, tokens);
}

// What is no number is in the signature: a model after a step is like the one before it.
TEST_F(StagedTraining, TheSameSignatureIsNotRecordedAgain) {
  int recordings = 0;
  const auto step = compile([&](Mlp model, const Tensor<float>& a, RandomKey key) {
    ++recordings;
    begin_step(model, key);
    auto result = mean(model(a));
    end_step(model);
    return std::tuple(std::move(model), std::move(result));
  });
  Mlp model = mlp();
  Tensor<float> result;
  for (int i = 0; i < 3; ++i) {
    std::tie(model, result) = step(model, x, RandomKey(1));
  }
  EXPECT_EQ(recordings, 1);
  std::tie(model, result) = step(model, x, RandomKey(2));
  EXPECT_EQ(recordings, 1);
  model.rest.rest.first.rate = 0.5;
  std::tie(model, result) = step(model, x, RandomKey(2));
  EXPECT_EQ(recordings, 2);
}

/// The losses and the final model of steps with a key of each step, which the first layer with
/// dropout draws from.
template <class Model, class Input>
void expect_equal_draws(Model model, const Input& x) {
  move_to(model, Device::lazy());
  const auto take = [](Model now, const Input& input, RandomKey key) {
    begin_step(now, key.split().second);
    auto [loss, slope] =
        value_with_gradient([&](const Model& m) { return mean(square(m(input))); }, now);
    end_step(now);
    SGD<Model>(now, {.learning_rate = 0.01}).update(now, slope);
    return std::tuple(std::move(now), std::move(loss), key.fold_in(1));
  };
  int recordings = 0;
  const auto step = compile([&](const Model& now, const Input& input, const RandomKey& key) {
    ++recordings;
    return take(now, input, key);
  });
  const Input on_device = x.to(Device::lazy());
  Model plain = model;
  RandomKey key(4);
  for (std::uint64_t i = 0; i < 8; ++i) {
    auto [next, loss, later] = step(model, on_device, key);
    auto [plain_next, plain_loss, plain_later] = take(plain, on_device, key);
    EXPECT_EQ(loss.item(), plain_loss.item()) << "step " << i;
    EXPECT_EQ(later, plain_later);
    model = std::move(next);
    plain = std::move(plain_next);
    key = later;
  }
  EXPECT_EQ(recordings, 1);
  expect_near(model, plain);
}

// The same bits as steps that are recorded again for each key.
TEST_F(StagedTraining, LayersDrawWithTheKeyOfEachCall) {
  expect_equal_draws(mlp(), x);
  expect_equal_draws(
      Sequential<Dense<float>, GaussianNoise<float>, AlphaDropout<float>>(
          Dense<float>({.in = 4, .out = 8, .key = RandomKey(1)}),
          GaussianNoise<float>({.deviation = 0.5}), AlphaDropout<float>({.rate = 0.25})),
      x);
  expect_equal_draws(
      models::GPT<float>(
          {.vocabulary = 7, .context = 6, .blocks = 2, .features = 8, .heads = 2, .dropout = 0.1}),
      Tensor<std::int32_t>({2, 6}, {0, 1, 2, 3, 4, 5, 6, 0, 2, 4, 6, 1}));
}

// Donated arguments are overwritten; arguments with another owner are not.
TEST_F(StagedTraining, ArgumentsThatAreGivenAwayAreWrittenOver) {
  const auto twice = compile([](const Dense<float>& layer) {
    Dense<float> next = layer;
    next.weight = layer.weight * 2.0F;
    return next;
  });
  Dense<float> layer = twice(Dense<float>({.in = 64, .out = 64, .key = RandomKey(1)}));
  const void* const before = layer.weight.elements().data();
  const float first = layer.weight.elements()[0];
  layer = twice(std::move(layer));
  EXPECT_EQ(layer.weight.elements().data(), before);
  EXPECT_EQ(layer.weight.elements()[0], 2 * first);
  const Dense<float> other = layer;
  layer = twice(std::move(layer));
  EXPECT_NE(layer.weight.elements().data(), before);
  EXPECT_EQ(other.weight.elements()[0], 2 * first);
  EXPECT_EQ(twice(other).weight.elements()[0], 4 * first);
}

TEST_F(StagedTraining, SymbolicZerosStaySymbolicZeros) {
  const auto f = compile([](const std::pair<Tensor<float>, Tensor<float>>& both) {
    return std::pair(both.first.is_symbolic_zero() ? Tensor<float>() : both.first * 2.0F,
                     both.second);
  });
  const auto zero = f(std::pair(Tensor<float>(), x));
  EXPECT_TRUE(zero.first.is_symbolic_zero());
  EXPECT_FALSE(zero.second.is_symbolic_zero());
  EXPECT_FALSE(f(std::pair(x, x)).first.is_symbolic_zero());
  // As many tensors as the first had, at other places.
  const auto swapped = f(std::pair(x, Tensor<float>()));
  EXPECT_EQ(swapped.first.values(), (x * 2.0F).values());
  EXPECT_TRUE(swapped.second.is_symbolic_zero());
}

TEST_F(StagedTraining, AModelWithinAStepIsRefused) {
  Mlp model = mlp();
  begin_step(model, RandomKey(1));
  const auto f = compile([](const Mlp& m, const Tensor<float>& a) { return m(a); });
  EXPECT_THROW((void)f(model, x), UsageError);
  end_step(model);
  EXPECT_EQ(f(model, x).shape(), (Shape{16, 1}));
}

}  // namespace
}  // namespace ddx
