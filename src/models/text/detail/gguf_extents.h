/// \file
/// Extents of models in GGUF files.

#pragma once

#include "models/pretrained/detail/gguf_settings.h"

#include <cstdint>
#include <string_view>

namespace ddx::models::detail {

/// Published models have at most 126 blocks, and options are read before the weights are used.
inline constexpr std::int64_t most_gguf_blocks = 10'000;

/// The most of other extents: products of four of them do not overflow a double's whole numbers,
/// nor products of two an integer's.
inline constexpr std::int64_t most_gguf_extent = std::int64_t{1} << 30;

/// The value of a key.
///
/// Throws:  EnvironmentError where it is absent, no integer, below 1 or above `most`.
[[nodiscard]] std::int64_t gguf_extent(GgufSettings& settings, std::string_view key,
                                       std::int64_t most = most_gguf_extent);

/// How many tokens there are: the rows of `token_embd.weight`.
///
/// Throws:  EnvironmentError where there is no such matrix, or `vocab_size` is another number.
[[nodiscard]] std::int64_t gguf_vocabulary(GgufSettings& settings);

}  // namespace ddx::models::detail
