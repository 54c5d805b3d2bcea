/// \file
/// The functions that a function may call.

#pragma once

#include "compiler/support/context.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <vector>

namespace ddx::compiler {

struct ReachedFunctions {
  std::vector<const clang::FunctionDecl*> all;
  std::size_t named = 0;  ///< The first ones: those that are reached by name.

  [[nodiscard]] llvm::ArrayRef<const clang::FunctionDecl*> by_name() const {
    return llvm::ArrayRef(all).take_front(named);
  }
};

/// Returns `first`, and the functions that it and these name in their bodies. Where one of these
/// bodies calls through a pointer, then also what the rest of the unit names, outside the
/// libraries: each may be meant.
///
/// Cost: one walk over the bodies, and perhaps one over the unit.
ReachedFunctions reached_functions(const Context& context, const clang::FunctionDecl* first);

}  // namespace ddx::compiler
