/// \file
/// What the syntax tree says of pointers and iterators that move.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include <optional>

namespace ddx::compiler {

/// The expression below what only copies, converts or names a temporary.
const clang::Expr* below_copies(const clang::Expr* expression);

/// The variable that `expression` names, or null.
const clang::VarDecl* named_variable(const clang::Expr* expression);

/// How often `statement` names `variable`.
std::size_t mentions(const clang::Stmt* statement, const clang::ValueDecl* variable);

/// The object that `expression` lets be moved from: the argument of std::move, of std::forward
/// where that moves, and of a cast to an rvalue. Null for other expressions.
const clang::Expr* moved(const clang::Expr* expression);

/// True where `variable` may be named in `statement` once the place `behind` has been passed:
/// behind it in the text, in the next iteration of a loop around it, or in a lambda, which may be
/// called later.
bool is_named_after(const clang::ValueDecl* variable, clang::SourceLocation behind,
                    const clang::Stmt* statement, const clang::SourceManager& sources);

/// True when `variable` may change inside `statement`, or its address escape.
bool may_change(const clang::VarDecl* variable, const clang::Stmt* statement);

/// The body of the function that `variable` belongs to, or null.
const clang::Stmt* body_around(const clang::ValueDecl* variable);

/// `++i` and similar: what is stepped, by how much.
struct Stepping {
  const clang::Expr* target = nullptr;
  long amount = 0;
};

std::optional<Stepping> stepping(const clang::Expr* expression, clang::ASTContext& context);

/// The expression that gives an object its value, below the wrappers of initialisers.
const clang::Expr* below_initialiser(const clang::Expr* expression);

/// True for a copy or move of a temporary that the language leaves out.
bool is_elided(const clang::CXXConstructExpr* construction);

}  // namespace ddx::compiler
