#include "ddx/nn/detail/wide_parameters.h"

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/nn/exponential_moving_average.h"
#include "ddx/nn/gradients/clip.h"
#include "ddx/nn/gradients/gradient_accumulator.h"
#include "ddx/nn/optimizers/adadelta.h"
#include "ddx/nn/optimizers/adafactor.h"
#include "ddx/nn/optimizers/adagrad.h"
#include "ddx/nn/optimizers/adam.h"
#include "ddx/nn/optimizers/adamax.h"
#include "ddx/nn/optimizers/adamw.h"
#include "ddx/nn/optimizers/amsgrad.h"
#include "ddx/nn/optimizers/lamb.h"
#include "ddx/nn/optimizers/lars.h"
#include "ddx/nn/optimizers/lion.h"
#include "ddx/nn/optimizers/nadam.h"
#include "ddx/nn/optimizers/radam.h"
#include "ddx/nn/optimizers/rmsprop.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/nn/path.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::nn {
namespace wide_parameters_test {

const std::vector<Device> devices{Device::naive(), Device::cpu(), Device::lazy()};

/// A vector and a matrix, with a full-precision tensor between them.
template <class Scalar>
struct Parts {
  Tensor<Scalar> vector;
  Tensor<float> middle;
  Tensor<Scalar> matrix;

