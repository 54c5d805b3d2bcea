/// \file
/// A loss in the parts that metrics and callbacks look at.

#pragma once

namespace ddx::train {

/// What a model is to learn from a batch: to answer the input with the target, which `loss(output,
/// target)` judges. `input` and `target` take it from the batch: functions, or pointers to members.
///
/// Example:
///   Supervised{.input = &data::ImageBatch::images,
///              .target = &data::ImageBatch::labels,
///              .loss = [](const auto& scores, const auto& labels) {
///                return softmax_cross_entropy(scores, labels);
///              }}
template <class Input, class Target, class Loss>
struct Supervised {
  Input input;
  Target target;
  Loss loss;
};

/// From the three functions.
template <class Input, class Target, class Loss>
Supervised(Input, Target, Loss) -> Supervised<Input, Target, Loss>;

}  // namespace ddx::train
