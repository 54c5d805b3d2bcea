/// \file
/// Whether objects may hold real numbers, and what lies in the library.

#pragma once

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"

#include <set>

namespace ddx::compiler {

class Types;

/// True for declarations of namespace std and of the library's own namespaces, at any depth; not
/// for the container adaptors where they may hold reals: those are what their text says.
bool in_library(const clang::Decl* declaration);

/// What a class that is its own tangent is made of, say: nothing of it shows in its members. A
/// class derived from it may say that it holds none.
bool says_it_holds_reals(const clang::CXXRecordDecl* record);

/// True when an object of this type could hold a real number anywhere, except for those in types
/// that have been `met`. `exact`: its class is no derived one. `skipped_pointers`: what to pass
/// over, with all that lies behind it.
bool may_hold_real(clang::QualType type, std::set<const clang::Type*>& met, bool exact = false,
                   Types* skipped_pointers = nullptr);

}  // namespace ddx::compiler
