#include "compiler/diagnostics/diagnostics.h"

#include "clang/Basic/DiagnosticIDs.h"

namespace ddx::compiler {
namespace {

struct Row {
  clang::DiagnosticIDs::Level level;
  llvm::StringLiteral text;
  llvm::StringLiteral advice;
  llvm::StringLiteral name;
};

constexpr Row rows[] = {
#define DDX_DIAGNOSTIC(id, severity, text, advice) \
  {clang::DiagnosticIDs::severity, text, advice, #id},
#include "compiler/diagnostics/diagnostics.def"
};

const Row& row_of(Diagnostic id) {
  return rows[static_cast<unsigned>(id)];
}

}  // namespace

llvm::StringRef name_of(Diagnostic id) {
  return row_of(id).name;
}

llvm::StringRef text_of(Diagnostic id) {
  return row_of(id).text;
}

unsigned number_of(const clang::DiagnosticsEngine& diagnostics, Diagnostic id) {
  // Equal rows share one number in the engine, so asking again each time is cheap and keeps no
  // state here.
  return diagnostics.getDiagnosticIDs()->getCustomDiagID(row_of(id).level, row_of(id).text);
}

bool is_of_user(const clang::SourceManager& sources, clang::SourceLocation where) {
  return where.isValid() && !sources.isInSystemHeader(where) &&
         !sources.getFilename(where).contains("include/ddx/");
}

Report::Report(clang::DiagnosticsEngine& diagnostics, Diagnostic id, clang::SourceLocation where)
    : diagnostics_(diagnostics), id_(id), where_(where) {
  if (where.isMacroID()) {
    const clang::SourceManager& sources = diagnostics.getSourceManager();
    if (!is_of_user(sources, sources.getSpellingLoc(where))) {
      where_ = sources.getExpansionLoc(where);
    }
  }
  message_.emplace(diagnostics.Report(where_, number_of(diagnostics, id)));
}

Report::~Report() {
  send();
  if (row_of(id_).level != clang::DiagnosticIDs::Note) {
    diagnostics_.Report(where_, diagnostics_.getDiagnosticIDs()->getCustomDiagID(
                                    clang::DiagnosticIDs::Note, row_of(id_).advice));
  }
}

Report report(clang::DiagnosticsEngine& diagnostics, Diagnostic id, clang::SourceLocation where) {
  return Report(diagnostics, id, where);
}

}  // namespace ddx::compiler
