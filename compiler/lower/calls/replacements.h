/// \file
/// Bodies that are lowered for calls.

#pragma once

#include "compiler/lower/part.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace ddx::compiler {

struct Replacement {
  const clang::FunctionDecl* function = nullptr;
  llvm::SmallVector<const clang::Expr*> arguments;
};

/// Finds the body that is lowered for a call: the callee's, or a plain function in place of one of
/// the library.
class Replacements : Part {
 public:
  using Part::Part;

  /// The definition that a call of `callee` runs: instantiated, or made by the compiler, where
  /// nothing has asked for it yet; null where there is none.
  const clang::FunctionDecl* visible_body(const clang::FunctionDecl* callee);
  /// A call of the library that another function was lowered for is made as it stands where nothing
  /// active comes of it.
  void note_original(ir::Statement* made, const clang::Expr* source,
                     const clang::FunctionDecl* callee);
  /// The function `name` of namespace `ddx::detail::algorithms` that takes these arguments, or
  /// null.
  const clang::FunctionDecl* plain_function(llvm::StringRef name,
                                            llvm::ArrayRef<const clang::Expr*> arguments);
  /// What `callee` is lowered as that makes a `ddx::Pullback`: a function that makes a closure;
  /// null for other functions.
  const clang::FunctionDecl* closure_form(const clang::FunctionDecl* callee);
  /// What `callee`, of the standard library, is lowered as: a plain function, and its arguments.
  /// They are those of the call, but where objects with reals are moved as bytes they keep their
  /// types, and the container replaces a back inserter.
  ///
  /// Where the plain function returns nothing and the result is used, `used_` and the name is asked
  /// for.
  std::optional<Replacement> replacement(const clang::FunctionDecl* callee,
                                         const clang::Expr* source,
                                         llvm::ArrayRef<const clang::Expr*> arguments);
};

}  // namespace ddx::compiler
