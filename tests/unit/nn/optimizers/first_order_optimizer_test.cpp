#include "ddx/nn/optimizers/first_order_optimizer.h"

#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_optimizer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ddx::nn {
namespace first_order_optimizer_test {

using ddx::testing::all_values;
using ddx::testing::message_of;
using ddx::testing::recorded_gradient;
using ddx::testing::RecordedModel;

TEST(FirstOrderOptimizer, AGradientOfAnotherShapeChangesNothing) {
  RecordedModel model;
  Adam optimizer(model);
  auto gradient = recorded_gradient(model);
  gradient.matrix = Tensor<double>{1.0, 2.0};
  EXPECT_EQ(message_of<UsageError>([&] { optimizer.update(model, gradient); }),
            "Adam: gradient of matrix has shape [2], its parameter has shape [2, 3]");
  EXPECT_EQ(all_values(model), all_values(RecordedModel()));
  EXPECT_EQ(optimizer.steps(), 0);
}

TEST(FirstOrderOptimizer, AGradientOnAnotherDeviceChangesNothing) {
  RecordedModel model;
  SGD optimizer(model);
  auto gradient = recorded_gradient(model);
  gradient.matrix = gradient.matrix.to(Device::naive());
  EXPECT_EQ(message_of<UsageError>([&] { optimizer.update(model, gradient); }),
            "SGD: gradient of matrix lies on device naive, its parameter lies on device cpu");
  EXPECT_EQ(all_values(model), all_values(RecordedModel()));
}

TEST(FirstOrderOptimizer, AModelThatHasChangedItsFormIsRefused) {
  RecordedModel model;
  Adam optimizer(model);
  model.vector = Tensor<double>{1.0, 2.0};
  EXPECT_EQ(message_of<UsageError>([&] { optimizer.update(model, {}); }),
            "Adam: the state of vector has shape [3], the parameter asks for [2]");
}

TEST(FirstOrderOptimizer, AModelThatWasMovedIsRefusedUntilTheOptimizerIsMovedToo) {
  RecordedModel model;
  Adam optimizer(model, {.learning_rate = 0.1});
  auto gradient = recorded_gradient(model);
  move_to(model, Device::naive());
  move_to(gradient, Device::naive());
  EXPECT_EQ(message_of<UsageError>([&] { optimizer.update(model, gradient); }),
            "Adam: the state of vector lies on device cpu, the parameter on naive");
  optimizer.move_to(Device::naive());
  optimizer.update(model, gradient);
  // The first step of Adam has the length of the rate.
  EXPECT_NEAR(model.number, 0.9, 1e-6);
}

struct Stack {
  std::vector<Tensor<double>> layers{{1.0, 2.0}, {3.0}};

  DDX_DIFFERENTIABLE(Stack, layers)
};

TEST(FirstOrderOptimizer, AListOfAnotherLengthIsRefused) {
  Stack model;
  SGD optimizer(model);
  EXPECT_EQ(message_of<UsageError>([&] { optimizer.update(model, {}); }),
            "visit: layers has 2 elements, its counterpart has 0");
}

TEST(FirstOrderOptimizer, ASymbolicZeroGradientLeavesParameterAndStateAlone) {
  RecordedModel model;
  Adam optimizer(model, {.learning_rate = 0.1, .weight_decay = 0.1});
  auto gradient = recorded_gradient(model);
  gradient.vector = Tensor<double>();
  optimizer.update(model, gradient);
  EXPECT_EQ(model.vector, RecordedModel().vector);
  EXPECT_FALSE(model.matrix == RecordedModel().matrix);
  optimizer.visit_state([](const Path& path, const auto& value) {
    if constexpr (requires { value.elements(); }) {
      if (to_string(path) == "mean.vector") {
        EXPECT_EQ(value, (Tensor<double>{0.0, 0.0, 0.0}));
      }
    }
  });
}

TEST(FirstOrderOptimizer, NaNGoesWhereItCameFrom) {
  RecordedModel model;
  SGD optimizer(model, {.learning_rate = 1});
  auto gradient = recorded_gradient(model);
  gradient.vector.set({1}, std::numeric_limits<double>::quiet_NaN());
  optimizer.update(model, gradient);
  EXPECT_EQ(model.vector[{0}], -0.5);  // 1 - (1 + 0.5)
  EXPECT_NE(model.vector[{1}], model.vector[{1}]);
  EXPECT_EQ(model.number, -0.5);
}

TEST(FirstOrderOptimizer, TheGradientMayBeTheModel) {
  Stack model;
  Stack::TangentVector gradient{.layers = model.layers};
  SGD optimizer(model, {.learning_rate = 0.5});
  optimizer.update(model, gradient);
  EXPECT_EQ(model.layers[0], (Tensor<double>{0.5, 1.0}));
  EXPECT_EQ(gradient.layers[0], (Tensor<double>{1.0, 2.0}));
}

TEST(FirstOrderOptimizer, MomentumMayBeTurnedOnBetweenSteps) {
  RecordedModel model;
  SGD optimizer(model, {.learning_rate = 1});
  RecordedModel::TangentVector gradient{};
  gradient.vector = Tensor<double>{1.0, 2.0, 3.0};
  optimizer.update(model, gradient);
  optimizer.options.momentum = 0.5;
  optimizer.update(model, gradient);  // The velocity begins as 0: a step of g.
  EXPECT_EQ(model.vector, (Tensor<double>{-1.0, -6.0, -5.5}));
  optimizer.update(model, gradient);  // 0.5 g + g.
  EXPECT_EQ(model.vector, (Tensor<double>{-2.5, -9.0, -10.0}));
}

TEST(FirstOrderOptimizer, AStateThatIsNotUsedTakesNoMemory) {
  RecordedModel model;
  RMSProp optimizer(model);
  optimizer.visit_state([](const Path& path, const auto& value) {
    if constexpr (requires { value.elements(); }) {
      const bool used = to_string(path).starts_with("square.");
      EXPECT_EQ(value.rank() == 0, !used) << to_string(path);
    }
  });
}

/// A rule of a user: steps of one length along the sign of the gradient, which it counts.
struct SignOptions {
  double length = 0.5;
};
class SignRule : public UpdateRule {
 public:
  using Options = SignOptions;
  static constexpr const char* name = "SignDescent";
  static constexpr std::array<std::string_view, 1> state_names{"signs"};

