/// \file
/// One replica's training on all replicas.

#pragma once

#include "ddx/distributed/process_group.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/train/checkpoint.h"
#include "ddx/train/detail/stored.h"
#include "ddx/train/training.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddx::train {

namespace detail {

/// The root's array in place of each replica's, which has the same form.
///
/// Throws: UsageError where the forms differ; names the array.
void broadcast_stored(std::vector<std::pair<std::string, io::StoredTensor>>& arrays,
                      const distributed::ProcessGroup& group, std::int64_t root);

}  // namespace detail

/// Sets the training of each replica to that of replica `root`: model with the state of its layers,
/// optimiser, position. So the replicas may begin from different initial values, and a checkpoint
/// needs to be read by one alone. `fit` does it.
///
/// Throws:  UsageError where the replicas train different models; names what differs.
///          EnvironmentError where a replica does not come.
/// Example:
///   if (group.is_first()) { resume_latest(training, folder); }
///   broadcast_training(training, group);
template <class Model, class Optimizer>
void broadcast_training(Training<Model, Optimizer>& training,
                        const distributed::ProcessGroup& group, std::int64_t root = 0) {
  if (group.size() == 1) {
    return;
  }
  std::vector<std::pair<std::string, io::StoredTensor>> arrays;
  auto shared = training;
  detail::visit_training(shared, [&](const std::string& name, auto& value) {
    arrays.emplace_back(name, detail::stored(value));
  });
  detail::broadcast_stored(arrays, group, root);
  auto next = arrays.begin();
  detail::visit_training(
      shared, [&](const std::string&, auto& value) { detail::restore(value, (next++)->second); });
  training = std::move(shared);
}

}  // namespace ddx::train
