/// \file
/// Declarations in functions.

#pragma once

#include "compiler/lower/effects.h"
#include "compiler/lower/part.h"

#include <optional>
#include <string>
#include <vector>

namespace ddx::compiler {

/// Declares variables, references, pointers and structured bindings.
class Declarations : Part {
 public:
  using Part::Part;

  /// Lowers the declaration of a variable.
  void declare(const clang::VarDecl* variable);
  /// Gives `variable` no place; what is wrong with it is said once.
  void reject_declaration(const clang::VarDecl* variable, Diagnostic diagnostic,
                          std::vector<std::string> facts = {});
  /// Lowers a structured binding.
  void declare_bindings(const clang::DecompositionDecl* decomposition);
  /// Names the parts of the object at `source`. Returns: what is in the way.
  std::optional<Diagnostic> name_parts(const clang::DecompositionDecl* decomposition,
                                       const ir::Path& source);

 private:
  bool name_members(const clang::DecompositionDecl* decomposition);
  void declare_reference(const clang::VarDecl* variable);
  void declare_pointer(const clang::VarDecl* variable);
  void declare_unknown_pointer(const clang::VarDecl* variable, const std::string& text,
                               const Effects& found);
  std::optional<ir::Path> copy_of_inactive(const clang::Expr* object);
  void name_part(const clang::BindingDecl* binding, const ir::Path& part);
};

}  // namespace ddx::compiler
