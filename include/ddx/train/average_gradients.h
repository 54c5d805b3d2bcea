/// \file
/// Gradients of replicas, each of its part of a batch, as the gradient of the whole batch.

#pragma once

#include "ddx/ad/tangent.h"
#include "ddx/core/dtype.h"
#include "ddx/distributed/process_group.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/detail/gradient_buckets.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

namespace ddx::train {

/// How gradients are averaged.
struct AverageOptions {
  /// How much this replica's gradient counts: the number of its samples. With weight 0 not even a
  /// NaN in it does.
  double weight = 1;
  /// Gradients go together in messages of up to so many bytes. PyTorch's choice: small enough that
  /// several are under way at a time, large enough that their number costs nothing.
  std::int64_t bucket_bytes = std::int64_t{25} << 20;
};

namespace detail {

/// Throws: UsageError where the bytes are below 1 or the weight is negative or no number.
void check_average_options(const AverageOptions& options, const std::source_location& where);

/// The means over the replicas of some numbers, weighted; and of the numbers, whether a replica
/// that counts has one that is not zero.
std::vector<double> averaged_numbers(const std::vector<double>& numbers,
                                     const distributed::ProcessGroup& group, double weight);

/// Replaces numbers of each replica by their means, and the arrays that some replica has. The last
/// numbers say, for each array, whether this one has it; they are removed.
void average_present(std::vector<double>& numbers, std::vector<AveragedArray> arrays,
                     const distributed::ProcessGroup& group, const AverageOptions& options);

/// Makes the gradient of one parameter ready for averaging. Borrows it.
template <FloatingScalar Scalar>
AveragedArray averaged_array(const Tensor<Scalar>& weight, Tensor<Scalar>& slope) {
  const std::size_t count = weight.count();
  return {.dtype = dtype_of<Scalar>,
          .count = count,
          .read =
              [&slope, count](std::byte* into) {
                if (count == 0 || slope.is_symbolic_zero()) {
                  std::fill_n(into, count * sizeof(Scalar), std::byte{0});
                } else {
                  std::memcpy(into, slope.elements().data(), count * sizeof(Scalar));
                }
              },
          .write =
              [&slope, &weight, count](const std::byte* from) {
                slope = Tensor<Scalar>(weight.shape(),
                                       std::span(reinterpret_cast<const Scalar*>(from), count),
                                       weight.device());
              }};
}
template <FloatingScalar Number>
AveragedArray averaged_array(const Number&, Number& slope) {
  return {.dtype = dtype_of<Number>,
          .count = 1,
          .read = [&slope](std::byte* into) { std::memcpy(into, &slope, sizeof slope); },
          .write = [&slope](const std::byte* from) { std::memcpy(&slope, from, sizeof slope); }};
}

/// Replaces the gradient by its mean over the replicas; beside it, numbers of each replica, which
/// become their means first.
template <class Model>
void average_with(std::vector<double>& numbers, const Model& model, TangentOf<Model>& gradient,
                  const distributed::ProcessGroup& group, const AverageOptions& options) {
  std::vector<AveragedArray> arrays;
  nn::visit_parameters(
      [&](const nn::Path& path, const auto& weight, auto& slope) {
        nn::detail::check_gradient("average_gradients", path, weight, slope);
        arrays.push_back(averaged_array(weight, slope));
        numbers.push_back(nn::detail::is_absent(slope) ? 0 : 1);
      },
      model, gradient);
  average_present(numbers, std::move(arrays), group, options);
}

}  // namespace detail

/// Replaces each replica's gradient by the mean over all replicas, weighted by their numbers of
/// samples: the gradient of the mean loss over the samples of all. Every replica gets the same
/// bits. A parameter whose gradient is a symbolic zero on all replicas keeps it.
///
/// On an asynchronous device (ddx/backend/asynchronous.h) the gradients of the last layers are
/// under way while those of the first are computed; on others, while the next ones are copied.
///
/// Throws:  UsageError where a weight is negative or a gradient differs from its parameter in shape
///          or device; where the replicas' models differ, names both. EnvironmentError where a
///          replica does not come.
/// Cost:    sends and receives 2 (n - 1) / n of the gradient's bytes.
/// Example:
///   auto [loss, gradient] = value_with_gradient(objective, model);
///   average_gradients(model, gradient, group, {.weight = static_cast<double>(samples)});
///   optimizer.update(model, gradient);
template <class Model>
void average_gradients(const Model& model, TangentOf<Model>& gradient,
                       const distributed::ProcessGroup& group, const AverageOptions& options = {},
                       std::source_location where = std::source_location::current()) {
  detail::check_average_options(options, where);
  if (group.size() > 1) {
    std::vector<double> none;
    detail::average_with(none, model, gradient, group, options);
  }
}

}  // namespace ddx::train
