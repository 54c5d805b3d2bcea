/// \file
/// Pointers known at run time only.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/effects.h"
#include "compiler/lower/part.h"

#include <optional>

namespace ddx::compiler {

/// Carries pointers that are known only at run time over as text, and rejects what follows them to
/// numbers.
class DynamicPointers : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

  /// True for a pointer that is known at run time only, to what may hold numbers.
  bool is_dynamic_pointer_value(const clang::Expr* expression);
  /// True for an assignment that the compiler generates, and that copies or moves dynamic pointers
  /// alone.
  bool only_moves_pointers(const clang::FunctionDecl* callee);
  /// The text of an expression that moves pointers about, and follows none to numbers.
  std::optional<PointerText> dynamic_pointer_text(const clang::Expr* expression);
  /// Appends the text of a statement that changes a dynamic pointer.
  void add_text(const PointerText& found, clang::SourceLocation where);
  /// An error, whatever is active: where this leads to, and what is made there, is not known.
  ir::Value* lost_pointer(const clang::Expr* expression);
  /// Rejects a statement that changes a dynamic pointer. Returns: whether it is one.
  bool loses_pointer(const clang::Expr* statement);
  /// Gives a member, or an element, that only leads to memory its first value.
  bool initialise_dynamic_pointer(const ir::Path& target, const clang::Expr* source, bool raw);
  /// Hands over what only leads to memory: the callee reaches the same objects.
  bool passes_dynamic_pointer(ir::Statement* call, clang::QualType parameter,
                              const clang::Expr* argument);
  /// Notes that a call may reach memory: through its arguments, or as it makes what it returns.
  void note_memory(ir::Statement* call, clang::QualType result);

 private:
  /// Members of smart pointers, and what the library does with objects that lead to memory.
  bool pointer_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                    const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                    ir::Value** value);
  bool is_static_pointer(const clang::Expr* expression);
  bool is_global_pointer(const clang::Expr* expression);
  bool changes_number(const clang::Stmt* statement);
  bool makes_objects(const clang::Stmt* statement);
  bool shows_named_object(const clang::Stmt* statement);
  bool lies_in_named_object(const clang::Expr* place);
  bool changes_dynamic_pointer(const clang::Expr* expression);
  bool reorders_pointers(const clang::FunctionDecl* callee,
                         llvm::ArrayRef<const clang::Expr*> arguments);
  bool names_owned_array(const clang::Expr* expression);
};

}  // namespace ddx::compiler
