/// \file
/// What layers, optimisers and schedules demand of their options.

#pragma once

#include <cstdint>

namespace ddx::nn::detail {

/// Throws: UsageError where `value` is below 1: "Dense: in is 0, at least 1 is required".
void require_positive(const char* layer, const char* option, std::int64_t value);

/// Throws: UsageError where `value` is below `least`: "StepDecay: step is -1, at least 0 is
///         required".
void require_at_least(const char* owner, const char* option, std::int64_t value,
                      std::int64_t least);

/// Throws: UsageError where `value` is not in [0, 1): "Dropout: rate is 1, expected 0 <= rate < 1".
void require_fraction(const char* layer, const char* option, double value);

/// Throws: UsageError where `value` is negative, infinite or NaN: "SGD: learning_rate is -1,
///         expected a finite number of at least 0".
void require_not_negative(const char* owner, const char* option, double value);

/// Throws: UsageError where `value` is not above 0, infinite or NaN: "Adafactor: clip_threshold is
///         0, expected a finite number above 0".
void require_above_zero(const char* owner, const char* option, double value);

/// Throws: UsageError where `value` is not in [low, high]: "DynamicLossScale: growth is 0.5,
///         expected 1 <= growth <= 1e+06".
void require_within(const char* owner, const char* option, double value, double low, double high);

}  // namespace ddx::nn::detail
