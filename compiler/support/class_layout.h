/// \file
/// The members of a class, as its tangent knows them.

#pragma once

#include "clang/AST/Decl.h"

namespace ddx::compiler {

/// The first of a member's several names; other members are named by themselves.
const clang::FieldDecl* named_member(const clang::FieldDecl* field);

}  // namespace ddx::compiler
