/// \file
/// What transformers calls activations.

#pragma once

#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/nn/activation.h"

#include <string>
#include <string_view>

namespace ddx::models::detail {

/// The activation that a key names; `otherwise` where it is absent.
///
/// Throws:  EnvironmentError where there is none of that name here.
[[nodiscard]] nn::Activation activation_from(const ModelConfiguration& configuration,
                                             std::string_view key, nn::Activation otherwise);

/// Its name.
///
/// Throws:  UsageError where transformers has none.
[[nodiscard]] std::string activation_name(nn::Activation activation);

}  // namespace ddx::models::detail
