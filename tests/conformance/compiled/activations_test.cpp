// Activation functions and their slopes as the compiler finds them, against recordings of PyTorch
// from far below zero to far above.

#include "ddx/ddx.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

struct Recording {
  std::string name;
  std::vector<double> values;
  std::vector<double> slopes;
};

/// The first one is the identity at the points that all are recorded at.
const std::vector<Recording> recordings = {
#include "tests/goldens/activations.inc"
};

template <class Scalar>
Tensor<Scalar> vector_of(const std::vector<double>& values, Device device) {
  return cast<Scalar>(Tensor<double>({static_cast<Shape::Extent>(values.size())}, values, device));
}

template <class Scalar, class F>
void expect_recorded_as(const std::string& name, F f, const Tolerance& tolerance) {
  const auto found = std::ranges::find(recordings, name, &Recording::name);
  ASSERT_NE(found, recordings.end()) << name;
  for (const Device device : {Device::naive(), Device::cpu()}) {
    SCOPED_TRACE(name + " of " + std::string(to_string(dtype_of<Scalar>)) + " on " +
                 to_string(device));
    const auto x = vector_of<Scalar>(recordings.front().values, device);
    const auto [y, pullback] = value_with_pullback(f, x);
    EXPECT_TRUE(all_close(y, vector_of<Scalar>(found->values, device), tolerance)) << to_string(y);
    const auto dx = pullback(ones_like(x));
    EXPECT_TRUE(all_close(dx, vector_of<Scalar>(found->slopes, device), tolerance))
        << to_string(dx);
  }
}

/// `f` takes tensors of both floating types. PyTorch's own results have about eight digits: a slope
/// of hard_sigmoid is a float, the tail of gelu a difference.
template <class F>
void expect_recorded(const std::string& name, F f) {
  expect_recorded_as<double>(name, f, {.relative = 1e-7, .absolute = 1e-15});
  expect_recorded_as<float>(name, f, {.relative = 2e-6, .absolute = 1e-7});
}

TEST(Activations, AgreeWithPyTorchFarFromZero) {
  expect_recorded("softplus", [](const auto& x) { return softplus(x); });
  expect_recorded("log_sigmoid", [](const auto& x) { return log_sigmoid(x); });
  expect_recorded("softsign", [](const auto& x) { return softsign(x); });
  expect_recorded("elu", [](const auto& x) { return elu(x, 0.7F); });
  expect_recorded("selu", [](const auto& x) { return selu(x); });
  expect_recorded("leaky_relu", [](const auto& x) { return leaky_relu(x); });
  expect_recorded("relu6", [](const auto& x) { return relu6(x); });
  expect_recorded("gelu", [](const auto& x) { return gelu(x); });
  expect_recorded("gelu_tanh", [](const auto& x) { return gelu_tanh(x); });
  expect_recorded("silu", [](const auto& x) { return silu(x); });
  expect_recorded("hard_sigmoid", [](const auto& x) { return hard_sigmoid(x); });
  expect_recorded("hard_swish", [](const auto& x) { return hard_swish(x); });
  expect_recorded("mish", [](const auto& x) { return mish(x); });
}

}  // namespace
}  // namespace ddx::testing
