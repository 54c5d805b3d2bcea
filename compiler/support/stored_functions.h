/// \file
/// What the unit puts where only the run of the program says which function is called.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

#include <vector>

namespace ddx::compiler {

/// The functions, and the call operators of lambdas and function objects, that a value may
/// denote.
struct StoredFunctions {
  std::vector<const clang::CXXMethodDecl*> operators;
  std::vector<const clang::FunctionDecl*> functions;
};

/// Returns: what the unit makes objects of `type` from, a std::function or a pointer to functions,
/// in the order in which it does.
/// Cost: one walk over the unit for each call.
StoredFunctions stored_functions(clang::ASTContext& context, clang::QualType type);

/// Returns: the classes of the unit's own whose objects lie in containers of the library, in arrays
/// or behind smart pointers, or in objects that do.
/// Cost: one walk over the types of the unit for each call.
std::vector<const clang::CXXRecordDecl*> contained_classes(clang::ASTContext& context);

}  // namespace ddx::compiler
