/// \file
/// How many blocks a configuration asks for.

#pragma once

#include "ddx/models/pretrained/model_configuration.h"

#include <cstdint>
#include <string_view>

namespace ddx::models::detail {

/// The value of a key, or another where it is absent.
///
/// Throws:  EnvironmentError where it is below 1 or above 10,000; published models have at most 126
///          blocks, and a configuration is read before its weights have been seen.
[[nodiscard]] std::int64_t block_count(const ModelConfiguration& configuration,
                                       std::string_view key, std::int64_t otherwise);

}  // namespace ddx::models::detail
