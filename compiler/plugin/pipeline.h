/// \file
/// The one way from requests to C++ text, and what its user may ask to see of it.

#pragma once

#include "compiler/request/registry.h"
#include "compiler/request/request.h"
#include "compiler/support/entry_parts.h"
#include "compiler/support/names.h"
#include "compiler/support/stage.h"
#include "compiler/support/stage_times.h"

#include "clang/Sema/Sema.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace ddx::compiler {

/// Options of one run.
struct Pipeline {
  llvm::SmallVector<Stage> printed;
  llvm::raw_ostream* out = &llvm::outs();  ///< Where stages print.
  std::shared_ptr<StageTimes> times;       ///< Where stages add their times; null: they do not.

  [[nodiscard]] bool prints(Stage stage) const { return llvm::is_contained(printed, stage); }
};

/// The outcome of one round.
struct Synthesis {
  std::string text;  ///< C++ of namespace scope; empty after an error, or where all must wait.
  /// Entries whose functions call entries that are not defined yet: to be asked for again.
  llvm::SmallVector<const clang::FunctionDecl*> postponed;
};

/// Writes the derivatives that `requests` ask for.
///
/// Prints the stages between request and derivatives that the options name; the caller prints those
/// two. What cannot be differentiated is reported to the unit's diagnostics. The text defines the
/// entry of every request that had no error and need not wait; of an entry
/// that must, what need not.
Synthesis synthesize(const Pipeline& options, clang::Sema& sema, Names& names,
                     const Registry& registry, EntryParts& entry_parts,
                     llvm::ArrayRef<Request> requests);

}  // namespace ddx::compiler
