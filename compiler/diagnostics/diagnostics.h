/// \file
/// The diagnostics of the AD compiler: one enumerator per row of diagnostics.def.

#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

namespace ddx::compiler {

/// Names a row of diagnostics.def.
enum class Diagnostic {
#define DDX_DIAGNOSTIC(id, severity, text) id,
#include "compiler/diagnostics/diagnostics.def"
};

/// The row's identifier.
llvm::StringRef name_of(Diagnostic id);

/// The number by which `diagnostics`, and each engine that shares its texts, knows the row.
unsigned number_of(const clang::DiagnosticsEngine& diagnostics, Diagnostic id);

/// Starts the report of `id` at `where`; the arguments of its text follow by `<<`.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine& diagnostics, Diagnostic id,
                                clang::SourceLocation where);

}  // namespace ddx::compiler
