/// \file
/// Collates samples to a batch.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/data/samples.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ddx::data {

/// How samples of different extents are padded.
template <TensorScalar Scalar>
struct PaddingOptions {
  Scalar value{};         ///< The padding value.
  bool at_start = false;  ///< Whether padding precedes the sample's elements.
};

namespace detail {

/// The greatest extent along each axis.
///
/// Throws:  UsageError if there is no shape, or ranks differ, or, unless `may_differ`, extents do;
///          names both shapes and the second one's place.
[[nodiscard]] Shape common_shape(const char* operation, std::span<const Shape> shapes,
                                 bool may_differ);

/// The position in `whole` of the element at a position of `part`. `whole` is at least as large
/// along each axis; the part is at the end of each axis if `at_end`.
[[nodiscard]] std::vector<std::size_t> places_in(const Shape& part, const Shape& whole,
                                                 bool at_end);

/// The shape with an axis of this extent added in front.
[[nodiscard]] Shape with_rows(std::int64_t rows, const Shape& shape);

template <TensorScalar Scalar>
std::vector<Shape> shapes_of(std::span<const Tensor<Scalar>> samples) {
  std::vector<Shape> shapes;
  for (const auto& sample : samples) {
    shapes.push_back(sample.shape());
  }
  return shapes;
}

}  // namespace detail

/// Stacks tensors of one shape along a new first axis, on the device of the first.
///
/// Shapes:  samples n times [...] -> [n, ...]
/// Throws:  UsageError if there are none, or their shapes differ; names both.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> collate(std::span<const Tensor<Scalar>> samples) {
  const auto shape = detail::common_shape("collate", detail::shapes_of(samples), false);
  const auto rows = static_cast<std::int64_t>(samples.size());
  auto batch = full<Scalar>(detail::with_rows(rows, shape), Scalar{}, samples[0].device());
  auto next = batch.mutable_elements().begin();
  for (const auto& sample : samples) {
    next = std::copy(sample.elements().begin(), sample.elements().end(), next);
  }
  return batch;
}

/// Numbers as a tensor of rank 1.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> collate(std::span<const Scalar> samples) {
  return Tensor<Scalar>(Shape{static_cast<std::int64_t>(samples.size())}, samples);
}

/// Pairs, such as of input and target, as a pair of collated parts.
///
/// Throws:  UsageError if one of the parts cannot be collated.
template <class First, class Second>
[[nodiscard]] auto collate(std::span<const std::pair<First, Second>> samples) {
  std::vector<First> first;
  std::vector<Second> second;
  for (const auto& [a, b] : samples) {
    first.push_back(a);
    second.push_back(b);
  }
  return std::pair(collate(std::span<const First>(first)),
                   collate(std::span<const Second>(second)));
}

/// Stacks tensors of one rank along a new first axis, each padded to the greatest extents, on the
/// device of the first.
///
/// Shapes:  samples n times [e, ...] -> [n, max e, ...]
/// Throws:  UsageError if there are none, or their ranks differ; names both shapes.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> padded_collate(std::span<const Tensor<Scalar>> samples,
                                            const PaddingOptions<Scalar>& options = {}) {
  const auto shape = detail::common_shape("padded_collate", detail::shapes_of(samples), true);
  const auto size = static_cast<std::size_t>(shape.count());
  const auto rows = static_cast<std::int64_t>(samples.size());
  auto batch = full<Scalar>(detail::with_rows(rows, shape), options.value, samples[0].device());
  auto elements = batch.mutable_elements();
  for (std::size_t row = 0; row < samples.size(); ++row) {
    const auto places = detail::places_in(samples[row].shape(), shape, options.at_start);
    const auto from = samples[row].elements();
    for (std::size_t i = 0; i < from.size(); ++i) {
      elements[row * size + places[i]] = from[i];
    }
  }
  return batch;
}

/// Samples and their collation, as a data set. Borrows the samples.
///
/// Example: const Collated digits(pairs, [](auto batch) { return collate(batch); });
template <Samples Base, class Collate>
class Collated {
 public:
  /// `collate` gets a `std::span<const SampleOf<Base>>`.
  Collated(const Base& samples, Collate collate)
      : samples_(&samples), collate_(std::move(collate)) {}

  [[nodiscard]] std::int64_t size() const noexcept {
    return static_cast<std::int64_t>(samples_->size());
  }
  /// These samples, each in [0, size()).
  [[nodiscard]] auto batch(std::span<const std::int64_t> samples) const {
    std::vector<SampleOf<Base>> chosen;
    chosen.reserve(samples.size());
    for (const auto sample : samples) {
      chosen.push_back((*samples_)[static_cast<std::size_t>(sample)]);
    }
    return collate_(std::span<const SampleOf<Base>>(chosen));
  }

 private:
  const Base* samples_;
  Collate collate_;
};

}  // namespace ddx::data
