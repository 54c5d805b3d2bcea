/// \file
/// What a training loop does as one replica of several.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/distributed/process_group.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/average_gradients.h"
#include "ddx/train/detail/gradient_buckets.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace ddx::train::detail {

/// A batch as one replica sees it.
struct BatchShare {
  const distributed::ProcessGroup& group;
  std::int64_t samples = 0;  ///< Of its own part.

  [[nodiscard]] bool is_one_of_many() const noexcept { return group.size() > 1; }
  [[nodiscard]] double weight() const noexcept { return static_cast<double>(samples); }
};

template <class Value>
struct ElementOf {
  using type = Value;
};
template <class Scalar>
struct ElementOf<Tensor<Scalar>> {
  using type = Scalar;
};

/// Makes what layers keep beside their parameters, such as running averages, the mean over the
/// replicas: each has seen its own part of the batch.
template <class Model>
void average_state(Model& model, const BatchShare& share) {
  std::set<std::string> parameters;
  nn::visit_parameters(
      [&](const nn::Path& path, const auto&) { parameters.insert(to_string(path)); }, model);
  std::vector<AveragedArray> arrays;
  nn::visit_state(
      [&](const nn::Path& path, auto& value) {
        using Element = typename ElementOf<std::decay_t<decltype(value)>>::type;
        if constexpr (FloatingScalar<Element>) {
          if (!parameters.contains(to_string(path))) {
            arrays.push_back(averaged_array(value, value));
          }
        }
      },
      model);
  if (!arrays.empty()) {
    average(arrays, share.group, share.weight(), AverageOptions{}.bucket_bytes);
  }
}

}  // namespace ddx::train::detail
