/// \file
/// What the unit puts where only the run of the program says which function is called.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

#include <vector>

namespace ddx::compiler {

/// Returns: the functions of the unit that a value of `type`, a pointer to functions, may denote,
/// in the order in which the unit names them. Cost: one walk over the unit for each call.
std::vector<const clang::FunctionDecl*> stored_functions(clang::ASTContext& context,
                                                         clang::QualType type);

/// Returns: the classes of the unit's own whose objects lie in containers of the library, in arrays
/// or behind smart pointers, or in objects that do.
/// Cost: one walk over the types of the unit for each call.
std::vector<const clang::CXXRecordDecl*> contained_classes(clang::ASTContext& context);

}  // namespace ddx::compiler
