/// \file
/// Room to recurse over programs of any depth.

#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace ddx::compiler {

/// Calls `run` on a thread of its own with a stack of 1 GB, of which it costs what it uses, and
/// waits for it.
///
/// Stages recurse as the syntax tree does, and what Clang parses in 8 MB (a sum of ten thousand
/// terms) needs more than that in them.
void run_on_large_stack(llvm::function_ref<void()> run);

}  // namespace ddx::compiler
