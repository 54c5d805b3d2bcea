#include "compiler/diagnostics/diagnostics.h"

#include "clang/Basic/DiagnosticIDs.h"

namespace ddx::compiler {
namespace {

struct Row {
  clang::DiagnosticIDs::Level level;
  llvm::StringLiteral text;
  llvm::StringLiteral name;
};

constexpr Row rows[] = {
#define DDX_DIAGNOSTIC(id, severity, text) {clang::DiagnosticIDs::severity, text, #id},
#include "compiler/diagnostics/diagnostics.def"
};

}  // namespace

llvm::StringRef name_of(Diagnostic id) {
  return rows[static_cast<unsigned>(id)].name;
}

clang::DiagnosticBuilder report(clang::DiagnosticsEngine& diagnostics, Diagnostic id,
                                clang::SourceLocation where) {
  const Row& row = rows[static_cast<unsigned>(id)];
  // Equal rows share one id in the engine, so asking again each time is cheap and keeps no state
  // here.
  return diagnostics.Report(where,
                            diagnostics.getDiagnosticIDs()->getCustomDiagID(row.level, row.text));
}

}  // namespace ddx::compiler
