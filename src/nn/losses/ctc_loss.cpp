#include "ddx/nn/losses/ctc_loss.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::nn::detail {
namespace {

constexpr const char* name = "ctc_loss";
constexpr double impossible = -std::numeric_limits<double>::infinity();

/// log(e^a + e^b).
double log_sum(double a, double b) noexcept {
  const double larger = std::max(a, b);
  return larger == impossible ? impossible : larger + std::log1p(std::exp(std::min(a, b) - larger));
}

/// The sums over all alignments of one sample. Its states are the labels with a blank before,
/// between and behind them; a step leads to the same state, the next, or, from label to another
/// label, past the blank between.
class Alignments {
 public:
  Alignments(std::span<const double> log_probabilities, std::size_t classes,
             std::span<const std::int32_t> labels, std::int32_t blank)
      : log_probabilities_(log_probabilities),
        classes_(classes),
        steps_(log_probabilities.size() / classes),
        states_(2 * labels.size() + 1, static_cast<std::size_t>(blank)) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      states_[2 * i + 1] = static_cast<std::size_t>(labels[i]);
    }
    sum_forwards();
  }

  /// Minus the logarithm of the sum of all alignments.
  [[nodiscard]] double loss() const { return -total_; }

  /// Subtracts from each slope the probability of its class at its step, given the labels.
  void subtract_probabilities(std::span<double> slopes) const {
    if (total_ == impossible) {
      return;
    }
    // The sums of what may follow the step, without the step itself.
    std::vector<double> behind(states_.size(), impossible);
    for (std::size_t state = states_.size() - std::min<std::size_t>(2, states_.size());
         state < states_.size(); ++state) {
      behind[state] = 0;
    }
    for (std::size_t step = steps_; step-- > 0;) {
      for (std::size_t state = 0; state < states_.size(); ++state) {
        slopes[step * classes_ + states_[state]] -=
            std::exp(forwards_[step * states_.size() + state] + behind[state] - total_);
      }
      behind = one_step_back(behind, step);
    }
  }

 private:
  [[nodiscard]] double at(std::size_t step, std::size_t state) const {
    return log_probabilities_[step * classes_ + states_[state]];
  }

  /// Whether the state may be reached from the one before the last.
  [[nodiscard]] bool skips(std::size_t state) const {
    return state % 2 == 1 && state > 1 && states_[state] != states_[state - 2];
  }

  void sum_forwards() {
    const std::size_t count = states_.size();
    forwards_.assign(steps_ * count, impossible);
    for (std::size_t step = 0; step < steps_; ++step) {
      double* sums = &forwards_[step * count];
      for (std::size_t state = 0; state < count; ++state) {
        double sum = step == 0 && state < 2 ? 0 : impossible;
        if (step > 0) {
          const double* before = sums - count;
          sum = before[state];
          sum = state > 0 ? log_sum(sum, before[state - 1]) : sum;
          sum = skips(state) ? log_sum(sum, before[state - 2]) : sum;
        }
        sums[state] = sum + at(step, state);
      }
    }
    if (steps_ == 0) {
      total_ = count == 1 ? 0 : impossible;
      return;
    }
    const double* last = &forwards_[(steps_ - 1) * count];
    total_ = count == 1 ? last[0] : log_sum(last[count - 1], last[count - 2]);
  }

  /// The sums of what may follow the step before `step`.
  [[nodiscard]] std::vector<double> one_step_back(const std::vector<double>& behind,
                                                  std::size_t step) const {
    std::vector<double> sums(behind.size());
    for (std::size_t state = 0; state < sums.size(); ++state) {
      double sum = behind[state] + at(step, state);
      if (state + 1 < sums.size()) {
        sum = log_sum(sum, behind[state + 1] + at(step, state + 1));
      }
      if (state + 2 < sums.size() && skips(state + 2)) {
        sum = log_sum(sum, behind[state + 2] + at(step, state + 2));
      }
      sums[state] = sum;
    }
    return sums;
  }

  std::span<const double> log_probabilities_;
  std::size_t classes_;
  std::size_t steps_;
  std::vector<std::size_t> states_;  // The class of each.
  std::vector<double> forwards_;     // [steps, states]
  double total_ = impossible;
};

/// Throws: UsageError where there is not one length per sample, or one is not in [0, largest].
void require_lengths(const char* kind, const Tensor<std::int32_t>& lengths, std::int64_t samples,
                     std::int64_t largest, const std::source_location& where) {
  if (!(lengths.shape() == Shape{samples})) {
    throw UsageError(name,
                     std::string(kind) + " lengths have shape " + to_string(lengths.shape()) +
                         ", one for each of " + std::to_string(samples) + " samples is required",
                     where);
  }
  for (const std::int32_t length : lengths.elements()) {
    if (length < 0 || length > largest) {
      throw UsageError(name,
                       std::string(kind) + " length " + std::to_string(length) + " is not in [0, " +
                           std::to_string(largest) + "]",
                       where);
    }
  }
}

void require_labels_of_sample(std::span<const std::int32_t> labels, std::int64_t classes,
                              std::int32_t blank, const std::source_location& where) {
  for (const std::int32_t label : labels) {
    if (label < 0 || label >= classes || label == blank) {
      throw UsageError(name,
                       "label " + std::to_string(label) + " is not in [0, " +
                           std::to_string(classes) + ") or is the blank, " + std::to_string(blank),
                       where);
    }
  }
}

}  // namespace

CTCBatch ctc_batch(std::vector<double> log_probabilities, const Shape& shape,
                   const Tensor<std::int32_t>& targets, const CTCLengths& lengths,
                   std::int32_t blank, bool with_slopes, const std::source_location& where) {
  if (shape.rank() != 3 || targets.rank() != 2 || targets.shape()[0] != shape[0]) {
    throw UsageError(name,
                     "log_probabilities " + to_string(shape) + " and targets " +
                         to_string(targets.shape()) +
                         " are not [n, steps, classes] and [n, labels]",
                     where);
  }
  if (blank < 0 || blank >= shape[2]) {
    throw UsageError(
        name, "blank " + std::to_string(blank) + " is not in [0, " + std::to_string(shape[2]) + ")",
        where);
  }
  require_lengths("input", lengths.inputs, shape[0], shape[1], where);
  require_lengths("target", lengths.targets, shape[0], targets.shape()[1], where);
  const auto classes = static_cast<std::size_t>(shape[2]);
  const auto sample_size = static_cast<std::size_t>(shape[1]) * classes;
  const auto labels_size = static_cast<std::size_t>(targets.shape()[1]);
  CTCBatch batch{.log_probabilities = std::move(log_probabilities), .losses = {}, .slopes = {}};
  batch.slopes.resize(with_slopes ? batch.log_probabilities.size() : 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(shape[0]); ++i) {
    const auto steps = static_cast<std::size_t>(lengths.inputs.elements()[i]);
    const auto labels = targets.elements().subspan(
        i * labels_size, static_cast<std::size_t>(lengths.targets.elements()[i]));
    require_labels_of_sample(labels, shape[2], blank, where);
    const Alignments alignments(
        std::span<const double>(batch.log_probabilities).subspan(i * sample_size, steps * classes),
        classes, labels, blank);
    batch.losses.push_back(alignments.loss());
    if (with_slopes) {
      alignments.subtract_probabilities(
          std::span<double>(batch.slopes).subspan(i * sample_size, steps * classes));
    }
  }
  return batch;
}

}  // namespace ddx::nn::detail
