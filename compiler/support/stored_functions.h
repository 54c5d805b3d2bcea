/// \file
/// Which functions a pointer that only the run of the program knows may denote.

#pragma once

#include "clang/AST/ASTContext.h"

#include <vector>

namespace ddx::compiler {

/// Returns: the functions of the unit that a value of `type`, a pointer to functions, may denote,
/// in the order in which the unit names them. Cost: one walk over the unit for each call.
std::vector<const clang::FunctionDecl*> stored_functions(clang::ASTContext& context,
                                                         clang::QualType type);

}  // namespace ddx::compiler
