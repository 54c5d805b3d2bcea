/// \file
/// What `&f` in a registration names: one function, a set, or a member of a template yet unknown.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/TemplateBase.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace ddx::compiler {

/// The functions that a registration may mean.
struct PrimalName {
  std::string text;                                   ///< As messages print it.
  llvm::SmallVector<clang::FunctionDecl*> functions;  ///< Not templates.
  llvm::SmallVector<clang::FunctionTemplateDecl*> templates;
  clang::TemplateArgumentListInfo explicit_arguments;  ///< Of `&f<double>`.
  bool has_explicit_arguments = false;
  const clang::ClassTemplateDecl* dependent_class =
      nullptr;  ///< C in `&C<T>::f`; the sets hold its pattern's members.

  /// Whether `primal`, or the template or template's member it is an instantiation of, is among
  /// them.
  [[nodiscard]] bool covers(const clang::FunctionDecl& primal) const;
};

/// Reads the argument of a registration; without any function where it names none.
PrimalName primal_name(const clang::Expr& argument);

}  // namespace ddx::compiler
