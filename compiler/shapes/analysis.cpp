#include "compiler/shapes/analysis.h"

#include "compiler/shapes/entries.h"
#include "compiler/shapes/findings.h"
#include "compiler/shapes/interpreter.h"

namespace ddx::compiler::shapes {

void analyse(clang::ASTContext& ast, clang::DiagnosticsEngine& diagnostics,
             const Settings& settings, llvm::raw_ostream* print) {
  const Severity severity = settings.severity;
  if ((severity == Severity::Off && print == nullptr) || !has_tensors(ast)) {
    return;
  }
  Findings findings(ast.getSourceManager(), print != nullptr);
  Interpreter interpreter(ast, findings, settings.steps);
  for (const clang::FunctionDecl* entry : entries_of(ast)) {
    interpreter.run_entry(*entry);
  }
  if (print != nullptr) {
    findings.print(*print);
  }
  if (severity != Severity::Off) {
    findings.report(diagnostics, severity == Severity::Error);
  }
}

}  // namespace ddx::compiler::shapes
