/// \file
/// Calls of functions whose derivatives are given, by functions that the front end writes.

#pragma once

#include "compiler/memory/unit.h"

namespace ddx::compiler::memory {

/// True for a function that the front end wrote for such calls.
bool is_given_text(const llvm::Function& function);

/// Whether a function has no derivative in the mode in which it is given as `given`.
bool is_refused(const llvm::Function& function, GivenBy given, const Unit& unit);

/// Defines the sweeps of a function by the text of its given derivative.
void define_given_sweeps(Derivative& made, Unit& unit);

/// Defines its tangent likewise.
void define_given_tangent(Derivative& made, Unit& unit);

}  // namespace ddx::compiler::memory
