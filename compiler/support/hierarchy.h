/// \file
/// The classes of the unit that derive from a class.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

#include <vector>

namespace ddx::compiler {

/// Returns: the complete, not abstract classes of the unit that are `base` or derive from it, in
/// the order of their definitions. Instances of templates and classes of functions count.
/// Cost: one walk over the unit for each call.
std::vector<const clang::CXXRecordDecl*> concrete_classes(clang::ASTContext& context,
                                                          const clang::CXXRecordDecl* base);

}  // namespace ddx::compiler
