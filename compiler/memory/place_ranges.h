/// \file
/// Cotangents and tangents of the numbers that a loop goes through, found once.

#pragma once

#include "compiler/memory/unit.h"

namespace ddx::compiler::memory {

/// Gives the inner loops of a complete function a copy in which the places of cotangents lie behind
/// each other as the numbers do. It runs where the run time confirms that in front of the loop; the
/// loop that looks each of them up runs elsewhere.
///
/// Only for addresses that each iteration moves by constant bytes, or not at all.
void find_cotangents_by_range(llvm::Function& function, Unit& unit);

/// The same for tangents. In tangents of reverse sweeps cotangents come first: they have tangents.
void find_tangents_by_range(llvm::Function& function, Unit& unit);

}  // namespace ddx::compiler::memory
