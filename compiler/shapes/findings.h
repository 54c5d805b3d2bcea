/// \file
/// What the analysis of shapes finds: operations that fail, and shapes at places of the program.

#pragma once

#include "compiler/shapes/values.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ddx::compiler::shapes {

/// A call that is in progress where something is found.
struct CallSite {
  clang::SourceLocation where;
  std::string callee;
};

/// Where the program states an extent of a shape.
struct Origin {
  clang::SourceLocation where;
  std::string extent;
  std::string shape;
};

/// An operation that fails whenever it runs.
struct Failure {
  std::string message;  ///< What the library throws, unknown extents as "?".
  clang::SourceLocation where;
  std::vector<CallSite> calls;  ///< Innermost first.
  std::vector<Origin> origins;
};

/// Collects in the order of execution.
class Findings {
 public:
  Findings(const clang::SourceManager& sources, bool keeps_shapes)
      : sources_(&sources), keeps_shapes_(keeps_shapes) {}

  void add(Failure failure) { failures_.push_back(std::move(failure)); }
  /// Takes back the failures but the first `count`.
  void shrink(std::size_t count) { failures_.resize(std::min(count, failures_.size())); }
  [[nodiscard]] std::size_t count() const { return failures_.size(); }

  [[nodiscard]] bool keeps_shapes() const { return keeps_shapes_; }
  /// The shape of what a name or a call at a place of the program is; what those of its shapes that
  /// are known have in common is printed.
  void add_shape(Arena& arena, clang::SourceLocation where, const std::string& name,
                 const Value* shape);

  /// Reports each failure once for each place of the program.
  void report(clang::DiagnosticsEngine& diagnostics, bool as_error) const;
  /// One line for each shape: "FILE:LINE:COLUMN: shape: NAME: [n, 784]", in the order of the text.
  void print(llvm::raw_ostream& out) const;

 private:
  const clang::SourceManager* sources_;
  bool keeps_shapes_;
  std::vector<Failure> failures_;
  std::map<std::pair<unsigned, std::string>, const Value*> shapes_;  ///< By place and name.
};

}  // namespace ddx::compiler::shapes
