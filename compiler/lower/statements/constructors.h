/// \file
/// Constructors.

#pragma once

#include "compiler/lower/part.h"

namespace ddx::compiler {

/// Lowers constructors: their initialisers, and calls of them.
class Constructors : Part {
 public:
  using Part::Part;

  /// Lowers the initialisers of the constructor being lowered, in their order.
  void lower_initialisers(const clang::CXXConstructorDecl* constructor);
  /// Calls a constructor on the object at `target`.
  ir::Value* construct_call(const clang::CXXConstructorDecl* constructor, ir::Path target,
                            const clang::Expr* source,
                            llvm::ArrayRef<const clang::Expr*> arguments);

 private:
  void forward_to_inherited(const clang::CXXConstructorDecl* constructor,
                            const clang::CXXInheritedCtorInitExpr* inherited, const ir::Path& base);
};

}  // namespace ddx::compiler
