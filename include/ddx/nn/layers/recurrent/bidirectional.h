/// \file
/// Recurrent cells over sequences in both directions.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/recurrent/recurrent.h"
#include "ddx/nn/merge.h"
#include "ddx/tensor/reverse.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <utility>
#include <vector>

namespace ddx::nn {

/// One cell from the beginning of the sequences on, another from their end on; the outputs of equal
/// steps are merged.
///
/// Shapes:  x [n, t, in] -> [n, t, hidden]; [n, t, 2 hidden] concatenated, [n, t, 2, hidden]
///          stacked
/// Source:  M. Schuster, K. Paliwal, "Bidirectional recurrent neural networks", 1997.
template <class Cell>
struct Bidirectional {
  using Vectors = typename Recurrent<Cell>::Vectors;

  Recurrent<Cell> forwards;
  Recurrent<Cell> backwards;
  Merge merge = Merge::Concatenate;

  explicit(false)
      Bidirectional(const typename Cell::Options& options, Merge how = Merge::Concatenate)
      : forwards(options), backwards(options), merge(how) {
    initialize(options.key);
  }

  void initialize(RandomKey key) {
    forwards.initialize(key.fold_in(0));
    backwards.initialize(key.fold_in(1));
  }

  /// Shapes:  x [n, t, in] -> [n, t, hidden]; [n, t, 2 hidden] concatenated, [n, t, 2, hidden]
  ///          stacked
  /// Throws:  UsageError where the shapes do not fit, or there is no step.
  [[nodiscard]] Vectors operator()(
      const Vectors& x, std::source_location where = std::source_location::current()) const {
    const Vectors ahead = forwards(x, where);
    const Vectors behind = reverse(backwards(reverse(x, {1}, where), where), {1}, where);
    return merged(std::vector<Vectors>{ahead, behind}, {.how = merge, .axis = 2}, where);
  }

  DDX_DIFFERENTIABLE(Bidirectional, forwards, backwards)
  DDX_NO_DERIVATIVE(merge)
};

}  // namespace ddx::nn
