/// \file
/// Training steps of any model.

#pragma once

#include "ddx/ad.h"
#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/io/tensor_conversion.h"
#include "ddx/nn/precision.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor.h"
#include "ddx/train/load_model.h"

#include "workload.h"

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace ddx::bench {

/// A model with its batch and its optimiser. `Form` is the model in the precision that computes:
/// the model itself, or the same in bf16.
template <class Model, class Form, class Input, class Optimizer>
class Training {
 public:
  Training(Model model, Form form, Tensor<Input> x, Tensor<std::int32_t> labels,
           const typename Optimizer::Options& options)
      : model_(std::move(model)),
        form_(std::move(form)),
        x_(std::move(x)),
        labels_(std::move(labels)),
        optimizer_(model_, options) {}

  /// The loss before the update, observed after it, as in the peers, so that a recording device
  /// need not materialise gradients.
  double step() { return static_cast<double>(loss_of_recorded_step().item()); }

  [[nodiscard]] io::StoredTensors content() const {
    auto arrays = train::model_arrays(model_);
    arrays["x"] = io::to_stored(x_);
    arrays["labels"] = io::to_stored(labels_);
    return arrays;
  }

 private:
  /// The gradient ends here: alive at the observation, it would be a result of the program.
  auto loss_of_recorded_step() {
    auto [loss, gradient] = loss_with_gradient();
    optimizer_.update(model_, gradient);
    return std::move(loss);
  }

  /// The scores of each position of a sequence, or of each sample, as rows.
  static Tensor<float> rows(const Tensor<float>& scores) {
    return reshape(scores, {-1, scores.shape()[scores.rank() - 1]});
  }

  auto loss_with_gradient() {
    const auto& x = x_;
    const auto& labels = labels_;
    if constexpr (std::same_as<Model, Form>) {
      nn::begin_step(model_, RandomKey(4));
      auto result = value_with_gradient(
          [&](const Model& m) { return softmax_cross_entropy(rows(m(x)), labels); }, model_);
      nn::end_step(model_);
      return result;
    } else {
      nn::begin_step(form_, RandomKey(4));
      const auto& form = form_;
      auto result = value_with_gradient(
          [&](const Model& m) {
            return softmax_cross_entropy(rows(cast<float>(nn::cast_parameters(form, m)(x))),
                                         labels);
          },
          model_);
      nn::end_step(form_);
      return result;
    }
  }

  Model model_;
  Form form_;
  Tensor<Input> x_;
  Tensor<std::int32_t> labels_;
  Optimizer optimizer_;
};

/// The input of a workload of images or of sequences.
struct Batch {
  Shape input;
  std::int64_t labels = 0;   ///< Their number.
  std::int64_t classes = 0;  ///< Of the labels, and of token inputs.
};

/// Samples, divided over the devices of a mesh where there is one.
template <class Scalar>
Tensor<Scalar> divided(const Tensor<Scalar>& samples, const WorkloadOptions& options) {
  return options.mesh ? shard(samples, *options.mesh, {"data"}) : samples;
}

/// The workload of `make(Scalar)`, a model, on random numbers or random tokens.
template <template <class> class Optimizer, bool tokens = false, class Make, class Settings>
Workload workload_of(const Make& make, const Batch& batch, const Settings& settings,
                     double operations, const WorkloadOptions& options) {
  const Device device = options.mesh ? options.mesh->device() : options.device;
  auto model = make(float{});
  nn::initialize(model, RandomKey(3));
  nn::move_to(model, device);
  const auto labels =
      divided(random_integers<std::int32_t>(RandomKey(2), {batch.labels}, 0,
                                            static_cast<std::int32_t>(batch.classes), device),
              options);
  const auto finished = [&]<class Form, class Input>(Form form, const Tensor<Input>& x) {
    nn::move_to(form, device);
    using Made = Training<decltype(model), Form, Input, Optimizer<decltype(model)>>;
    const auto training =
        std::make_shared<Made>(model, form, divided(x, options), labels, settings);
    return Workload{[training] { return training->step(); },
                    [training] { return training->content(); }, operations};
  };
  const auto on = [&]<class Scalar>(Scalar) {
    if constexpr (tokens) {
      return finished(make(Scalar{}), random_integers<std::int32_t>(
                                          RandomKey(1), batch.input, 0,
                                          static_cast<std::int32_t>(batch.classes), device));
    } else {
      return finished(make(Scalar{}),
                      cast<Scalar>(random_normal<float>(RandomKey(1), batch.input, {}, device)));
    }
  };
  return options.bf16 ? on(BFloat16{}) : on(float{});
}

}  // namespace ddx::bench
