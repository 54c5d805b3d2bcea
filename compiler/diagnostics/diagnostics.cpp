#include "compiler/diagnostics/diagnostics.h"

#include "clang/Basic/DiagnosticIDs.h"
#include "llvm/ADT/StringRef.h"

namespace ddx::compiler {
namespace {

struct Row {
  clang::DiagnosticIDs::Level level;
  llvm::StringLiteral text;
};

constexpr Row rows[] = {
#define DDX_DIAGNOSTIC(id, severity, text) {clang::DiagnosticIDs::severity, text},
#include "compiler/diagnostics/diagnostics.def"
};

}  // namespace

clang::DiagnosticBuilder report(clang::DiagnosticsEngine& diagnostics, Diagnostic id,
                                clang::SourceLocation where) {
  const Row& row = rows[static_cast<unsigned>(id)];
  // Equal rows share one id in the engine, so asking again each time is cheap and keeps no state
  // here.
  return diagnostics.Report(where,
                            diagnostics.getDiagnosticIDs()->getCustomDiagID(row.level, row.text));
}

}  // namespace ddx::compiler
