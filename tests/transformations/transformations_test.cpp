// Every pair of transformations, in both orders: docs/reference/transformations.md is made of the
// same list.

#include "ddx/ad.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"

#include "inner.h"
#include "outer.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

template <class Outer, class Inner>
void expect_right() {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    EXPECT_LE((Outer::template error_of<Inner>(device)), 1) << device;
  }
}

template <class Outer, class Inner>
void expect_throws(const char* text) {
  const std::string message =
      thrown<UsageError>([] { (void)Outer::template error_of<Inner>(Device::lazy()); });
  EXPECT_NE(message.find(text), std::string::npos) << message;
}

}  // namespace

#define DDX_RIGHT(outer_name, inner_name)                 \
  TEST(Transformations, outer_name##_of_##inner_name) {   \
    expect_right<outer::outer_name, inner::inner_name>(); \
  }
#define DDX_THROWS(outer_name, inner_name, text)               \
  TEST(Transformations, outer_name##_of_##inner_name) {        \
    expect_throws<outer::outer_name, inner::inner_name>(text); \
  }
#define DDX_REFUSED(outer_name, inner_name, message)
#include "cells.def"

// A model whose parameters have an axis more.
struct Model {
  Vector weight;  // [4]
  Vector bias;    // []
  DDX_DIFFERENTIABLE(Model, weight, bias)

  Vector operator()(const Vector& x) const { return tanh(sum(weight * x) + bias); }
};

Model ensemble(Device device) {
  return {Vector({2, 4}, {0.3, -0.2, 0.5, 1.0, -0.7, 0.1, 0.4, 0.2}).to(device),
          Vector{0.1, -0.3}.to(device)};
}

TEST(Transformations, VmapOverModels) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const Vector x = point(device);
    const auto all =
        vmap([](const Model& model, const Vector& one) { return model(one); }, {0, std::nullopt});
    const Model models = ensemble(device);
    const Vector y = all(models, x).to({});
    const Model host = ensemble({});
    const Vector expected = tanh(sum(host.weight * point({}), {.axes = {1}}) + host.bias);
    EXPECT_LE(error(y, expected), computed) << device;
    const auto loss = [&](const Model& m) { return sum(square(all(m, x))); };
    const auto slopes = gradient(loss, models);
    const Vector of_bias = 2.0 * expected * (1.0 - expected * expected);
    EXPECT_LE(error(slopes.bias, of_bias), computed) << device;
    EXPECT_LE(error(slopes.weight, reshape(of_bias, {2, 1}) * point({})), computed) << device;
  }
}

// What three transformations make, by the fourth.
TEST(Transformations, CompileOfVmapOfHvpOfScan) {
  const auto energy_of_states = [](const Vector& x) { return sum(square(inner::Scan{}(x))); };
  const auto product = [&](const Vector& x, const Vector& v) {
    return hvp(energy_of_states, x, v);
  };
  const Vector x = point({});
  const Vector v{-0.3, 0.2, 1.0, 0.6};
  const auto slope = [&](const Vector& at) {
    return gradient([](const Vector& y) { return sum(square(inner::Scan::expected(y))); }, at);
  };
  const Vector expected = (slope(x + 1e-5 * v) - slope(x - 1e-5 * v)) / 2e-5;
  const Vector rows = stack(std::vector<Vector>{x, x});
  const Vector both = compile(vmap(product, {0, std::nullopt}))(rows, v);
  EXPECT_LE(error(both, stack(std::vector<Vector>{expected, expected})), by_differences);
}

// The examples share captures and arguments without an axis: their gradients are sums.
TEST(Transformations, GradientOfVmapByWhatExamplesShare) {
  const Vector rows({2, 4}, {0.3, 1.2, -0.4, 0.7, 0.1, 0.2, 0.3, -0.5});
  const Vector weight = weights();
  const auto expected = [&](const Vector& w) {
    return sum(square(tanh(sum(sin(rows * w) * rows, {.axes = {1}}))));
  };
  const Vector by_weight = gradient(expected, weight);
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto one = [](const Vector& w, const Vector& x) { return tanh(sum(sin(x * w) * x)); };
    const Vector columns = transpose(rows).to(device);
    const auto argument = [&](const Vector& w) {
      return sum(square(vmap(one, {std::nullopt, -1})(w, columns)));
    };
    EXPECT_LE(error(gradient(argument, weight.to(device)), by_weight), computed) << device;
    const auto capture = [&](const Vector& w) {
      return sum(square(vmap([&](const Vector& x) { return one(w, x); }, {1})(columns)));
    };
    EXPECT_LE(error(gradient(capture, weight.to(device)), by_weight), computed) << device;
    const auto by_rows = [&](const Vector& x) {
      return sum(square(vmap(one, {std::nullopt, 1})(weight.to(device), x)));
    };
    const auto of_rows = [&](const Vector& x) {
      return sum(square(tanh(sum(sin(x * weight) * x, {.axes = {1}}))));
    };
    EXPECT_LE(error(gradient(by_rows, columns), transpose(gradient(of_rows, rows))), computed)
        << device;
  }
}

TEST(Transformations, GradientOfVmapOfNoExamples) {
  const Vector none({0, 4}, std::vector<double>{});
  const auto loss = [&](const Vector& w) {
    return sum(vmap([&](const Vector& x) { return sum(w * x); })(none));
  };
  EXPECT_EQ(gradient(loss, weights()).values(), std::vector<double>(4, 0));
  const auto by_none = [](const Vector& x) {
    return sum(vmap([](const Vector& one) { return sum(one * one); })(x));
  };
  EXPECT_EQ(gradient(by_none, none).shape(), (Shape{0, 4}));
}

}  // namespace ddx::testing