  DDX_DIFFERENTIABLE(Parts, vector, middle, matrix)
};

template <class Scalar>
Parts<Scalar> parts_on(Device device) {
  return {cast<Scalar>(Tensor<float>({3}, {1, 300, 1e-4F}, device)),
          Tensor<float>({2}, {1, -2}, device),
          cast<Scalar>(Tensor<float>({2, 2}, {1, -0.5F, 200, 0}, device))};
}

/// Unused, small, usual and large slopes: the squares of some are 0 or infinite in f16.
template <class Scalar>
typename Parts<Scalar>::TangentVector slopes_on(Device device) {
  return {cast<Scalar>(Tensor<float>({3}, {0, 1e-4F, 300}, device)),
          Tensor<float>({2}, {0.5F, -1}, device),
          cast<Scalar>(Tensor<float>({2, 2}, {1, -1e-4F, 0, 500}, device))};
}

template <class Narrow>
void round_to(Parts<float>& model) {
  model.vector = cast<float>(cast<Narrow>(model.vector));
  model.matrix = cast<float>(cast<Narrow>(model.matrix));
}

template <class Narrow>
Parts<float> widened(const Parts<Narrow>& model) {
  return {cast<float>(model.vector), model.middle, cast<float>(model.matrix)};
}

/// Expects that the steps of 16-bit parameters are those of f32 ones, rounded after each step.
template <class Narrow, template <class> class Optimizer, class Options>
void expect_rounded_steps(const std::string& name, const Options& options) {
  for (const Device device : devices) {
    auto model = parts_on<Narrow>(device);
    auto reference = widened(model);
    const auto slopes = slopes_on<Narrow>(device);
    const typename Parts<float>::TangentVector wide_slopes{
        cast<float>(slopes.vector), slopes.middle, cast<float>(slopes.matrix)};
    Optimizer<Parts<Narrow>> optimizer(model, options);
    Optimizer<Parts<float>> expected(reference, options);
    for (int step = 0; step < 4; ++step) {
      optimizer.update(model, slopes);
      expected.update(reference, wide_slopes);
      round_to<Narrow>(reference);
      const auto found = widened(model);
      const std::string at = name + " on " + to_string(device) + ", step " + std::to_string(step);
      EXPECT_EQ(found.vector.values(), reference.vector.values()) << at;
      EXPECT_EQ(found.middle.values(), reference.middle.values()) << at;
      EXPECT_EQ(found.matrix.values(), reference.matrix.values()) << at;
      EXPECT_TRUE(std::isfinite(found.vector.values()[0])) << at;
    }
  }
}

template <template <class> class Optimizer, class Options>
void expect_both_types(const std::string& name, const Options& options) {
  expect_rounded_steps<Half, Optimizer>(name, options);
  expect_rounded_steps<BFloat16, Optimizer>(name, options);
}

TEST(WideParameters, StepsOf16BitTensorsAreThoseOfFloatsRoundedOnce) {
  expect_both_types<SGD>("SGD", SGDOptions{.learning_rate = 0.01, .momentum = 0.9});
  expect_both_types<Adam>("Adam", AdamOptions{.learning_rate = 0.01});
  expect_both_types<AdamW>("AdamW", AdamWOptions{.learning_rate = 0.01});
  expect_both_types<AMSGrad>("AMSGrad", AMSGradOptions{.learning_rate = 0.01});
  expect_both_types<NAdam>("NAdam", NAdamOptions{.learning_rate = 0.01});
  expect_both_types<RAdam>("RAdam", RAdamOptions{.learning_rate = 0.01});
  expect_both_types<AdaMax>("AdaMax", AdaMaxOptions{.learning_rate = 0.01});
  expect_both_types<AdaGrad>("AdaGrad", AdaGradOptions{.learning_rate = 0.01});
  expect_both_types<AdaDelta>("AdaDelta", AdaDeltaOptions{});
  expect_both_types<RMSProp>(
      "RMSProp", RMSPropOptions{.learning_rate = 0.01, .momentum = 0.5, .centered = true});
  expect_both_types<Lion>("Lion", LionOptions{.learning_rate = 0.01});
  expect_both_types<LARS>("LARS", LARSOptions{});
  expect_both_types<LAMB>("LAMB", LAMBOptions{.learning_rate = 0.01});
  expect_both_types<Adafactor>("Adafactor", AdafactorOptions{});
}

// The first slope is 0, so its number stays; the others move by the learning rate in each step.
TEST(WideParameters, AdamDividesByNoZero) {
  for (const Device device : devices) {
    auto weight = cast<Half>(Tensor<float>({3}, {1, 1, 1}, device));
    const auto slope = cast<Half>(Tensor<float>({3}, {0, 1e-4F, 1}, device));
    Adam optimizer(weight, {.learning_rate = 0.01});
    for (int step = 0; step < 5; ++step) {
      optimizer.update(weight, slope);
    }
    const auto found = cast<float>(weight).values();
    EXPECT_EQ(found[0], 1);
    EXPECT_NEAR(found[1], 0.95, 0.005);
    EXPECT_NEAR(found[2], 0.95, 0.005);
  }
}

TEST(WideParameters, WhatIsKeptHasTheNamesOfTheParameters) {
  const auto model = parts_on<Half>({});
  Adam optimizer(model);
  std::vector<std::string> names;
  optimizer.visit_state([&](const Path& path, auto& value) {
    names.push_back(to_string(path));
    static_assert(!detail::NarrowParameter<decltype(value)>);
  });
  EXPECT_EQ(names,
            (std::vector<std::string>{"mean.vector", "mean.middle", "mean.matrix", "square.vector",
                                      "square.middle", "square.matrix", "steps"}));
}

TEST(WideParameters, StepsCanBeCompiled) {
  using Both = std::pair<Parts<BFloat16>, Adam<Parts<BFloat16>>>;
  const auto device = Device::lazy();
  auto model = parts_on<BFloat16>(device);
  Adam optimizer(model, {.learning_rate = 0.01});
  Both both(model, optimizer);
  const auto slopes = slopes_on<BFloat16>(device);
  const auto step = compile([&](Both taken) {
    taken.second.update(taken.first, slopes);
    return taken;
  });
  for (int i = 0; i < 3; ++i) {
    both = step(std::move(both));
    optimizer.update(model, slopes);
  }
  EXPECT_EQ(widened(both.first).vector.values(), widened(model).vector.values());
}

// 0.99^500 = 0.0066 of the start is left. In bf16 the average of 1 and 2 stays at 1: a hundredth of
// the distance is rounded away.
TEST(WideParameters, AveragesFollowSmallChanges) {
  for (const Device device : devices) {
    auto model = cast<BFloat16>(Tensor<float>({1}, {1}, device));
    ExponentialMovingAverage average(model, {.decay = 0.99});
    model = cast<BFloat16>(Tensor<float>({1}, {2}, device));
    for (int step = 0; step < 500; ++step) {
      average.update(model);
    }
    EXPECT_NEAR(cast<float>(average.model()).values()[0], 2 - std::pow(0.99, 500), 0.01);
  }
}

TEST(WideParameters, AnAverageThatIsLoadedIsTheModels) {
  auto average = ExponentialMovingAverage(Tensor<Half>{Half(1.0F)}, {.decay = 0.5});
  int averages = 0;
  average.visit_state([&]<class Value>(const Path&, Value& value) {
    static_assert(!std::is_same_v<Value, Tensor<Half>>);
    if constexpr (std::is_same_v<Value, Tensor<float>>) {
      value = Tensor<float>{3.0F};
      ++averages;
    }
  });
  EXPECT_EQ(averages, 1);
  EXPECT_EQ(average.model(), Tensor<Half>{Half(3.0F)});
  average.update(Tensor<Half>{Half(1.0F)});
  EXPECT_EQ(average.model(), Tensor<Half>{Half(2.0F)});
}

// 40000 + 40000 is infinite in f16, and 2048 + 1 is 2048. The mean 2051 / 4 is rounded to 513.
TEST(WideParameters, GradientsAreAddedUpInFloats) {
  const Tensor<Half> model{Half(0.0F), Half(0.0F)};
  GradientAccumulator accumulator(model);
  accumulator.add(Tensor<Half>{Half(40000.0F), Half(2048.0F)});
  accumulator.add(Tensor<Half>{Half(40000.0F), Half(1.0F)});
  accumulator.add(Tensor<Half>{Half(40000.0F), Half(1.0F)});
  accumulator.add(Tensor<Half>{Half(40000.0F), Half(1.0F)});
  EXPECT_EQ(cast<float>(accumulator.take_mean()), (Tensor<float>{40000, 513}));
  accumulator.add(Tensor<Half>{Half(1.0F), Half(2.0F)});
  EXPECT_EQ(cast<float>(accumulator.take_mean()), (Tensor<float>{1, 2}));
}

TEST(WideParameters, NormsOf16BitGradientsNeitherOverflowNorVanish) {
  EXPECT_NEAR(global_norm(Tensor<Half>{Half(300.0F), Half(400.0F)}), 500, 1e-3);
  const double tiny = static_cast<double>(Half(1e-4F));
  EXPECT_NEAR(global_norm(Tensor<Half>{Half(1e-4F), Half(0.0F)}), tiny, 1e-9);
}

/// The weights after a step whose gradient has a NaN.
template <template <class> class Optimizer>
std::vector<float> stepped_by_nan(Device device) {
  Tensor<float> weight({2, 2}, {1, 2, 3, 4}, device);
  Optimizer<Tensor<float>> optimizer(weight, {});
  optimizer.update(weight, Tensor<float>({2, 2}, {NAN, 1, 1, 1}, device));
  return weight.values();
}

template <template <class> class Optimizer>
void expect_all_nan() {
  for (const Device device : devices) {
    for (const float value : stepped_by_nan<Optimizer>(device)) {
      EXPECT_TRUE(std::isnan(value)) << to_string(device);
    }
  }
}

// Their steps scale with the norm of all of a parameter's gradient, which is NaN.
TEST(WideParameters, ANaNInAGradientReachesAllElementsOnAllDevices) {
  expect_all_nan<LAMB>();
  expect_all_nan<LARS>();
  expect_all_nan<Adafactor>();
}

}  // namespace wide_parameters_test
}  // namespace ddx::nn
