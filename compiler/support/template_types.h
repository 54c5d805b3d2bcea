/// \file
/// What a class template was made of.

#pragma once

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Type.h"

#include <vector>

namespace ddx::compiler {

/// The types among the template arguments of `record`, those of packs among them, in order; none
/// for a class that no template made, and for null.
std::vector<clang::QualType> template_types(const clang::CXXRecordDecl* record);

}  // namespace ddx::compiler
