/// \file
/// `config.json` as it is written.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/io/stored_tensor.h"

#include <filesystem>
#include <string>

namespace ddx::models::detail {

/// The dtype of the first array of floating-point numbers; f32 where there is none.
[[nodiscard]] DType floating_dtype(const io::StoredTensors& arrays);

/// Writes the `config.json` of a folder, whole or not at all.
///
/// Throws:  EnvironmentError where it cannot be written.
void write_configuration(const std::filesystem::path& folder, const std::string& text);

}  // namespace ddx::models::detail
