/// \file
/// The diagnostics of the AD compiler: one enumerator per row of diagnostics.def.

#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace ddx::compiler {

/// Names a row of diagnostics.def.
enum class Diagnostic {
#define DDX_DIAGNOSTIC(id, severity, text, advice) id,
#include "compiler/diagnostics/diagnostics.def"
};

/// The row's identifier.
llvm::StringRef name_of(Diagnostic id);

/// The row's text, as written.
llvm::StringRef text_of(Diagnostic id);

/// The number by which `diagnostics`, and each engine that shares its texts, knows the row.
unsigned number_of(const clang::DiagnosticsEngine& diagnostics, Diagnostic id);

/// True for a place in the program, false for one in a header of the system or of ddx.
bool is_of_user(const clang::SourceManager& sources, clang::SourceLocation where);

/// A message on its way. Its arguments are added by `<<`; `send`, or else the end of its life,
/// sends it. At the end of its life, behind all notes in between, an error or a warning is followed
/// by the note that says what to do.
class Report {
 public:
  Report(clang::DiagnosticsEngine& diagnostics, Diagnostic id, clang::SourceLocation where);
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;
  ~Report();

  /// Adds the next argument of the text.
  template <class Argument>
  Report& operator<<(const Argument& argument) {
    *message_ << argument;
    return *this;
  }

  /// Sends the message; notes that are reported from here on stand before what to do.
  void send() { message_.reset(); }

 private:
  clang::DiagnosticsEngine& diagnostics_;
  Diagnostic id_;
  clang::SourceLocation where_;
  std::optional<clang::DiagnosticBuilder> message_;
};

/// Starts the report of `id` at `where`; where that is in a macro of a library, at its use.
Report report(clang::DiagnosticsEngine& diagnostics, Diagnostic id, clang::SourceLocation where);

}  // namespace ddx::compiler
