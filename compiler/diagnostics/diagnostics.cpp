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

unsigned number_of(const clang::DiagnosticsEngine& diagnostics, Diagnostic id) {
  const Row& row = rows[static_cast<unsigned>(id)];
  // Equal rows share one number in the engine, so asking again each time is cheap and keeps no
  // state here.
  return diagnostics.getDiagnosticIDs()->getCustomDiagID(row.level, row.text);
}

clang::DiagnosticBuilder report(clang::DiagnosticsEngine& diagnostics, Diagnostic id,
                                clang::SourceLocation where) {
  return diagnostics.Report(where, number_of(diagnostics, id));
}

}  // namespace ddx::compiler
