/// \file
/// Constructors.

#pragma once

#include "compiler/lower/part.h"

#include <string>

namespace ddx::compiler {

/// Lowers constructors: their initialisers, calls of them, and objects with virtual functions.
class Constructors : Part {
 public:
  using Part::Part;

  /// Lowers the initialisers of the constructor being lowered, in their order.
  void lower_initialisers(const clang::CXXConstructorDecl* constructor);
  /// An object with a table of virtual functions, which only its constructor can make: it is made
  /// as it stands, then its members get the same values again, step by step.
  bool declare_polymorphic(ir::Root* root, const clang::CXXConstructExpr* construction);
  /// Calls a constructor on the object at `target`.
  ir::Value* construct_call(const clang::CXXConstructorDecl* constructor, ir::Path target,
                            const clang::Expr* source,
                            llvm::ArrayRef<const clang::Expr*> arguments);

 private:
  void forward_to_inherited(const clang::CXXConstructorDecl* constructor,
                            const clang::CXXInheritedCtorInitExpr* inherited, const ir::Path& base);
  bool bind_constructor_arguments(const clang::CXXConstructorDecl* constructor,
                                  const clang::CXXConstructExpr* construction, std::string* text);
  bool repeat_constructor(const ir::Path& object, const clang::CXXConstructorDecl* constructor,
                          const clang::CXXConstructExpr* source);
  bool repeat_initialisers(const ir::Path& object, const clang::CXXConstructorDecl* constructor);
};

}  // namespace ddx::compiler
