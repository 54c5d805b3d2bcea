/// \file
/// Calls of the run time for the places of cotangents and tangents.

#pragma once

#include "llvm/IR/Instructions.h"

#include <optional>
#include <utility>

namespace ddx::compiler::memory {

enum class PlaceUse { Place, Take, Get, Tangent };

/// What a call of the run time does with a cotangent or a tangent, and its type.
std::optional<std::pair<PlaceUse, llvm::Type*>> use_of(const llvm::CallInst& call);

/// Whether an instruction accesses no cotangents, or no tangents if `of_tangents`. Both are
/// accessed by results of calls of the run time alone, and have nothing in common.
bool is_apart_from_places(const llvm::Instruction& instruction, bool of_tangents);

}  // namespace ddx::compiler::memory
