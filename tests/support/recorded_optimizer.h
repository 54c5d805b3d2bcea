/// \file
/// Runs an optimiser on the problem that tests/goldens/make_optimizers.py records.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/nn/path.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/scan.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::testing {

/// The start of the recordings: a vector, a matrix and a number.
struct RecordedModel {
  Tensor<double> vector{1.0, -2.0, 0.5};
  Tensor<double> matrix{{1.5, -0.5, 0.25}, {-1.0, 2.0, 0.75}};
  double number = 1.0;

  DDX_DIFFERENTIABLE(RecordedModel, vector, matrix, number)
};

/// The gradient of the recordings: w^3 + slope.
inline RecordedModel::TangentVector recorded_gradient(const RecordedModel& model) {
  RecordedModel::TangentVector gradient{};
  const Device device = model.vector.device();
  gradient.vector =
      model.vector * model.vector * model.vector + Tensor<double>({0.5, 0.25, -1.0}, device);
  gradient.matrix = model.matrix * model.matrix * model.matrix +
                    Tensor<double>({{0.5, -1.0, 2.0}, {0.25, -0.5, 1.0}}, device);
  gradient.number = model.number * model.number * model.number + 0.5;
  return gradient;
}

/// All numbers of the model, in order.
inline std::vector<double> all_values(const RecordedModel& model) {
  std::vector<double> values = model.vector.values();
  for (const double value : model.matrix.elements()) {
    values.push_back(value);
  }
  values.push_back(model.number);
  return values;
}

/// The start of the recordings without its number, which a staged function could not change.
struct RecordedTensors {
  Tensor<double> vector = RecordedModel().vector;
  Tensor<double> matrix = RecordedModel().matrix;

  DDX_DIFFERENTIABLE(RecordedTensors, vector, matrix)
};

inline RecordedTensors::TangentVector recorded_gradient(const RecordedTensors& model) {
  const auto all = recorded_gradient(RecordedModel{model.vector, model.matrix});
  return {all.vector, all.matrix};
}

inline std::vector<double> all_values(const RecordedTensors& model) {
  std::vector<double> values = all_values(RecordedModel{model.vector, model.matrix});
  values.pop_back();
  return values;
}

/// The kind of an optimiser, for another model.
template <class Optimizer>
struct OptimizerKind;
template <template <class> class Kind, class Model>
struct OptimizerKind<Kind<Model>> {
  template <class Other>
  using For = Kind<Other>;
};

inline void expect_values(const std::string& name, const std::vector<double>& values,
                          const std::vector<double>& expected) {
  ASSERT_LE(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], 1e-13) << name << ", value " << i;
  }
}

/// Expects that ten steps of a compiled function, which is recorded once, end where those of the
/// recording do, and ten turns of a scan too.
template <class Optimizer, class Options>
void expect_staged_steps(const std::string& name, const Options& options,
                         const std::vector<double>& expected) {
  using Both = std::pair<RecordedTensors, Optimizer>;
  const RecordedTensors start;
  const auto step = [](Both both) {
    both.second.update(both.first, recorded_gradient(both.first));
    return both;
  };
  int recordings = 0;
  const auto compiled = compile([&](const Both& both) {
    ++recordings;
    return step(both);
  });
  Both both(start, Optimizer(start, options));
  for (int i = 0; i < 10; ++i) {
    both = compiled(std::move(both));
  }
  EXPECT_EQ(recordings, 1) << name;
  EXPECT_EQ(both.second.steps(), 10) << name;
  expect_values(name + ", compiled", all_values(both.first), expected);

  RecordedTensors model{start.vector.to(Device::lazy()), start.matrix.to(Device::lazy())};
  const Optimizer optimizer(model, options);
  const auto turn = [&](const Both& carry, const std::tuple<>&) { return step(carry); };
  const Both last = scan(turn, Both(model, optimizer), std::tuple<>(), {.turns = 10});
  EXPECT_EQ(last.second.steps(), 10) << name;
  expect_values(name + ", in a scan", all_values(last.first), expected);
}

/// Expects that ten steps end where those of the recording do, in whatever way they are taken.
template <class Optimizer, class Options>
void expect_recorded_steps(const std::string& name, const Options& options) {
  static const std::map<std::string, std::vector<double>> recorded = {
#include "tests/goldens/optimizers.inc"
  };
  RecordedModel model;
  Optimizer optimizer(model, options);
  for (int i = 0; i < 10; ++i) {
    optimizer.update(model, recorded_gradient(model));
  }
  const auto& expected = recorded.at(name);
  const auto values = all_values(model);
  ASSERT_EQ(values.size(), expected.size());
  expect_values(name, values, expected);
  using Staged = typename OptimizerKind<Optimizer>::template For<RecordedTensors>;
  expect_staged_steps<Staged>(name, options, expected);
}

/// Expects that an optimiser with this option is refused with `message`, when it is made and when
/// it takes a step, and that nothing has changed then.
template <class Optimizer, class Options>
void expect_option_refused(const Options& options, const std::string& message) {
  RecordedModel model;
  EXPECT_EQ(message_of<UsageError>([&] { Optimizer(model, options); }), message);
  Optimizer optimizer(model);
  optimizer.options = options;
  EXPECT_EQ(message_of<UsageError>([&] { optimizer.update(model, recorded_gradient(model)); }),
            message);
  EXPECT_EQ(all_values(model), all_values(RecordedModel()));
  EXPECT_EQ(optimizer.steps(), 0);
}

/// The names that a checkpoint of the optimiser's state has.
template <class Optimizer>
std::vector<std::string> state_names(Optimizer& optimizer) {
  std::vector<std::string> names;
  optimizer.visit_state([&](const nn::Path& path, auto&) { names.push_back(to_string(path)); });
  return names;
}

}  // namespace ddx::testing
