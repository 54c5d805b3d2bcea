/// \file
/// Inlines callees into a function that is differentiated.

#pragma once

#include "compiler/memory/unit.h"

namespace ddx::compiler::memory {

/// Inlines small callees into the copy `function` of `primal`, round by round; and entries of
/// requests, so that it is known there which function a pointer means.
void inline_callees(llvm::Function& function, const llvm::Function& primal, Unit& unit);

}  // namespace ddx::compiler::memory
