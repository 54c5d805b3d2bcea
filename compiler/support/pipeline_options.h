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

/// Which entries are promoted: differentiated as values with names, from the syntax tree. The
/// others are differentiated through memory, from LLVM IR.
enum class Promotion {
  Auto,  ///< Those that can be.
  All,   ///< All; what cannot be is an error.
  None,  ///< Those that cannot be differentiated through memory.
};

/// Options of one run.
struct PipelineOptions {
  Promotion promotion = Promotion::Auto;
  bool explains = false;  ///< Remarks say why an entry is not promoted.
  llvm::SmallVector<Stage> printed;
  llvm::raw_ostream* out = &llvm::outs();  ///< Where stages print.
  std::shared_ptr<StageTimes> times;       ///< Where stages add their times; null: they do not.

  [[nodiscard]] bool prints(Stage stage) const { return llvm::is_contained(printed, stage); }
};

}  // namespace ddx::compiler
