/// \file
/// Functions that state their own derivatives through memory: `ddx::call_by_rule` of
/// ddx/ad/memory_rule.h.

#pragma once

#include "llvm/IR/Function.h"

#include <optional>

namespace ddx::compiler::memory {

class Unit;
struct Derivative;

/// The functions of a rule: the forward sweep has the primal's parameters and the sweep, the
/// reverse sweep has the sweep alone, the tangent has the primal's parameters and the directory.
struct AttachedRule {
  llvm::Function* forward;
  llvm::Function* reverse;
  llvm::Function* tangent;
};

/// The rule that the body of a function names where it begins; none for other functions.
std::optional<AttachedRule> find_attached_rule(const llvm::Function& primal);

/// Defines `made.forward` and `made.reverse` of a function with a rule.
void define_sweeps_by_rule(Derivative& made, const AttachedRule& rule, Unit& unit);

/// Defines `made.tangent`, which is differentiated as other functions are.
void define_tangent_by_rule(Derivative& made, const AttachedRule& rule, Unit& unit);

}  // namespace ddx::compiler::memory
