// A training with operations that return before they are done is the training without, bit for bit.

#include "ddx/backend/asynchronous.h"
#include "ddx/ddx.h"

#include "backend/queue.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx {
namespace {

struct Classifier {
  nn::Dense<float> hidden{{.in = 12, .out = 40}};
  nn::Dense<float> out{{.in = 40, .out = 3}};

  Tensor<float> operator()(const Tensor<float>& x) const { return out(tanh(hidden(x))); }
  DDX_DIFFERENTIABLE(Classifier, hidden, out)
};

struct Training {
  std::vector<float> losses;
  std::vector<float> weights;
};

/// 30 steps; only every tenth loss is looked at while it runs.
Training trained() {
  const auto teacher = random_normal<float>(RandomKey(3), {12, 3});
  Classifier model;
  nn::initialize(model, RandomKey(7));
  nn::Adam optimizer(model, {.learning_rate = 0.01F});
  Training result;
  for (int step = 0; step < 30; ++step) {
    const auto number = static_cast<std::uint64_t>(step);
    const auto x = random_normal<float>(RandomKey(100 + number), {64, 12});
    const auto labels = argmax(matmul(x, teacher), 1);
    auto [loss, gradient] = value_with_gradient(
        [&](const Classifier& m) { return softmax_cross_entropy(m(x), labels); }, model);
    optimizer.update(model, gradient);
    if (step % 10 == 9) {
      result.losses.push_back(loss.item());
    }
  }
  result.weights = model.hidden.weight.values();
  return result;
}

/// While it lives, the cpu device is asynchronous, down to the smallest operation.
class AllQueued {
 public:
  AllQueued() { backend::set_asynchronous(Device::cpu(), true); }
  AllQueued(const AllQueued&) = delete;
  AllQueued& operator=(const AllQueued&) = delete;
  ~AllQueued() {
    (void)backend::set_break_even(before_);
    try {
      backend::set_asynchronous(Device::cpu(), false);
    } catch (const UsageError&) {
      // Of a loss that the test has not looked at.
    }
  }

 private:
  double before_ = backend::set_break_even(0);
};

TEST(AsynchronousTraining, HasTheSameBits) {
  const Training expected = trained();
  ASSERT_LT(expected.losses.back(), expected.losses.front()) << "it learns";
  const AllQueued queued;
  const Training got = trained();
  EXPECT_EQ(got.losses, expected.losses);
  EXPECT_EQ(got.weights, expected.weights);
}

std::string error_of_a_step(const Tensor<std::int32_t>& labels) {
  Classifier model;
  nn::initialize(model, RandomKey(7));
  const auto x = random_normal<float>(RandomKey(1), {2, 12});
  auto [loss, gradient] = value_with_gradient(
      [&](const Classifier& m) { return softmax_cross_entropy(m(x), labels); }, model);
  try {
    (void)gradient.hidden.weight.values();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(AsynchronousTraining, AnErrorReachesTheGradientAndNamesItsOperation) {
  const AllQueued queued;
  const std::string error = error_of_a_step({0, 3});
  EXPECT_EQ(error.substr(0, error.find(" (at ")),
            "softmax_cross_entropy: label 3 at position 1 is not in [0, 3)");
  EXPECT_NE(error.find("asynchronous_training_test.cpp:"), std::string::npos) << error;
}

}  // namespace
}  // namespace ddx
