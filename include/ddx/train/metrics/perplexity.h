/// \file
/// The perplexity of a language model.

#pragma once

#include "ddx/train/metrics/mean_loss.h"

#include <cmath>
#include <cstdint>

namespace ddx::train {

/// e to the mean cross entropy per token: among how many equally likely tokens the model hesitates.
///
/// Source:  F. Jelinek, R. Mercer, L. Bahl, J. Baker, "Perplexity, a measure of the difficulty of
///          speech recognition tasks", JASA 62 (1977).
class Perplexity {
 public:
  /// Takes the mean cross entropy of a batch, in nats, as a number or a tensor of rank 0, and the
  /// number of its tokens.
  template <class Loss>
  void accumulate(const Loss& loss, std::int64_t tokens) {
    entropy_.accumulate(loss, tokens);
  }

  /// NaN over nothing.
  [[nodiscard]] double measure() const { return std::exp(entropy_.measure()); }
  void reset() { *this = {}; }

 private:
  MeanLoss entropy_;
};

}  // namespace ddx::train
