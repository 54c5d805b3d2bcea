/// \file
/// Errors with the calls that lead to them: the user's line first.

#pragma once

#include "compiler/diagnostics/diagnostics.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace ddx::compiler {

/// A call on the way from a request to an error.
struct ChainLink {
  clang::SourceLocation where;
  std::string callee;  ///< Empty for the request itself.
};

/// An error at a place, and how the compiler came there.
struct ChainedError {
  Diagnostic id;
  std::vector<std::string> facts;
  clang::SourceLocation where;
  std::vector<ChainLink> calls;                     ///< Innermost first.
  std::optional<ChainLink> reached = std::nullopt;  ///< What is used by name, and where.
};

/// The innermost place in the program: `where`, or else a call that leads there; `where` if none
/// is.
clang::SourceLocation place_in_program(const clang::SourceManager& sources,
                                       clang::SourceLocation where,
                                       llvm::ArrayRef<ChainLink> calls);

/// Reports `error` at the innermost place that is in the program. Where that is one of the calls,
/// the place in the library follows as a note; then come the other calls and what to do.
void report(clang::DiagnosticsEngine& diagnostics, const ChainedError& error);

}  // namespace ddx::compiler
