/// \file
/// Expressions and constructors that can be evaluated more than once.

#pragma once

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"

namespace ddx::compiler {

/// True for a constructor that only initialises members and bases, from expressions without
/// effects: to do it again changes nothing.
bool initialises_only(const clang::CXXConstructorDecl* constructor);

/// True for an expression without effects: to evaluate it again changes nothing.
bool is_idempotent(const clang::Stmt* statement);

}  // namespace ddx::compiler
