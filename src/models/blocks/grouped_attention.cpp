#include "ddx/models/blocks/grouped_attention.h"

#include "ddx/core/device.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/sample_shapes.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ddx::models::detail {

GroupedAttentionOptions completed(GroupedAttentionOptions options) {
  constexpr const char* name = "GroupedAttention";
  nn::detail::require_positive(name, "features", options.features);
  nn::detail::require_positive(name, "heads", options.heads);
  nn::detail::require_at_least(name, "key_heads", options.key_heads, 0);
  nn::detail::require_at_least(name, "head_features", options.head_features, 0);
  nn::detail::require_at_least(name, "window", options.window, 0);
  if (options.key_heads == 0) {
    options.key_heads = options.heads;
  }
  nn::detail::require_divisor(name, "key_heads", options.key_heads, "heads", options.heads);
  if (options.head_features == 0) {
    nn::detail::require_divisor(name, "heads", options.heads, "features", options.features);
    options.head_features = options.features / options.heads;
  }
  if (!options.scale) {
    options.scale = 1 / std::sqrt(static_cast<double>(options.head_features));
  }
  return options;
}

std::int64_t first_seen(std::int64_t queries, std::int64_t keys, std::int64_t window) noexcept {
  return window == 0 ? 0 : std::max<std::int64_t>(0, keys - queries - window + 1);
}

Tensor<bool> window_mask(std::int64_t queries, std::int64_t keys, std::int64_t window,
                         Device device) {
  if (window == 0 || window >= keys) {
    return {};
  }
  // On the host: elements of the device are not observed, as they may not be ready.
  auto visible = zeros<bool>({queries, keys}, Device::naive());
  const auto cells = visible.mutable_elements();
  for (std::int64_t i = 0; i < queries; ++i) {
    const std::int64_t end = std::max<std::int64_t>(0, keys - queries + i + 1);
    const std::int64_t begin = std::max<std::int64_t>(0, end - window);
    std::fill(cells.begin() + i * keys + begin, cells.begin() + i * keys + end, true);
  }
  return visible.to(device);
}

}  // namespace ddx::models::detail
