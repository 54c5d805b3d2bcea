/// \file
/// Arguments of calls.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/part.h"

#include <optional>

namespace ddx::compiler {

/// Passes arguments: one for each parameter of the callee, expanded as the callee expands it.
class Arguments : Part {
 public:
  using Part::Part;

  /// Appends `call`, whose arguments are complete. Returns: its result; null for void.
  ir::Value* emit_call(ir::Statement* call, clang::QualType result);
  /// Adds the arguments that `argument` expands to. Returns: false where they cannot be expressed.
  bool expand_argument(ir::Statement* call, clang::QualType parameter, const clang::Expr* argument);
  /// The members of a scalarized object, as a parameter of type `of` takes them. False for a
  /// pointer that the callee may bind again.
  bool expand_scalarized(ir::Statement* call, const ScalarizedObject& scalarized,
                         clang::QualType of, bool is_constant);
  /// Adds the object at `path`, or a pointer to it, as one argument.
  void expand_path(ir::Statement* call, ir::Path path, bool is_pointer, bool is_constant);

 private:
  std::optional<ir::Path> copy_of_constant(const clang::Expr* glvalue);
  bool names_left_out_member(const clang::Expr* expression);
  bool expand_target(ir::Statement* call, const Binding& target);
  bool expand_member(ir::Statement* call, const Binding& member, const clang::FieldDecl* field,
                     bool is_constant);
};

}  // namespace ddx::compiler
