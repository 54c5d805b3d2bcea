/// \file
/// The table of steps compiled for a GPU.

#pragma once

#include "gpu_program.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace ddx::bench {

/// Whether XLA's plugin for CUDA is found, in this folder or where programs have theirs.
[[nodiscard]] bool can_compile_for_gpu(const std::filesystem::path& folder);

/// A row of the table, as a flat object.
struct GpuReport {
  nlohmann::json row;
  bool is_within = false;  ///< There are recorded bounds, and the step is within them.
};

/// Compiles a step and prints it, with JAX's if `python` has that and can compile for a GPU.
///
/// Throws:  as compile_step.
[[nodiscard]] GpuReport report_gpu_step(const GpuConfiguration& configuration,
                                        const std::string& python);

}  // namespace ddx::bench
