#include "compiler/diagnostics/call_chain.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

namespace ddx::compiler {

namespace {

bool is_in_program(const clang::SourceManager& sources, clang::SourceLocation where) {
  return where.isValid() && is_of_user(sources, sources.getExpansionLoc(where));
}

/// The name without template arguments, which may be long.
llvm::StringRef short_name(llvm::StringRef name) {
  return name.starts_with("operator") ? name : name.split('<').first;
}

}  // namespace

clang::SourceLocation place_in_program(const clang::SourceManager& sources,
                                       clang::SourceLocation where,
                                       llvm::ArrayRef<ChainLink> calls) {
  if (is_in_program(sources, where)) {
    return where;
  }
  const auto* found = llvm::find_if(
      calls, [&](const ChainLink& call) { return is_in_program(sources, call.where); });
  return found == calls.end() ? where : found->where;
}

void report(clang::DiagnosticsEngine& diagnostics, const ChainedError& error) {
  const clang::SourceManager& sources = diagnostics.getSourceManager();
  llvm::ArrayRef<ChainLink> calls = error.calls;
  const clang::SourceLocation first = place_in_program(sources, error.where, calls);
  Report message = report(diagnostics, error.id, first);
  for (const std::string& fact : error.facts) {
    message << fact;
  }
  message.send();
  if (first != error.where) {
    const bool is_request = llvm::none_of(
        calls, [&](const ChainLink& call) { return call.where == first && !call.callee.empty(); });
    while (!is_request && calls.front().where != first) {
      calls = calls.drop_front();
    }
    if (error.where.isValid()) {
      report(diagnostics, Diagnostic::WithinLibrary, error.where)
          << static_cast<int>(!is_request) << short_name(calls.front().callee);
    }
    calls = calls.drop_front(is_request ? 0 : 1);
  }
  if (error.reached) {
    report(diagnostics, Diagnostic::ReachedHere, error.reached->where) << error.reached->callee;
  }
  clang::SourceLocation requested;  // One of a derivative's derivative has the same place.
  for (const ChainLink& call : calls) {
    if (call.callee.empty()) {
      if (call.where.isValid() && call.where != requested) {
        report(diagnostics, Diagnostic::RequestedHere, call.where);
        requested = call.where;
      }
    } else if (is_in_program(sources, call.where)) {
      report(diagnostics, Diagnostic::WhenDifferentiating, call.where) << short_name(call.callee);
    }
  }
}

}  // namespace ddx::compiler
