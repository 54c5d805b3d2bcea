/// \file
/// The options of the plugin (`-fplugin-arg-ddx-...`).

#pragma once

#include "compiler/shapes/analysis.h"
#include "compiler/support/pipeline_options.h"

#include "clang/Basic/Diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace ddx::compiler {

/// What the command line asks of the plugin.
struct Options {
  PipelineOptions pipeline;
  shapes::Settings shapes;
  std::string save_folder;  ///< Where the derivatives are written to; empty for nowhere.
};

/// Reads `print-STAGE`, `save-derivatives=FOLDER`, `time-stages`, `promote=auto|all|none`,
/// `shapes=off|warn|error`, `shapes-steps=NUMBER` and `explain`; reports any other argument and
/// returns nothing.
std::optional<Options> parse_options(const std::vector<std::string>& arguments,
                                     clang::DiagnosticsEngine& diagnostics);

}  // namespace ddx::compiler
