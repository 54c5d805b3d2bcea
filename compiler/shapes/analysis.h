/// \file
/// The analysis of the shapes of tensors, at the end of a unit and before its derivatives.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>
#include <cstdint>

namespace ddx::compiler::shapes {

/// What to do with operations that fail whenever they run.
enum class Severity : std::uint8_t { Off, Warning, Error };

/// What the analysis does.
struct Settings {
  Severity severity = Severity::Error;
  std::size_t steps = 1'000'000;  ///< Expressions and statements to execute at most.
};

/// Follows the shapes of tensors through the functions of the program in a unit, and reports the
/// operations on tensors that fail whenever they run. Prints shapes to `print` unless it is null.
///
/// Cost: nothing for a unit without tensors; else bounded by a number of steps, after which the
/// analysis ends silently.
void analyse(clang::ASTContext& ast, clang::DiagnosticsEngine& diagnostics,
             const Settings& settings, llvm::raw_ostream* print);

}  // namespace ddx::compiler::shapes
