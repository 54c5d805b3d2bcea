/// \file
/// The derivatives that source code registers for functions by `DDX_DERIVATIVE_OF`.

#pragma once

#include "compiler/request/primal_name.h"
#include "compiler/request/registration.h"
#include "compiler/request/signature.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace ddx::compiler {

/// The derivatives found for one primal function.
struct RegisteredDerivative {
  /// For reverse mode: takes the primal's parameters, object first. Null where there is none.
  const clang::FunctionDecl* vjp = nullptr;
  const clang::FunctionTemplateDecl* vjp_template = nullptr;  ///< What it is a specialisation of.
  /// For forward mode: takes the tangents of the differentiable parameters after those.
  const clang::FunctionDecl* jvp = nullptr;
  const clang::FunctionTemplateDecl* jvp_template = nullptr;
};

/// The registered derivatives of one translation unit.
class Registry {
 public:
  explicit Registry(clang::Sema& sema) : sema_(sema) {}
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  /// Reads the registrations made since the last call, and reports at the attribute: no function of
  /// that name with these parameters, several, a second derivative of one function, a result that
  /// is not `ddx::Vjp`. Messages about parameters print the expected signature.
  void update();

  /// The derivatives registered for `primal` (a function, member, operator, or instantiation of a
  /// template), or null where there is none for either mode.
  ///
  /// A derivative written for exactly this function goes before a template that covers it. Where
  /// the derivative is a template, its specialisation for the parameters of `primal` is made, and
  /// its result type checked.
  const RegisteredDerivative* find(const clang::FunctionDecl* primal) const;

  /// Whether a registration may mean `primal`. Makes nothing, unlike `find`.
  [[nodiscard]] bool covers(const clang::FunctionDecl& primal) const;

  /// Calls `use` with each function, and each instantiation of a template, that a registration may
  /// mean.
  void for_each_primal(llvm::function_ref<void(const clang::FunctionDecl*)> use) const;

 private:
  struct Template {
    clang::FunctionTemplateDecl* derivative;
    PrimalName name;
    clang::SourceLocation where;
    bool one_candidate;  ///< The registration can mean one function only.
  };

  void add_function(const Registration& registration, const PrimalName& name);
  void add_template(const Registration& registration, PrimalName name);
  void report_no_match(const Registration& registration, const PrimalName& name) const;
  void make(const clang::FunctionDecl& primal, Way way, RegisteredDerivative& into) const;

  clang::Sema& sema_;
  std::size_t read_ = 0;
  llvm::DenseMap<const clang::FunctionDecl*, std::unique_ptr<RegisteredDerivative>> exact_;
  std::vector<Template> templates_;
  mutable llvm::DenseMap<const clang::FunctionDecl*, std::unique_ptr<RegisteredDerivative>> made_;
};

}  // namespace ddx::compiler