  static void check(const Options&) {}
  static double initial_value(const Options&, std::size_t) { return 10; }

  SignRule(const Options& options, const RuntimeNumber&) : length_(options.length) {}

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& signs) const {
    if constexpr (std::is_floating_point_v<Parameter>) {
      const double sign_of = gradient > 0 ? 1 : -1;
      weight -= length_ * sign_of;
      signs += sign_of;
    } else {
      weight = weight - sign(gradient) * length_;
      signs = signs + sign(gradient);
    }
  }

 private:
  double length_;
};

TEST(FirstOrderOptimizer, ARuleOfAUserIsOneClass) {
  RecordedModel model;
  FirstOrderOptimizer<RecordedModel, SignRule> optimizer(model, {});
  optimizer.update(model, recorded_gradient(model));
  // The signs of w^3 + slope.
  EXPECT_EQ(model.vector, (Tensor<double>{0.5, -1.5, 1.0}));
  EXPECT_EQ(model.number, 0.5);
  std::vector<double> signs;
  optimizer.visit_state([&](const Path& path, const auto& value) {
    if constexpr (requires { value.elements(); }) {
      if (to_string(path) == "signs.vector") {
        signs = value.values();
      }
    }
  });
  EXPECT_EQ(signs, (std::vector<double>{11, 9, 9}));
}

/// A layer with a parameter of each kind of shape, in float.
struct Network {
  std::vector<Dense<float>> hidden{
      Dense<float>{{.in = 2, .out = 8, .activation = Activation::Tanh, .key = RandomKey(1)}},
      Dense<float>{{.in = 8, .out = 8, .activation = Activation::Tanh, .key = RandomKey(2)}}};
  Dense<float> last{{.in = 8, .out = 1, .key = RandomKey(3)}};
  float gain = 1;

  Tensor<float> operator()(const Tensor<float>& x) const {
    Tensor<float> y = x;
    for (const auto& layer : hidden) {
      y = layer(y);
    }
    return last(y) * gain;
  }

  DDX_DIFFERENTIABLE(Network, hidden, last, gain)
};

/// The loss after 60 steps, as a share of the loss before them.
template <class Optimizer, class Options>
double share_of_loss_left(const Options& options) {
  const auto x = random_uniform<float>(RandomKey(4), {32, 2}, {.low = -1, .high = 1});
  const auto y = sum(x * x, {.axes = {1}, .keep_dims = true});
  Network network;
  Optimizer optimizer(network, options);
  double first = 0;
  double last = 0;
  for (int step = 0; step <= 60; ++step) {
    const auto [loss, slope] =
        value_with_gradient([&](const Network& n) { return mean_squared_error(n(x), y); }, network);
    last = static_cast<double>(loss.item());
    first = step == 0 ? last : first;
    optimizer.update(network, slope);
  }
  return last / first;
}

TEST(FirstOrderOptimizer, EachLowersTheLossOfANetworkInFloat) {
  EXPECT_LT((share_of_loss_left<SGD<Network>>(SGDOptions{.learning_rate = 0.1, .momentum = 0.9})),
            0.5);
  EXPECT_LT((share_of_loss_left<Adam<Network>>(AdamOptions{.learning_rate = 0.02})), 0.5);
  EXPECT_LT((share_of_loss_left<AdamW<Network>>(AdamWOptions{.learning_rate = 0.02})), 0.5);
  EXPECT_LT((share_of_loss_left<AMSGrad<Network>>(AMSGradOptions{.learning_rate = 0.02})), 0.5);
  EXPECT_LT((share_of_loss_left<RAdam<Network>>(RAdamOptions{.learning_rate = 0.05})), 0.5);
  EXPECT_LT((share_of_loss_left<NAdam<Network>>(NAdamOptions{.learning_rate = 0.02})), 0.5);
  EXPECT_LT((share_of_loss_left<AdaMax<Network>>(AdaMaxOptions{.learning_rate = 0.02})), 0.5);
  EXPECT_LT((share_of_loss_left<AdaGrad<Network>>(AdaGradOptions{.learning_rate = 0.1})), 0.5);
  EXPECT_LT((share_of_loss_left<AdaDelta<Network>>(AdaDeltaOptions{.rho = 0.9, .epsilon = 1e-3})),
            0.5);
  EXPECT_LT((share_of_loss_left<RMSProp<Network>>(RMSPropOptions{.learning_rate = 0.01})), 0.5);
  EXPECT_LT((share_of_loss_left<Lion<Network>>(LionOptions{.learning_rate = 0.01})), 0.5);
  EXPECT_LT((share_of_loss_left<LAMB<Network>>(LAMBOptions{.learning_rate = 0.02})), 0.5);
  EXPECT_LT((share_of_loss_left<LARS<Network>>(
                LARSOptions{.learning_rate = 1, .trust_coefficient = 0.02})),
            0.5);
  EXPECT_LT((share_of_loss_left<Adafactor<Network>>(AdafactorOptions{.learning_rate = 0.05})), 0.5);
}

}  // namespace first_order_optimizer_test
}  // namespace ddx::nn
