/// \file
/// Calls of ddx that take a function.

#pragma once

#include "clang/AST/Decl.h"

namespace ddx::compiler {

/// True for a function of ddx that is handed a function and differentiated by a rule of its own:
/// `checkpointed`, `with_derivative`, `scan`, ..., and a gradient inside differentiated code.
bool is_functor_call(const clang::FunctionDecl* callee);

}  // namespace ddx::compiler
