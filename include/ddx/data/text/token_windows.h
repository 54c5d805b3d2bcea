/// \file
/// Runs of a long text, for language models.

#pragma once

#include "ddx/core/device.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ddx::data {

/// Some runs of tokens, and what follows each token of them.
struct TokenBatch {
  Tensor<std::int32_t> inputs;   ///< [n, length]
  Tensor<std::int32_t> targets;  ///< [n, length]: in each place the token after that of `inputs`.
};

/// The runs of one length in a sequence of tokens, as a data set: sample i begins at token
/// i * stride and needs one token more than its length.
class TokenWindows {
 public:
  struct Options {
    std::int64_t length = 128;
    std::int64_t stride = 1;  ///< From the beginning of one run to that of the next.
    Device device = {};
  };

  /// Throws: UsageError if the length or the stride is below 1, or there are too few tokens for one
  ///         run.
  TokenWindows(std::vector<std::int32_t> tokens, const Options& options);

  /// The number of runs.
  [[nodiscard]] std::int64_t size() const noexcept;

  /// These runs, each in [0, size()).
  ///
  /// Throws:  UsageError if a run does not exist; names it and the size.
  [[nodiscard]] TokenBatch batch(std::span<const std::int64_t> samples) const;

  /// The whole sequence.
  [[nodiscard]] const std::vector<std::int32_t>& tokens() const noexcept { return tokens_; }

 private:
  std::vector<std::int32_t> tokens_;
  Options options_;
};

}  // namespace ddx::data
