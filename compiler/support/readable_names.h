/// \file
/// Short identifiers that remind a reader of a type or a declaration.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"

#include <string>

namespace ddx::compiler {

/// An identifier after the spelling of `type` without scopes and default arguments:
/// `vector_double`, `closure`. Not unique; at most 40 characters.
std::string readable_name(const clang::ASTContext& context, clang::QualType type);

/// The type as a message names it: as written, but not after `auto`; without default arguments.
std::string readable_type(clang::QualType type, const clang::ASTContext& context);

/// An identifier after the name of `declaration`: `sin`, `operator_star`, `conversion_to_double`.
/// Not unique; not empty.
std::string readable_name(const clang::ASTContext& context, const clang::NamedDecl& declaration);

}  // namespace ddx::compiler
