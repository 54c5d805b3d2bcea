/// \file
/// The functions of a program from which the analysis of shapes starts.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <vector>

namespace ddx::compiler::shapes {

/// Whether the unit declares tensors.
bool has_tensors(clang::ASTContext& ast);

/// The functions that the program defines, in the order of the text, except for those that are
/// analysed where they are called only: closures, and functions that are named within a `try` block
/// with handlers, within a closure, or otherwise than to be called. Errors of these may be
/// expected.
std::vector<const clang::FunctionDecl*> entries_of(clang::ASTContext& ast);

}  // namespace ddx::compiler::shapes
