// A training loop with callbacks: metrics, a log, a decaying learning rate, early stopping. A
// callback is a value with functions for events; the loop depends on none of them.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <filesystem>
#include <iostream>
#include <span>
#include <vector>

namespace {

/// Points of a square, and whether each lies in a circle around its centre.
struct Points {
  ddx::Tensor<float> places;         // [n, 2]
  ddx::Tensor<std::int32_t> inside;  // [n], 0 or 1
};

/// A data set is any type with a size and a function that makes batches.
struct Square {
  std::vector<float> places;

  explicit Square(std::int64_t count)
      : places(ddx::random_uniform<float>(ddx::RandomKey(1), {count, 2}, {.low = -1, .high = 1})
                   .values()) {}

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(places.size() / 2); }

  [[nodiscard]] Points batch(std::span<const std::int64_t> samples) const {
    std::vector<float> chosen;
    std::vector<std::int32_t> inside;
    for (const auto sample : samples) {
      const float x = places[static_cast<std::size_t>(2 * sample)];
      const float y = places[static_cast<std::size_t>(2 * sample + 1)];
      chosen.insert(chosen.end(), {x, y});
      inside.push_back(x * x + y * y < 0.5F ? 1 : 0);
    }
    const auto count = static_cast<std::int64_t>(samples.size());
    return {{{count, 2}, std::span<const float>(chosen)},
            {{count}, std::span<const std::int32_t>(inside)}};
  }
};

struct Classifier {
  ddx::nn::Dense<float> hidden{{.in = 2, .out = 16, .activation = ddx::nn::Activation::Tanh}};
  ddx::nn::Dense<float> output{{.in = 16, .out = 2}};

  ddx::Tensor<float> operator()(const ddx::Tensor<float>& points) const {
    return points | hidden | output;
  }

  DDX_DIFFERENTIABLE(Classifier, hidden, output)
};

}  // namespace

int main() {
  namespace train = ddx::train;
  const Square square(2000);
  const auto [training_set, validation_set] = ddx::data::split(square, 0.25, ddx::RandomKey(2));

  Classifier model;
  ddx::nn::initialize(model, ddx::RandomKey(3));
  train::Training training{model, ddx::nn::Adam(model)};

  const auto file = std::filesystem::temp_directory_path() / "ddx_06_callbacks.csv";
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  train::CsvLog log(file);
  const train::Recorder recorder(
      {.statistics = {train::loss_statistic(), train::statistic("accuracy", train::Accuracy())},
       .sinks = {log.sink()}});

  train::fit(
      training, train::Sets{training_set, validation_set},
      train::Supervised{&Points::places, &Points::inside,
                        [](const auto& scores, const auto& inside) {
                          return ddx::softmax_cross_entropy(scores, inside);
                        }},
      {.epochs = 40, .batch_size = 50, .key = ddx::RandomKey(4)},
      {train::show_progress(std::cout), recorder.events(),
       train::schedule_learning_rate(
           training.optimizer, [](std::int64_t step) { return 0.02 * std::pow(0.999, step); }),
       train::stop_early(training, {.patience = 5})});

  const auto& last = recorder.history().back();
  const double accuracy = last.value("validation_accuracy");
  std::printf("%s: %zu epochs; accuracy %.3f\n", file.c_str(), recorder.history().size(), accuracy);
  return accuracy > 0.9 ? 0 : 1;
}
