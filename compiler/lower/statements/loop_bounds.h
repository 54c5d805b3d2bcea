/// \file
/// Whether the body of a loop leaves the bound of the loop as it is.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ddx::compiler {

/// True for two reference variables that may name one object.
using MayOverlap = llvm::function_ref<bool(const clang::VarDecl*, const clang::VarDecl*)>;

/// For variables, whether their address is passed on somewhere, found by one walk over a function.
using Exposures = llvm::DenseMap<const clang::ValueDecl*, bool>;

/// True when nothing that `bound` reads may change in `body`, by whatever name: in what the body
/// calls, through references, pointers and captures. What cannot be seen counts as a change.
///
/// The reads that are followed: variables, members, sizes of containers, and functions of the
/// object that return such. Cost: one walk over the body and, where the bound is reachable by
/// another name, over every function that it calls.
bool is_invariant(const clang::Expr* bound, const clang::Stmt* body, MayOverlap overlap,
                  Exposures& known);

/// True when `variable`, a number that a loop counts with, may change in `body`.
bool may_step(const clang::VarDecl* variable, const clang::Stmt* body);

}  // namespace ddx::compiler
