/// \file
/// The text of a `config.json`.

#pragma once

#include "ddx/core/dtype.h"

#include <nlohmann/json.hpp>
#include <string>

namespace ddx::models::detail {

/// The settings with the dtype of the weights, indented as transformers does.
[[nodiscard]] std::string settings_text(nlohmann::ordered_json settings, DType dtype);

}  // namespace ddx::models::detail
