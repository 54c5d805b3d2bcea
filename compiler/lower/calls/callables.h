/// \file
/// Functions, lambdas and objects that are called.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include <optional>

namespace ddx::compiler {

/// The only call operator of a lambda or of another class, or the pattern of it; null where there
/// is none or a choice.
const clang::CXXMethodDecl* call_operator(const clang::CXXRecordDecl* record);

/// The call operator that a call of `closure` means; null where its class does not tell.
const clang::CXXMethodDecl* operator_of(const Binding& closure);

/// `target`; where its class has several call operators, with the one that `caller`, a function of
/// the library, calls.
Binding as_called_by(const clang::FunctionDecl* caller, Binding target);

/// True for a member function that a call of the object itself means.
bool is_call_operator(const clang::FunctionDecl* function);

bool is_rebound(const clang::VarDecl* variable);

/// Finds which function, lambda or function object an expression denotes, and calls it.
class Callables : Part, public CallRule {
 public:
  using Part::Part;

  /// `std::invoke`.
  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

  /// The function, lambda or member that `expression` denotes without a look at run time; nothing
  /// else happens here.
  Binding fixed_target(const clang::Expr* expression);
  /// What a function pointer, a std::function or a pointer to member denotes.
  Binding callable(const clang::Expr* expression);
  /// A variable that holds a function or a lambda: bound to it. False where what it holds is
  /// unknown.
  bool declare_callable(const clang::VarDecl* variable);
  /// Calls what `target` denotes. `first` is the object of a member.
  ir::Value* call_target(const Binding& target, const clang::Expr* source,
                         llvm::ArrayRef<const clang::Expr*> arguments,
                         std::optional<ir::Path>* reference);

 private:
  Binding function_object(const clang::Expr* expression);
};

}  // namespace ddx::compiler
