/// \file
/// Whether code may let a pointer variable point elsewhere.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace ddx::compiler {

/// Where `body` may change `pointer`: the first mention of it that does not read its value. Null
/// where there is none. Cost: one walk over the body.
const clang::DeclRefExpr* change_of(const clang::VarDecl* pointer, const clang::Stmt* body);

}  // namespace ddx::compiler
