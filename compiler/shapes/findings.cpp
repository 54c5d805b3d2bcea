#include "compiler/shapes/findings.h"

#include "compiler/diagnostics/diagnostics.h"

#include <set>

namespace ddx::compiler::shapes {
namespace {

bool is_in_program(const clang::SourceManager& sources, clang::SourceLocation where) {
  return where.isValid() && is_of_user(sources, sources.getExpansionLoc(where));
}

/// Reports a failure at the innermost place of the program, with the calls that lead there.
void report_one(clang::DiagnosticsEngine& diagnostics, const Failure& failure,
                clang::SourceLocation first, bool as_error) {
  const clang::SourceManager& sources = diagnostics.getSourceManager();
  Report message = report(
      diagnostics, as_error ? Diagnostic::ShapesDoNotFit : Diagnostic::ShapesMayNotFit, first);
  message << failure.message;
  message.send();
  for (const Origin& origin : failure.origins) {
    report(diagnostics, Diagnostic::ExtentFromHere, origin.where)
        << origin.extent << (origin.shape.empty() ? 0 : 1) << origin.shape;
  }
  bool reached = first == failure.where;
  for (const CallSite& call : failure.calls) {
    if (!reached && call.where != first) {
      continue;
    }
    if (!reached) {
      report(diagnostics, Diagnostic::WithinLibrary, failure.where) << 1 << call.callee;
    } else if (is_in_program(sources, call.where)) {
      report(diagnostics, Diagnostic::ShapesCalledHere, call.where) << call.callee;
    }
    reached = true;
  }
}

}  // namespace

void Findings::add_shape(Arena& arena, clang::SourceLocation where, const std::string& name,
                         const Value* shape) {
  if (!shape->is_tensor()) {
    return;
  }
  const auto [known, is_new] = shapes_.try_emplace({where.getRawEncoding(), name}, shape);
  if (!is_new) {
    known->second = arena.join(known->second, shape);
  }
}

void Findings::report(clang::DiagnosticsEngine& diagnostics, bool as_error) const {
  std::set<std::pair<unsigned, unsigned>> reported;
  for (const Failure& failure : failures_) {
    clang::SourceLocation first = failure.where;
    for (const CallSite& call : failure.calls) {
      if (is_in_program(*sources_, first)) {
        break;
      }
      first = call.where;
    }
    const clang::SourceLocation line = sources_->getExpansionLoc(first);
    const std::pair place(sources_->getFileID(line).getHashValue(),
                          sources_->getExpansionLineNumber(line));
    if (is_in_program(*sources_, first) && reported.insert(place).second) {
      report_one(diagnostics, failure, first, as_error);
    }
  }
}

void Findings::print(llvm::raw_ostream& out) const {
  for (const auto& [place, shape] : shapes_) {
    if (shape->is_tensor()) {
      const auto where = clang::SourceLocation::getFromRawEncoding(place.first);
      out << sources_->getExpansionLoc(where).printToString(*sources_)
          << ": shape: " << place.second << ": " << shape_text(*shape) << "\n";
    }
  }
  out.flush();
}

}  // namespace ddx::compiler::shapes
