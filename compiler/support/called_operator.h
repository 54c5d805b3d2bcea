/// \file
/// Call operators: which one the library calls, and which one is behind a function.

#pragma once

#include "clang/AST/DeclCXX.h"

namespace ddx::compiler {

/// Returns: the call operator of `record` that the library's function `caller` comes to call, or
/// lets another call. The bodies of the library tell which one of several it is, and which instance
/// of a template. Null where they call none, or more than one.
/// Cost: one walk over these bodies.
const clang::CXXMethodDecl* called_operator(const clang::FunctionDecl* caller,
                                            const clang::CXXRecordDecl* record);

/// The same for the class of `object`, an argument of `caller`. Null where that is a std::function
/// or no class.
const clang::CXXMethodDecl* operator_called_by(const clang::FunctionDecl* caller,
                                               const clang::Expr* object);

/// Returns: the function that `expression` turns a lambda without captures into; null for others.
const clang::FunctionDecl* function_from_lambda(const clang::Expr* expression);

/// Returns: the call operator of the lambda that `function` is made for, where that is what the
/// lambda converts to, a function without a body of its own. Null for other functions.
const clang::CXXMethodDecl* operator_behind(const clang::FunctionDecl* function);

}  // namespace ddx::compiler
