/// \file
/// Which functions cast to a derived class, themselves or in what they call.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"

namespace ddx::compiler {

/// Looks through the bodies that calls lead to. Remembers the functions found free of such casts,
/// so that a chain of functions is walked once and not from each of its links.
class CastsToDerived {
 public:
  /// Whether `function`, whose body is visible, or a function that it calls, casts so.
  bool reached_from(const clang::FunctionDecl* function);

 private:
  bool in(const clang::FunctionDecl* function);
  bool in_definition(const clang::FunctionDecl* definition);
  bool in(const clang::Stmt* statement);

  llvm::DenseSet<const clang::FunctionDecl*> free_;
  llvm::DenseSet<const clang::FunctionDecl*> met_;  ///< On the present walk.
  bool saw_all_ = true;  ///< No function on the present walk may get a body later.
};

}  // namespace ddx::compiler
