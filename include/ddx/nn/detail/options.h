/// \file
/// What layers demand of their options.

#pragma once

#include <cstdint>

namespace ddx::nn::detail {

/// Throws: UsageError where `value` is below 1: "Dense: in is 0, at least 1 is required".
void require_positive(const char* layer, const char* option, std::int64_t value);

/// Throws: UsageError where `value` is not in [0, 1): "Dropout: rate is 1, expected 0 <= rate < 1".
void require_fraction(const char* layer, const char* option, double value);

}  // namespace ddx::nn::detail
