/// \file
/// Calls whose effects on objects cannot be seen.

#pragma once

#include "compiler/lower/part.h"

namespace ddx::compiler {

/// Finds calls whose effects on objects cannot be seen.
class OpaqueCalls : Part {
 public:
  using Part::Part;

  /// True for a function, a lambda or an object with a call operator that reaches memory when
  /// called.
  bool runs_on_memory(const clang::Expr* value);
  /// True when the text of `statement`, run by the library, would put numbers where the compiler
  /// does not see them, or run code of the program that does more than look.
  bool has_opaque_effects(const clang::Stmt* statement);
  /// The same for anything in `statement`.
  bool library_may_copy_within(const clang::Stmt* statement);
  /// True where the end of an object of class `record` changes a number, unseen by the compiler.
  bool ends_with_numbers(const clang::CXXRecordDecl* record);

 private:
  bool reaches_memory(const clang::Stmt* statement);
  bool library_may_copy(const clang::Expr* source);
};

}  // namespace ddx::compiler
