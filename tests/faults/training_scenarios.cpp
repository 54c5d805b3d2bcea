// Steps of training, and what is saved of them.

#include "ddx/ad.h"
#include "ddx/backend/loop_compilation.h"
#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"
#include "ddx/train/checkpoint.h"
#include "ddx/train/training.h"

#include "scenario.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace ddx::faults {
namespace {

using Path = std::filesystem::path;

struct Model {
  nn::Dense<float> first;
  nn::Dense<float> last;

  [[nodiscard]] Tensor<float> operator()(const Tensor<float>& x) const { return last(first(x)); }

  DDX_DIFFERENTIABLE(Model, first, last)
};

Model new_model() {
  return {nn::Dense<float>(
              {.in = 2, .out = 4, .activation = nn::Activation::Tanh, .key = RandomKey(1)}),
          nn::Dense<float>({.in = 4, .out = 1, .key = RandomKey(2)})};
}

using Training = train::Training<Model, nn::Adam<Model>>;

Training new_training(Device device) {
  Model model = new_model();
  nn::move_to(model, device);
  nn::Adam<Model> optimizer(model, {.learning_rate = 0.01});
  return {std::move(model), std::move(optimizer)};
}

/// One step; returns the loss before it.
float step(Training& training, Device device) {
  const Tensor<float> x({3, 2}, {1, 2, -1, 0.5F, 0.25F, -2}, device);
  const Tensor<float> y({3, 1}, {1, -1, 0.5F}, device);
  const auto [loss, slope] =
      value_with_gradient([&](const Model& m) { return mean(square(m(x) - y)); }, training.model);
  training.optimizer.update(training.model, slope);
  ++training.position.step;
  return loss.item();
}

std::vector<float> numbers_of(const Training& training) {
  std::vector<float> numbers;
  Training copy = training;
  train::detail::visit_training(copy, [&](const std::string&, auto& value) {
    if constexpr (requires { value.values(); }) {
      for (const auto number : value.values()) {
        numbers.push_back(static_cast<float>(number));
      }
    }
  });
  return numbers;
}

/// What the numbers are after so many steps where nothing fails.
std::vector<float> numbers_after(int steps, Device device) {
  Training training = new_training(device);
  for (int i = 0; i < steps; ++i) {
    (void)step(training, device);
  }
  return numbers_of(training);
}

/// A step of training in whose course calls fail: the model is as before it or after it, in the
/// parameters that the optimiser has come to, and can be trained on.
template <Device device()>
class Step final : public Scenario {
 public:
  explicit Step(const Path& /*folder*/) : training_(new_training(device())) {
    (void)step(training_, device());
    before_ = numbers_of(training_);
    after_ = numbers_after(2, device());
  }
  void attempt() override { (void)step(training_, device()); }
  void check(bool has_succeeded) override {
    const std::vector<float> now = numbers_of(training_);
    expect(now.size() == before_.size(), "other numbers");
    for (std::size_t i = 0; i < now.size(); ++i) {
      expect(now[i] == after_[i] || (!has_succeeded && now[i] == before_[i]),
             "number " + std::to_string(i) + " is " + std::to_string(now[i]) + ", neither " +
                 std::to_string(before_[i]) + " nor " + std::to_string(after_[i]));
    }
    const float loss = step(training_, device());
    expect(std::isfinite(loss), "the loss is no number");
    for (const float number : numbers_of(training_)) {
      expect(std::isfinite(number), "a parameter is no number");
    }
  }

 private:
  Training training_;
  std::vector<float> before_;
  std::vector<float> after_;
};

Device naive() {
  return Device::naive();
}
Device cpu() {
  return Device::cpu();
}
Device lazy() {
  backend::set_loop_compilation({.is_on = false});
  return Device::lazy();
}

/// A checkpoint written over another, and restored.
class Checkpoint final : public Scenario {
 public:
  explicit Checkpoint(const Path& folder)
      : file_(folder / "checkpoint"), training_(new_training(Device::cpu())) {
    train::save_checkpoint(file_, training_);
    before_ = numbers_of(training_);
    (void)step(training_, Device::cpu());
    after_ = numbers_of(training_);
  }
  void attempt() override {
    train::save_checkpoint(file_, training_);
    Training restored = new_training(Device::cpu());
    train::load_checkpoint(file_, restored);
    expect(numbers_of(restored) == after_, "other numbers are restored");
  }
  void check(bool has_succeeded) override {
    Training restored = new_training(Device::cpu());
    train::load_checkpoint(file_, restored);
    const std::vector<float> numbers = numbers_of(restored);
    expect(numbers == after_ || (!has_succeeded && numbers == before_), "other numbers are saved");
    expect(numbers_of(training_) == after_, "what was saved has changed");
    attempt();
  }

 private:
  Path file_;
  Training training_;
  std::vector<float> before_;
  std::vector<float> after_;
};

}  // namespace

std::span<const Row> training_scenarios() {
  static constexpr std::array rows{
      Row{.name = "naive.step", .make = make<Step<naive>>, .has_own_memory = true},
      Row{.name = "cpu.step", .make = make<Step<cpu>>, .has_own_memory = true},
      Row{.name = "lazy.step", .make = make<Step<lazy>>, .has_own_memory = true},
      Row{.name = "checkpoint", .make = make<Checkpoint>, .has_own_memory = true},
  };
  return rows;
}

}  // namespace ddx::faults
