/// \file
/// What the user of the compiler may ask to see of the stages.

#pragma once

#include "compiler/support/stage.h"
#include "compiler/support/stage_times.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace ddx::compiler {

/// Options of one run.
struct PipelineOptions {
  llvm::SmallVector<Stage> printed;
  llvm::raw_ostream* out = &llvm::outs();  ///< Where stages print.
  std::shared_ptr<StageTimes> times;       ///< Where stages add their times; null: they do not.

  [[nodiscard]] bool prints(Stage stage) const { return llvm::is_contained(printed, stage); }
};

}  // namespace ddx::compiler
