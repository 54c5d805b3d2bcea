/// \file
/// Connectionist temporal classification: labels of sequences without their places.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/clip.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/detail/index_tensor.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/predicate.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx::nn {

/// How much of each sample counts.
struct CTCLengths {
  Tensor<std::int32_t> inputs;   ///< How many steps. [n]
  Tensor<std::int32_t> targets;  ///< How many labels. [n]
};

/// The settings of ctc_loss.
struct CTCOptions {
  std::int32_t blank = 0;                 ///< The class that represents no label.
  bool infinite_as_zero = false;          ///< Whether samples without any alignment do not count.
  Reduction reduction = Reduction::Mean;  ///< The mean is that of loss / max(labels, 1).
};

namespace detail {

/// A batch on the host, in double.
struct CTCBatch {
  std::vector<double> log_probabilities;  ///< [n, steps, classes]
  std::vector<double> losses;             ///< [n]
  std::vector<double> slopes;             ///< The losses' derivatives, in the first's order.
};

/// The losses of the samples, and their derivatives where asked for.
///
/// Throws: UsageError where the shapes, the lengths or the labels do not fit.
CTCBatch ctc_batch(std::vector<double> log_probabilities, const Shape& shape,
                   const Tensor<std::int32_t>& targets, const CTCLengths& lengths,
                   std::int32_t blank, bool with_slopes, const std::source_location& where);

/// As above, for a tensor.
template <FloatingScalar Scalar>
CTCBatch ctc_batch(const Tensor<Scalar>& log_probabilities, const Tensor<std::int32_t>& targets,
                   const CTCLengths& lengths, std::int32_t blank, bool with_slopes,
                   const std::source_location& where) {
  const auto elements = log_probabilities.elements();
  return ctc_batch(std::vector<double>(elements.begin(), elements.end()), log_probabilities.shape(),
                   targets, lengths, blank, with_slopes, where);
}

/// The loss of each sample.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> ctc_losses(const Tensor<Scalar>& log_probabilities,
                                        const Tensor<std::int32_t>& targets,
                                        const CTCLengths& lengths, std::int32_t blank,
                                        std::source_location where) {
  const auto batch = ctc_batch(log_probabilities, targets, lengths, blank, false, where);
  return Tensor<Scalar>(Shape{log_probabilities.shape()[0]},
                        std::vector<Scalar>(batch.losses.begin(), batch.losses.end()),
                        log_probabilities.device());
}

// Primal:  y = -log sum of all alignments' products of probabilities
// Adjoint: adj[x_tc] -= P(class c at step t, given the labels) adj[y]
// Saves:   these probabilities
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(ctc_losses)
auto ctc_losses_vjp(const Tensor<Scalar>& log_probabilities, const Tensor<std::int32_t>& targets,
                    const CTCLengths& lengths, std::int32_t blank, std::source_location where) {
  const auto batch = ctc_batch(log_probabilities, targets, lengths, blank, true, where);
  const Tensor<Scalar> slopes(log_probabilities.shape(),
                              std::vector<Scalar>(batch.slopes.begin(), batch.slopes.end()),
                              log_probabilities.device());
  const Tensor<Scalar> losses(Shape{log_probabilities.shape()[0]},
                              std::vector<Scalar>(batch.losses.begin(), batch.losses.end()),
                              log_probabilities.device());
  return ddx::detail::tensor_vjp(
      losses, [slopes](const Tensor<Scalar>& dy) { return slopes * reshape(dy, {-1, 1, 1}); });
}

}  // namespace detail

/// Minus the logarithm of the probability of the labels: of all ways to spread them over the steps,
/// with blanks between, before and behind, and each label as often as one likes.
///
/// A sample whose labels do not fit into its steps has the loss infinity, or 0 where
/// `infinite_as_zero`, and the gradient 0.
///
/// Shapes:   log_probabilities [n, steps, classes], such as log_softmax gives, targets [n, labels],
///           of which the lengths say how many count -> scalar; [n] without reduction
/// Throws:   UsageError where the shapes do not fit, a length is negative or larger than its axis,
///           or a label or the blank is no class or a label is the blank.
/// Gradient: -P(class at step, given the labels): that of the logarithms as independent numbers.
///           Behind log_softmax it is PyTorch's.
/// Cost:     O(n steps labels), on the host.
/// Source:   A. Graves, S. Fernandez, F. Gomez, J. Schmidhuber, "Connectionist temporal
///           classification", ICML 2006.
template <FloatingScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> ctc_loss(
    const Tensor<Scalar>& log_probabilities, const Tensor<Index>& targets,
    const CTCLengths& lengths, const CTCOptions& options = {},
    std::source_location where = std::source_location::current()) {
  auto losses =
      detail::ctc_losses(log_probabilities, ddx::detail::as_int32("ctc_loss", targets, where),
                         lengths, options.blank, where);
  if (options.infinite_as_zero) {
    losses = select(is_finite(losses), losses, Tensor<Scalar>());
  }
  if (options.reduction == Reduction::Mean) {
    losses =
        losses / maximum(cast<Scalar>(lengths.targets.to(log_probabilities.device())), Scalar{1});
  }
  return reduce_losses(losses, options.reduction);
}

}  // namespace ddx::nn
