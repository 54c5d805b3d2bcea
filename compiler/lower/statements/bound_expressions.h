/// \file
/// What the syntax tree says of the expressions that the bound of a loop reads.

#pragma once

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"

namespace ddx::compiler {

/// True for members of containers that leave the number of elements and their places alone.
bool keeps_size(const clang::CXXMethodDecl* method);

/// True for members of containers that make no assignment to elements that are there already.
bool keeps_elements(const clang::CXXMethodDecl* method);

/// The variable or member that the lvalue `expression` names directly, or null.
const clang::ValueDecl* named_object(const clang::Expr* expression);

/// The object that `expression` names, below casts to base classes.
const clang::Expr* below_bases(const clang::Expr* expression);

/// True for an lvalue that may name an object which has another name as well.
bool is_other_name(const clang::Expr* expression);

/// What `statement` reads, or lends elements of, and lets be what it is; null for others.
const clang::Expr* looked_at(const clang::Stmt* statement);

/// True where `variable` is captured by reference, or bound to another name, in `statement`.
bool forwards(const clang::ValueDecl* variable, const clang::Stmt* statement);

}  // namespace ddx::compiler
