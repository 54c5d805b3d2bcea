#include "ddx/train/average_gradients.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/distributed/detail/collective.h"
#include "ddx/distributed/detail/run_collective.h"
#include "ddx/distributed/process_group.h"
#include "ddx/distributed/reduction.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/detail/gradient_buckets.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx::train::detail {

void check_average_options(const AverageOptions& options, const std::source_location& where) {
  if (options.bucket_bytes < 1) {
    throw UsageError(
        "average_gradients",
        "bucket_bytes is " + std::to_string(options.bucket_bytes) + ", must be at least 1", where);
  }
  if (!(options.weight >= 0) || std::isinf(options.weight)) {
    throw UsageError("average_gradients",
                     "the weight is " + std::to_string(options.weight) +
                         ", must be a number that is not negative",
                     where);
  }
}

std::vector<double> averaged_numbers(const std::vector<double>& numbers,
                                     const distributed::ProcessGroup& group, double weight) {
  const Tensor<double> mine(Shape{static_cast<std::int64_t>(numbers.size())}, numbers);
  return Tensor<double>(distributed::detail::run_collective(
                            group,
                            {.kind = distributed::detail::CollectiveKind::AllReduce,
                             .operation = "average_gradients",
                             .reduction = distributed::Reduction::Mean,
                             .weight = weight},
                            mine.array(), {}))
      .values();
}

void average_present(std::vector<double>& numbers, std::vector<AveragedArray> arrays,
                     const distributed::ProcessGroup& group, const AverageOptions& options) {
  const std::size_t own = numbers.size() - arrays.size();
  numbers = averaged_numbers(numbers, group, options.weight);
  // The last layers' gradients are there first.
  std::vector<AveragedArray> present;
  for (std::size_t i = arrays.size(); i-- > 0;) {
    if (numbers[own + i] != 0) {
      present.push_back(std::move(arrays[i]));
    }
  }
  numbers.resize(own);
  average(present, group, options.weight, options.bucket_bytes);
}

}  // namespace ddx::train::detail
