/// \file
/// The distribution of classes.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/distributions/detail/parameters.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random_categorical.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::distributions {

namespace detail {

/// Throws: UsageError if logits of this shape have no axis.
void require_an_axis(const Shape& shape, const std::source_location& where);

/// The shape without its last axis.
Shape without_last(const Shape& shape);

/// Where each class stands among all of them.
///
/// Shapes:  x [...] -> [..., classes]
/// Throws:  UsageError if a class is not in [0, classes).
Tensor<bool> chosen_classes(const Tensor<std::int32_t>& x, std::int64_t classes,
                            const std::source_location& where);

/// The mean of numbers that belong to classes; those of classes of probability 0 do not count.
///
/// Shapes:  logits [..., c], numbers [..., c] -> [...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> expectation(const Tensor<Scalar>& logits,
                                         const Tensor<Scalar>& numbers) {
  const auto probabilities = softmax(logits);
  const auto counted = select(greater(probabilities, Scalar{0}), numbers, Tensor<Scalar>());
  return sum(probabilities * counted, {.axes = {-1}});
}

}  // namespace detail

/// Classes 0, 1, ... c - 1 with probabilities softmax(logits), one distribution for each row.
///
/// Shapes:  logits [batch..., c]
template <FloatingScalar Scalar>
struct Categorical {
  Tensor<Scalar> logits;

  /// Throws: UsageError if the logits have no axis.
  explicit Categorical(const Tensor<Scalar>& given_logits,
                       std::source_location where = std::source_location::current())
      : logits(given_logits) {
    const Shape shape = given_logits.shape();
    detail::require_an_axis(shape, where);
  }

  /// Samples. No gradient flows through them.
  ///
  /// Returns: [shape..., batch...]
  /// Throws:  UsageError as random_categorical.
  [[nodiscard]] Tensor<std::int32_t> sample(RandomKey key, const Shape& shape = {}) const {
    const auto drawn = move_axis(random_categorical(key, logits, shape.count()), -1, 0);
    return reshape(drawn, detail::sample_shape(shape, detail::without_last(logits.shape())));
  }

  /// The logarithms of the probabilities of classes.
  ///
  /// Shapes:  x [..., batch...] -> the same
  /// Throws:  UsageError if a class is not in [0, c).
  [[nodiscard]] Tensor<Scalar> log_probability(
      const Tensor<std::int32_t>& x,
      std::source_location where = std::source_location::current()) const {
    const Shape shape = logits.shape();
    const auto chosen = detail::chosen_classes(x, shape[shape.rank() - 1], where);
    return sum(select(chosen, log_softmax(logits), Tensor<Scalar>()), {.axes = {-1}});
  }

  /// -sum p log p over the classes.
  [[nodiscard]] Tensor<Scalar> entropy() const {
    return -detail::expectation(logits, log_softmax(logits));
  }

  DDX_DIFFERENTIABLE(Categorical, logits)
};

/// sum p (log p - log q) over the classes; those of probability 0 under p do not count.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> kl_divergence(const Categorical<Scalar>& p,
                                           const Categorical<Scalar>& q) {
  return detail::expectation(p.logits, log_softmax(p.logits) - log_softmax(q.logits));
}

}  // namespace ddx::distributions
