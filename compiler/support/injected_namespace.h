/// \file
/// Namespaces that exist in the AST alone.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringRef.h"

namespace ddx::compiler {

/// Namespace `name` of global scope where the unit, or a precompiled header of it, has one; else
/// null.
clang::NamespaceDecl* find_namespace(clang::Sema& sema, llvm::StringRef name);

/// Opens namespace `name` at global scope, as source text would.
clang::NamespaceDecl* inject_namespace(clang::Sema& sema, llvm::StringRef name);

}  // namespace ddx::compiler
