/// \file
/// Dense layers of which each place uses a few.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/models/blocks/gated_dense.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/sorting.h"
#include "ddx/tensor/splitting.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx::models {

namespace detail {

/// The number of experts that scores [..., experts] are for.
///
/// Throws: UsageError where there is no score, or `used` is not in [1, experts].
[[nodiscard]] std::int64_t routed_experts(const Shape& scores, std::int64_t used,
                                          const std::source_location& where);

}  // namespace detail

/// The settings of RoutedDense.
struct RoutedDenseOptions {
  std::int64_t experts = 0;
  std::int64_t used = 2;  ///< How many experts each place uses.
};

/// A mixture of experts: a router gives each expert a probability, and the result of a place is the
/// sum of those of its likeliest experts, weighted by their probabilities, which are made to add up
/// to 1.
///
/// Shapes:   x [..., time, features] -> [..., time, features]
/// Gradient: also to the router, through the weights of the experts that are used.
/// Cost:     that of all experts at all places.
/// Source:   A. Jiang et al., "Mixtral of experts", arXiv 2401.04088.
template <FloatingScalar Scalar>
struct RoutedDense {
  nn::Dense<Scalar> router;
  std::vector<GatedDense<Scalar>> experts;
  std::int64_t used = 2;

  /// Throws: UsageError where there is no expert, `used` is not in [1, experts], or as GatedDense.
  RoutedDense(const RoutedDenseOptions& options, const typename GatedDense<Scalar>::Options& expert)
      : router({.in = expert.features,
                .out = options.experts,
                .bias = false,
                .initializer = expert.initializer,
                .key = expert.key.fold_in(0),
                .device = expert.device}),
        used(options.used) {
    nn::detail::require_positive("RoutedDense", "used", options.used);
    nn::detail::require_at_least("RoutedDense", "experts", options.experts, options.used);
    for (std::int64_t i = 0; i < options.experts; ++i) {
      auto each = expert;
      each.key = expert.key.fold_in(static_cast<std::uint64_t>(i) + 1);
      experts.push_back(GatedDense<Scalar>(each));
    }
  }

  /// Shapes:  x [..., time, features] -> [..., time, features]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    const auto shares = split_equally(weights(x, where), count(), -1, where);
    auto result = shares[0] * experts[0](x, where);
    for (std::size_t i = 1; i < experts.size(); ++i) {
      result = result + shares[i] * experts[i](x, where);
    }
    return result;
  }

  /// The weight of each expert at each place; zero where it is not used.
  ///
  /// Shapes:  x [..., time, features] -> [..., time, experts]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> weights(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    using Wide = WideScalar<Scalar>;
    const auto likeliest = top_k(softmax(cast<Wide>(router(x, where)), -1, where), used, -1, where);
    const auto total = sum(likeliest.values, {.axes = {-1}, .keep_dims = true}, where);
    const auto places = one_hot<Wide>(likeliest.indices, count(), where);
    return cast<Scalar>(
        sum(expand_dims(likeliest.values / total, -1, where) * places, {.axes = {-2}}, where));
  }

  DDX_DIFFERENTIABLE(RoutedDense, router, experts)
  DDX_NO_DERIVATIVE(used)

 private:
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(experts.size()); }
};

/// How unevenly a router spreads places over its experts, to be added to a loss: experts times the
/// sum, over experts, of their uses by a place and their mean probability. It is `used` where all
/// experts are equally likely, and larger the more the experts that are used are the likely ones.
///
/// Shapes:   scores [..., experts] of a router -> []
/// DTypes:   16-bit elements are computed in f32 and rounded once
/// Throws:   UsageError where there is no place, or `used` is not in [1, experts].
/// Gradient: through the probabilities; uses have none.
/// Source:   W. Fedus, B. Zoph, N. Shazeer, "Switch transformers", JMLR 23, 2022, equation 4, for
///           several experts as transformers' load_balancing_loss_func.
/// Example:
///   const auto loss = cross_entropy + 0.01F * models::balance_loss(layer.router(x), layer.used);
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> balance_loss(
    const Tensor<Scalar>& scores, std::int64_t used,
    std::source_location where = std::source_location::current()) {
  using Wide = WideScalar<Scalar>;
  const std::int64_t experts = detail::routed_experts(scores.shape(), used, where);
  const auto rows = reshape(cast<Wide>(scores), {-1, experts}, where);
  const auto probabilities = softmax(rows, -1, where);
  const auto chosen = one_hot<Wide>(top_k(probabilities, used, -1, where).indices, experts, where);
  const auto uses = mean(sum(chosen, {.axes = {1}}, where), {.axes = {0}}, where);
  const auto shares = mean(probabilities, {.axes = {0}}, where);
  return cast<Scalar>(sum(uses * shares, {}, where) * static_cast<Wide>(experts));
}

}  // namespace ddx::models
