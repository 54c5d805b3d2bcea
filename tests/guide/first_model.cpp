// The programs of docs/guide/first_model.md; see first_gradient.cpp.

#include "ddx/ddx.h"

#include "expect.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

using ddx::testing::expect_close;

// [model]
struct Classifier {
  ddx::nn::Dense<float> hidden{{.in = 2, .out = 16, .activation = ddx::nn::Activation::Tanh}};
  ddx::nn::Dense<float> output{{.in = 16, .out = 2}};

  ddx::Tensor<float> operator()(const ddx::Tensor<float>& points) const {
    return points | hidden | output;
  }

  DDX_DIFFERENTIABLE(Classifier, hidden, output)
};
// [/model]

// [data]
/// Points of a square, and whether each lies in a circle around its middle.
struct Points {
  ddx::Tensor<float> places;         // [n, 2]
  ddx::Tensor<std::int32_t> inside;  // [n], 0 or 1
};

Points draw_points(std::int64_t count, ddx::RandomKey key) {
  const auto places = ddx::random_uniform<float>(key, {count, 2}, {.low = -1, .high = 1});
  const auto squared_radius = ddx::sum(places * places, {.axes = {1}});
  return {places, ddx::cast<std::int32_t>(less(squared_radius, 0.5F))};
}
// [/data]

// [accuracy]
float accuracy(const Classifier& model, const Points& points) {
  const auto predicted = ddx::argmax(model(points.places), 1);
  return ddx::mean(ddx::cast<float>(equal(predicted, points.inside))).item();
}
// [/accuracy]

Classifier trained() {
  // [training]
  Classifier model;
  ddx::nn::initialize(model, ddx::RandomKey(1));
  ddx::nn::Adam optimizer(model, {.learning_rate = 0.02});

  for (std::uint64_t step = 0; step < 400; ++step) {
    const Points batch = draw_points(128, ddx::RandomKey(2).fold_in(step));
    auto [loss, gradient] = ddx::value_with_gradient(
        [&](const Classifier& m) {
          return ddx::softmax_cross_entropy(m(batch.places), batch.inside);
        },
        model);
    optimizer.update(model, gradient);
  }
  // [/training]
  return model;
}

Classifier trained_with_care() {
  // [care]
  Classifier model;
  ddx::nn::initialize(model, ddx::RandomKey(1));
  ddx::nn::AdamW optimizer(model, {.weight_decay = 0.01});
  optimizer.groups.push_back(
      {ddx::nn::paths_ending_with("bias"), [](auto& own) { own.weight_decay = 0; }});
  const ddx::nn::WarmUp rate({.steps = 40}, ddx::nn::CosineDecay({.initial = 0.05, .steps = 360}));
  ddx::nn::ExponentialMovingAverage average(model, {.decay = 0.95});

  for (std::uint64_t step = 0; step < 400; ++step) {
    const Points batch = draw_points(128, ddx::RandomKey(2).fold_in(step));
    auto gradient = ddx::gradient(
        [&](const Classifier& m) {
          return ddx::softmax_cross_entropy(m(batch.places), batch.inside);
        },
        model);
    optimizer.options.learning_rate = rate(optimizer.steps());
    optimizer.update(model, ddx::nn::clip_by_global_norm(std::move(gradient), 1.0));
    average.update(model);
  }
  // [/care]
  return average.model();
}

void typed_gradient() {
  Classifier model;
  const Points batch = draw_points(8, ddx::RandomKey(3));
  // [typed]
  auto gradient = ddx::gradient(
      [&](const Classifier& m) {
        return ddx::softmax_cross_entropy(m(batch.places), batch.inside);
      },
      model);
  ddx::Tensor<float> of_bias = gradient.output.bias;  // [2], like model.output.bias
  // [/typed]
  // The two scores' derivatives, softmax minus the label, cancel in every row.
  expect_close("typed: the slopes of the two classes cancel", of_bias[{0}], -of_bias[{1}], 1e-6);
}

}  // namespace

int main() {
  typed_gradient();
  const Points unseen = draw_points(2000, ddx::RandomKey(4));
  const float share = accuracy(trained(), unseen);
  const float with_care = accuracy(trained_with_care(), unseen);
  std::printf("accuracy: %.3f, with care: %.3f\n", static_cast<double>(share),
              static_cast<double>(with_care));
  return share > 0.97F && with_care > 0.97F ? 0 : 1;
}
