/// \file
/// Functions that are too long to be compiled as a whole.

#pragma once

#include "llvm/IR/Function.h"

namespace ddx::compiler {

/// Splits a function of more than some ten thousand instructions into functions of some thousand
/// each, which it calls one after the other; a shorter one, one that catches exceptions, and
/// one whose accesses a sanitizer checks stay as they are.
///
/// Clang's passes and code generator take time that is quadratic in the length of a function, and
/// in the number of its variables. The pieces have their own variables; those that several of them
/// use lie in the frame of the function that calls them. The function must be as Clang generates
/// it, with its variables in memory. Returns whether it changed.
bool split_if_long(llvm::Function& function);

}  // namespace ddx::compiler
