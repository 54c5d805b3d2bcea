/// \file
/// Calls of functions.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include <optional>

namespace ddx::compiler {

/// Lowers calls of functions.
class Calls : Part {
 public:
  using Part::Part;

  /// The result of a call; an lvalue, or an object, is put into `reference`.
  ir::Value* call(const clang::Expr* expression, std::optional<ir::Path>* reference);
  /// The result of a call of `callee` on `object`, if it is a member; an lvalue, or an object, is
  /// put into `reference`.
  ir::Value* lower_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                        const Receiver& object, llvm::ArrayRef<const clang::Expr*> arguments,
                        std::optional<ir::Path>* reference);

 private:
  const RegisteredDerivative* registered_derivative(const CallSite& site) const;
  bool is_dispatched(const CallSite& site) const;
  ir::Value* call_function(const CallSite& site);
  ir::Value* call_without_body(const CallSite& site);
  ir::Value* unknown_call(const clang::FunctionDecl* callee, const clang::Expr* source);
  ir::Value* call_in_place(const CallSite& site, const clang::FunctionDecl* body,
                           bool is_reference);
  ir::Value* call_with_arguments(const CallSite& site, const clang::FunctionDecl* body);
  std::optional<ir::Value*> expand_object(const CallSite& site, ir::Statement* call);
};

}  // namespace ddx::compiler
