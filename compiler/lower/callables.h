/// \file
/// Functions, lambdas and objects that are called, as lowering knows them.

#pragma once

#include "compiler/lower/binding.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"

#include <optional>
#include <utility>
#include <vector>

namespace ddx::compiler {

/// An object of a class that is scalarized (see Types): a lambda, known by its captures, or an
/// object that keeps references, known by its members. In the order of its members. No such object
/// exists at run time.
struct ScalarizedObject {
  const clang::CXXRecordDecl* record = nullptr;
  std::vector<Binding> captures;
};

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

/// What a member is called on: an expression, or an object or lambda that is known already.
struct Receiver {
  Receiver() = default;
  Receiver(const clang::Expr* written) : expression(written) {}
  explicit Receiver(Binding binding) : known(std::move(binding)) {}

  const clang::Expr* expression = nullptr;
  std::optional<Binding> known;
  bool resolved = false;  ///< A virtual member means itself.
  explicit operator bool() const { return expression || known; }
};

}  // namespace ddx::compiler
