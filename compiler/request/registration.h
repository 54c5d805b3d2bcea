/// \file
/// Registrations as the AST holds them between the attribute and the end of the unit.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Sema/Sema.h"

#include <vector>

namespace ddx::compiler {

/// One use of the attribute.
struct Registration {
  clang::FunctionDecl* derivative;  ///< The pattern where it is a template.
  clang::Expr* named;               ///< The argument: `&f`.
  clang::SourceLocation where;      ///< The attribute.
};

/// Keeps `registration` in the AST of `sema`'s unit, in declarations that nothing but
/// `registrations` reads.
///
/// A precompiled header stores them with everything else; an attribute that carries an expression
/// would not do, because code generation evaluates those it knows.
void add_registration(clang::Sema& sema, const Registration& registration);

/// All registrations of the unit and its precompiled header, in source order.
std::vector<Registration> registrations(clang::Sema& sema);

}  // namespace ddx::compiler
