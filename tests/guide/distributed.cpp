// The programs of docs/guide/distributed.md; see first_gradient.cpp. Run alone: a group of one.

#include "ddx/ddx.h"

#include "expect.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <span>
#include <vector>

namespace {

using ddx::testing::expect_close;

struct Regression {
  ddx::nn::Dense<float> hidden{{.in = 1, .out = 8, .activation = ddx::nn::Activation::Tanh}};
  ddx::nn::Dense<float> output{{.in = 8, .out = 1}};

  ddx::Tensor<float> operator()(const ddx::Tensor<float>& x) const { return x | hidden | output; }

  DDX_DIFFERENTIABLE(Regression, hidden, output)
};

struct Batch {
  ddx::Tensor<float> x;
  ddx::Tensor<float> y;
};

/// Points of a sine.
struct Points {
  [[nodiscard]] std::int64_t size() const { return 60; }
  [[nodiscard]] Batch batch(std::span<const std::int64_t> samples) const {
    std::vector<float> x;
    std::vector<float> y;
    for (const auto sample : samples) {
      x.push_back(static_cast<float>(sample) / 30 - 1);
      y.push_back(std::sin(2 * x.back()));
    }
    const ddx::Shape shape{static_cast<std::int64_t>(samples.size()), 1};
    return {.x = ddx::Tensor<float>(shape, std::span<const float>(x)),
            .y = ddx::Tensor<float>(shape, std::span<const float>(y))};
  }
};

double train(const std::filesystem::path& folder) {
  const Points points;
  Regression model;
  ddx::nn::initialize(model, ddx::RandomKey(1));
  double last = 0;
  // [training]
  const auto group = ddx::distributed::join_group();

  ddx::train::Training training{model, ddx::nn::Adam(model, {.learning_rate = 0.02})};
  if (group.is_first()) {
    ddx::train::resume_latest(training, folder);
  }
  ddx::train::fit(
      training, points,
      [](const Regression& m, const Batch& batch) {
        return ddx::nn::mean_squared_error(m(batch.x), batch.y);
      },
      {.epochs = 40, .batch_size = 16, .key = ddx::RandomKey(2), .group = group},
      {ddx::train::on_first(group, [&] { return ddx::train::keep_checkpoints(training, folder); }),
       {.epoch_ended = [&](ddx::train::Loop& loop) {
         last = loop.mean_loss();  // Of all samples of all processes; equal everywhere.
       }}});
  // [/training]
  return last;
}

double own_loop(const ddx::distributed::ProcessGroup& group) {
  const Points points;
  Regression model;
  ddx::nn::initialize(model, ddx::RandomKey(1));
  ddx::nn::Adam optimizer(model, {.learning_rate = 0.02});
  double last = 0;
  for (int epoch = 0; epoch < 40; ++epoch) {
    // [loop]
    const ddx::data::Epoch batches(points, 16, ddx::data::plain_order(points.size()),
                                   {.part = {.number = group.rank(), .count = group.size()}});
    for (std::int64_t i = 0; i < batches.size(); ++i) {
      const Batch batch = batches[i];  // This process's part.
      auto [loss, gradient] = ddx::value_with_gradient(
          [&](const Regression& m) { return ddx::nn::mean_squared_error(m(batch.x), batch.y); },
          model);
      ddx::train::average_gradients(model, gradient, group,
                                    {.weight = static_cast<double>(batches.own_samples_in(i))});
      optimizer.update(model, gradient);
      last = loss.item();
    }
    // [/loop]
  }
  return last;
}

float collective() {
  float slope = 0;
  // [collective]
  ddx::distributed::run_on_threads(3, [&](const ddx::distributed::ProcessGroup& group) {
    const ddx::Tensor<float> x(static_cast<float>(group.rank() + 1));
    const auto dx = ddx::gradient(
        [&](const ddx::Tensor<float>& t) {
          const auto total = ddx::distributed::cross_replica_sum(t, group);  // 1 + 2 + 3
          return total * total;
        },
        x);
    if (group.is_first()) {
      slope = dx.item();  // 36: that of 3 total^2, one for each replica.
    }
  });
  // [/collective]
  return slope;
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "ddx_guide_distributed";
  std::filesystem::remove_all(folder);
  const double loss = train(folder);
  std::filesystem::remove_all(folder);
  if (!(loss < 0.01) || !(own_loop({}) < 0.02)) {
    std::cerr << "the training did not converge: " << loss << '\n';
    return 1;
  }
  expect_close("cross_replica_sum", collective(), 36);
}
