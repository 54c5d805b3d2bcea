/// \file
/// Settings of rotation in configurations of decoders.

#pragma once

#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/nn/attention/rotary_embedding.h"

#include <cstdint>
#include <nlohmann/json.hpp>

namespace ddx::models::detail {

/// The settings of `rope_scaling` or `rope_parameters`, for a model with this base and context
/// where they are absent.
///
/// Throws:  EnvironmentError where the scaling is another than linear, llama3 or yarn.
[[nodiscard]] nn::RotaryOptions rotary_from(const ModelConfiguration& object, double base,
                                            std::int64_t context);

/// The settings as `rope_scaling` has them.
///
/// Throws:  UsageError where the scaling lists factors.
[[nodiscard]] nlohmann::ordered_json rotary_settings(const nn::RotaryOptions& rotary);

/// The settings as `rope_parameters` has them, with the base.
///
/// Throws:  as rotary_settings.
[[nodiscard]] nlohmann::ordered_json rotary_parameters(const nn::RotaryOptions& rotary);

}  // namespace ddx::models::detail
