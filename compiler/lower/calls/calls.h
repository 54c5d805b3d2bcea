/// \file
/// Calls of functions.

#pragma once

#include "compiler/lower/calls/receiver.h"
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
  ir::Value* unknown_call(const clang::FunctionDecl* callee, const clang::Expr* source);
  std::optional<ir::Value*> functor_call(const clang::FunctionDecl* callee,
                                         const clang::Expr* source,
                                         llvm::ArrayRef<const clang::Expr*> arguments);
};

}  // namespace ddx::compiler
