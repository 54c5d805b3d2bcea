/// \file
/// Pointers known at run time only.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include <optional>

namespace ddx::compiler {

/// Rejects what makes, moves or follows pointers that are known only at run time. Text may look at
/// what they lead to: nothing that is lowered changes it.
class DynamicPointers : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

  /// True for a pointer that is known at run time only, to what may hold numbers.
  bool is_dynamic_pointer_value(const clang::Expr* expression);
  /// An error, whatever is active: where this leads to, and what is made there, is not known.
  ir::Value* lost_pointer(const clang::Expr* expression);
  /// Rejects a statement that changes a dynamic pointer. Returns: whether it is one.
  bool loses_pointer(const clang::Expr* statement);
  /// True for a function, a lambda or an object with a call operator that reaches memory when
  /// called.
  bool runs_on_memory(const clang::Expr* value);
  /// Rejects the first value of a member or an element that leads to memory, or that owns an array.
  /// Returns: whether it is one.
  bool loses_member(const ir::Path& target, const clang::Expr* source);
  /// Rejects an argument that only leads to memory. Returns: whether it is one.
  bool loses_argument(ir::Statement* call, clang::QualType parameter, const clang::Expr* argument);

 private:
  bool pointer_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                    const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments);
  bool reaches_memory(const clang::Stmt* statement);
  bool is_static_pointer(const clang::Expr* expression);
  bool is_global_pointer(const clang::Expr* expression);
  bool changes_dynamic_pointer(const clang::Expr* expression);
  bool names_owned_array(const clang::Expr* expression);
};

}  // namespace ddx::compiler
