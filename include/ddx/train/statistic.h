/// \file
/// Metrics that listen to a training loop.

#pragma once

#include "ddx/distributed/process_group.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/loop.h"
#include "ddx/train/metrics/metric.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ddx::train {

/// A named number over batches, of any metric. Copies share what they have added up.
struct Statistic {
  std::string name;
  std::function<void()> reset;
  std::function<void(const Loop&)> accumulate;  ///< Takes the batch that has ended.
  std::function<double()> measure;
};

/// The loss, as "loss".
[[nodiscard]] Statistic loss_statistic();

/// A metric of the loss, such as Perplexity; each sample counts once.
template <LossMetric M>
[[nodiscard]] Statistic statistic(std::string name, M metric) {
  const auto shared = std::make_shared<M>(std::move(metric));
  return {
      .name = std::move(name),
      .reset = [shared] { shared->reset(); },
      .accumulate = [shared](const Loop& loop) { shared->accumulate(loop.loss(), loop.samples()); },
      .measure = [shared] { return static_cast<double>(shared->measure()); }};
}

namespace detail {

/// The sums over the replicas.
[[nodiscard]] std::vector<double> summed(const std::vector<double>& totals,
                                         const distributed::ProcessGroup& group);

}  // namespace detail

/// A metric of outputs and targets, such as Accuracy; the objective must be Supervised. The types
/// are those of what the model answers and of the targets.
///
/// Example:
///   statistic("accuracy", Accuracy())
///   statistic<Tensor<float>, Tensor<float>>("mae", MeanAbsoluteError())
template <class Output = Tensor<float>, class Target = Tensor<std::int32_t>,
          AnswerMetric<Output, Target> M>
[[nodiscard]] Statistic statistic(std::string name, M metric) {
  const auto shared = std::make_shared<M>(std::move(metric));
  return {.name = std::move(name),
          .reset = [shared] { shared->reset(); },
          .accumulate =
              [shared](const Loop& loop) {
                shared->accumulate(loop.output<Output>(), loop.target<Target>());
              },
          .measure = [shared] { return static_cast<double>(shared->measure()); }};
}

/// As above over the samples of all replicas, each of which accumulates its own part. All of them
/// must measure it at the same time, as a Recorder on each does.
///
/// Example: statistic("accuracy", Accuracy(), group)
template <class Output = Tensor<float>, class Target = Tensor<std::int32_t>,
          AnswerMetric<Output, Target> M>
  requires AddableMetric<M>
[[nodiscard]] Statistic statistic(std::string name, M metric,
                                  const distributed::ProcessGroup& group) {
  const auto shared = std::make_shared<M>(std::move(metric));
  return {.name = std::move(name),
          .reset = [shared] { shared->reset(); },
          .accumulate =
              [shared](const Loop& loop) {
                if (loop.own_samples() > 0) {
                  shared->accumulate(loop.output<Output>(), loop.target<Target>());
                }
              },
          .measure =
              [shared, group] {
                M all = *shared;
                all.set_totals(detail::summed(shared->totals(), group));
                return static_cast<double>(all.measure());
              }};
}

}  // namespace ddx::train
