/// \file
/// Given derivatives for the memory path, which differentiates what functions do.

#pragma once

#include "compiler/support/context.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace ddx::compiler {

/// Whether the memory path has no rule for a call of `function`, which takes a function and is
/// known to the compiler: `ddx::scan`, say.
bool is_beyond_memory(const Context& context, const clang::FunctionDecl& function);

/// Adds what the memory path must know of `functions` to its rules: registered derivatives, classes
/// with tangents of their own making, and functions of ddx that have no derivative.
///
/// Returns the text of the functions by which it calls given derivatives, in one mode, where a call
/// before has not returned them.
std::string add_given_derivatives(const Context& context,
                                  llvm::ArrayRef<const clang::FunctionDecl*> functions,
                                  bool is_forward_mode);

}  // namespace ddx::compiler
