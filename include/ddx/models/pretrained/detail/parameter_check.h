/// \file
/// Whether weights suffice for a configuration.

#pragma once

#include "ddx/io/weight_files.h"

#include <filesystem>

namespace ddx::models::detail {

/// Refuses a configuration of a much larger model than there are weights, before memory is taken
/// for it. Weights of ignored paths may be absent, so twice as many parameters are accepted, and a
/// million more. `source` is where the configuration is.
///
/// Throws:  EnvironmentError that names the file and both numbers.
void require_weights_for(double parameters, const std::filesystem::path& source,
                         const io::WeightFiles& files);

}  // namespace ddx::models::detail
