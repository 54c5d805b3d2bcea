#include "ddx/data/text/text_batch.h"

#include "ddx/core/error.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/shape.h"
#include "ddx/data/text/encoded_text.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::data {
namespace {

constexpr auto text_batch_operation = "padded_batch";

std::size_t common_length(std::span<const EncodedText> texts, const TextBatchOptions& options,
                          const std::source_location& where) {
  std::size_t longest = 0;
  for (const auto& text : texts) {
    longest = std::max(longest, text.ids.size());
    if (!text.segments.empty() && text.segments.size() != text.ids.size()) {
      throw UsageError(text_batch_operation,
                       "a text of " + std::to_string(text.ids.size()) + " ids has " +
                           std::to_string(text.segments.size()) + " segments",
                       where);
    }
  }
  if (!options.length) {
    return longest;
  }
  if (*options.length < static_cast<std::int64_t>(longest)) {
    throw UsageError(text_batch_operation,
                     "a text of " + std::to_string(longest) + " ids does not fit a length of " +
                         std::to_string(*options.length),
                     where);
  }
  return static_cast<std::size_t>(*options.length);
}

}  // namespace

TextBatch padded_batch(std::span<const EncodedText> texts, const TextBatchOptions& options,
                       std::source_location where) {
  const std::size_t length = common_length(texts, options, where);
  const Shape shape(
      std::array{static_cast<std::int64_t>(texts.size()), static_cast<std::int64_t>(length)},
      text_batch_operation, where);
  auto ids = host_vector<std::int32_t>(text_batch_operation, shape.count(), options.padding_id);
  auto mask = host_vector<std::int32_t>(text_batch_operation, shape.count());
  auto segments = host_vector<std::int32_t>(text_batch_operation, shape.count());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(i * length);
    std::copy(texts[i].ids.begin(), texts[i].ids.end(), ids.begin() + begin);
    std::fill_n(mask.begin() + begin, texts[i].ids.size(), 1);
    std::copy(texts[i].segments.begin(), texts[i].segments.end(), segments.begin() + begin);
  }
  const auto tensor = [&](const std::vector<std::int32_t>& values) {
    return Tensor<std::int32_t>(shape, std::span<const std::int32_t>(values), options.device);
  };
  return {.ids = tensor(ids), .mask = tensor(mask), .segments = tensor(segments)};
}

}  // namespace ddx::data
