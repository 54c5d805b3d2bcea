/// \file
/// Encoded texts as tensors.

#pragma once

#include "ddx/core/device.h"
#include "ddx/data/text/encoded_text.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <source_location>
#include <span>

namespace ddx::data {

/// Some texts, padded to one length.
struct TextBatch {
  Tensor<std::int32_t> ids;   ///< [n, length]
  Tensor<std::int32_t> mask;  ///< [n, length]: 1 where there is text, 0 where it is filled up.
  Tensor<std::int32_t>
      segments;  ///< [n, length]: 0 for the first text of a pair, 1 for the second.

  friend bool operator==(const TextBatch&, const TextBatch&) = default;
};

/// How texts are padded.
struct TextBatchOptions {
  /// What stands behind the end of a text; its segment is 0.
  std::int32_t padding_id = 0;
  /// The common length; none: that of the longest text.
  std::optional<std::int64_t> length = {};
  Device device = {};
};

/// Collates encoded texts to tensors, padded on the right.
///
/// Throws:  UsageError if a text is longer than the length, the length is negative, or a text has
///          other than one segment for each id.
[[nodiscard]] TextBatch padded_batch(std::span<const EncodedText> texts,
                                     const TextBatchOptions& options,
                                     std::source_location where = std::source_location::current());

}  // namespace ddx::data
