/// \file
/// What identifies a derivative.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"

#include <vector>

namespace ddx::compiler::ir {

/// What is known of one expanded parameter of a function in one key.
struct ParameterFacts {
  bool active = false;
  bool is_unchanged = false;
  unsigned group =
      0;  ///< Parameters of different groups do not overlap; group 0 may overlap with any.
  bool noalias_group =
      false;  ///< An object that a caller made: only others of its group overlap with it.
  bool is_null = false;                  ///< A null pointer: nothing is behind it.
  bool is_computed_from_active = false;  ///< A text made of active numbers.
  friend bool operator==(const ParameterFacts&, const ParameterFacts&) = default;
};

/// Which way a derivative goes through its function.
enum class Mode {
  Reverse,  ///< Forward sweep that saves residuals, then reverse sweep.
  Forward,  ///< The tangent beside the primal.
};

/// Identity of a derivative.
struct Key {
  Mode mode = Mode::Reverse;
  const clang::FunctionDecl* function = nullptr;
  std::vector<const clang::FunctionDecl*>
      targets;  ///< Functions bound to function-pointer parameters.
  std::vector<ParameterFacts> parameters;
  bool result_useful = true;
  bool outputs_useful = true;  ///< False: neither its result nor what it changes is read.
  friend bool operator==(const Key&, const Key&) = default;
};

}  // namespace ddx::compiler::ir
