/// \file
/// What a member function is called on.

#pragma once

#include "compiler/lower/binding.h"

#include "clang/AST/Expr.h"

#include <optional>
#include <utility>

namespace ddx::compiler {

/// What a member is called on: an expression, or an object or lambda that is known already.
struct Receiver {
  Receiver() = default;
  Receiver(const clang::Expr* written) : expression(written) {}
  explicit Receiver(Binding binding) : known(std::move(binding)) {}

  const clang::Expr* expression = nullptr;
  std::optional<Binding> known;
  explicit operator bool() const { return expression || known; }
};

}  // namespace ddx::compiler
