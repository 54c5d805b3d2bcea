/// \file
/// Which variables of a function may be meant by a pointer or a reference that is chosen at run
/// time.

#pragma once

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace ddx::compiler {

/// The local variables in `body` whose address is kept in an object, given to a pointer that
/// changes, or chosen among others: by name alone it is unknown what happens to them.
llvm::DenseSet<const clang::VarDecl*> escaping_variables(const clang::Stmt* body);

}  // namespace ddx::compiler
