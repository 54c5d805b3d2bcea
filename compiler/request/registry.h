/// \file
/// The derivatives that source code registers for functions by `DDX_DERIVATIVE_OF`.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace ddx::compiler {

/// A derivative found for one primal function.
struct RegisteredDerivative {
  const clang::FunctionDecl* vjp;  ///< What to call: takes the primal's parameters, object first.
  const clang::FunctionTemplateDecl*
      vjp_template;  ///< The template `vjp` is a specialisation of, or null.
};

/// The registered derivatives of one translation unit.
///
/// The attribute leaves its pair (derivative, expression that names the primal) in the AST, in
/// namespace
/// `__ddx_registered`, so that a precompiled header carries it.
class Registry {
 public:
  explicit Registry(clang::Sema& sema) : sema_(sema) {}
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  /// Reads the registrations made since the last call, and reports at the attribute: no function of
  /// that name with these parameters, several, a second derivative of one function, a result that
  /// is not `ddx::Vjp`. Messages about parameters print the expected signature.
  void update();

  /// The derivative registered for `primal` (a function, member, operator, or instantiation of a
  /// template), or null.
  ///
  /// A derivative written for exactly this function goes before one whose template covers it. When
  /// the derivative is a template, its specialisation for the parameters of `primal` is made, and
  /// its result type checked.
  const RegisteredDerivative* find(const clang::FunctionDecl* primal) const;

 private:
  struct Entry {
    clang::FunctionDecl* derivative;  ///< The pattern where it is a template.
    clang::Expr* named;               ///< What stands behind `&` in the attribute.
    clang::SourceLocation where;      ///< Of the attribute.
  };

  void add(const Entry& entry);
  void add_function(const Entry& entry);
  void add_template(const Entry& entry);
  std::unique_ptr<RegisteredDerivative> instantiated(const clang::FunctionDecl* primal) const;

  clang::Sema& sema_;
  llvm::DenseMap<const clang::FunctionDecl*, std::unique_ptr<RegisteredDerivative>> exact_;
  std::vector<Entry> templates_;
  mutable llvm::DenseMap<const clang::FunctionDecl*, std::unique_ptr<RegisteredDerivative>> found_;
  llvm::DenseMap<const clang::Decl*, clang::SourceLocation> seen_;
};

}  // namespace ddx::compiler
