/// \file
/// The one way from requests to C++ text.

#pragma once

#include "compiler/memory/memory_rules.h"
#include "compiler/request/registry.h"
#include "compiler/request/request.h"
#include "compiler/support/entry_parts.h"
#include "compiler/support/names.h"
#include "compiler/support/pipeline_options.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <memory>
#include <string>

namespace ddx::compiler {

/// The outcome of one round.
struct Synthesis {
  std::string text;  ///< C++ of namespace scope; empty after an error, or where all must wait.
  /// Entries whose functions call entries that are not defined yet: to be asked for again.
  llvm::SmallVector<const clang::FunctionDecl*> postponed;
  /// Adds the passes that define what the text declares to those over the unit's IR, before code is
  /// generated; empty where it needs none, or another round of the unit added them.
  std::function<void(clang::CodeGenOptions&)> add_passes{};
};

/// Writes the derivatives that `requests` ask for.
///
/// Prints the stages between request and derivatives that the options name; the caller prints those
/// two. What cannot be differentiated is reported to the unit's diagnostics. The text defines the
/// entry of every request that had no error and need not wait; of an entry
/// that must, what need not.
Synthesis synthesize(const PipelineOptions& options, clang::Sema& sema, Names& names,
                     const Registry& registry, EntryParts& entry_parts,
                     const std::shared_ptr<MemoryRules>& memory_rules,
                     llvm::ArrayRef<Request> requests);

}  // namespace ddx::compiler
