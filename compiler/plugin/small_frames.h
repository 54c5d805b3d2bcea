/// \file
/// The lengths of derivatives, and the stack that they take where nothing is optimised.

#pragma once

#include "clang/Basic/CodeGenOptions.h"

namespace ddx::compiler {

/// Adds a pass that splits long functions of derivatives in pieces (`split_if_long`), and one, for
/// -O0 alone, that keeps the variables of derivatives in registers.
///
/// A derivative has a variable for each value, and without optimisation each has a place in the
/// frame: recursion of a depth that the program has the stack for would overflow it in its
/// derivative. Where accesses are checked (-fsanitize=address), variables stay in memory.
void keep_frames_small(clang::CodeGenOptions& options);

}  // namespace ddx::compiler
