#include "compiler/memory/inlining.h"

#include "compiler/memory/alignment_checks.h"
#include "compiler/memory/attached_rules.h"
#include "compiler/memory/calls.h"
#include "compiler/memory/computed_jumps.h"
#include "compiler/memory/known_functions.h"
#include "compiler/memory/parallel_regions.h"
#include "compiler/memory/scalar_slopes.h"
#include "compiler/memory/singular_points.h"
#include "compiler/memory/stored_functions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr unsigned largest_inlined = 120;  ///< Instructions of a callee, as Clang writes them.
constexpr unsigned largest_grown = 4000;   ///< Instructions of a function that callees enter.
constexpr unsigned most_rounds = 8;
constexpr unsigned most_entry_rounds = 4;  ///< A request, its entry, the part for one function.

bool reads_variable_arguments(const Function& function) {
  return function.isVarArg() && any_of(instructions(function), [](const Instruction& instruction) {
           return isa<VAStartInst>(instruction);
         });
}

/// An entry of a request, which may take a pointer that says which function is meant.
bool is_entry(const Function& function) {
  const StringRef name = function.getName();
  return name.contains("ddx_entry") ||
         (name.starts_with("_ZN3ddx6detail") &&
          (name.contains("value_with_gradient_entryI") || name.contains("value_with_rows_entryI") ||
           name.contains("value_with_differential_entryI") || name.contains("14pullback_entryI")));
}

/// Functions that pass a pointer to an entry are inlined, so that it is known there which function
/// is meant; then an entry shrinks to the part for this function.
unsigned largest_inlined_of(const Function& callee) {
  if (is_entry(callee)) {
    return largest_grown;
  }
  const StringRef name = callee.getName();
  const bool leads_to_entry = name.contains("run_value_with_") || name.contains("run_value_and_");
  return leads_to_entry ? 5 * largest_inlined : largest_inlined;
}

bool is_inlined(const CallBase& call, const Function& into, Unit& unit) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr || callee->isDeclaration() || reads_variable_arguments(*callee) ||
      callee == &into || callee->getFunctionType() != call.getFunctionType() ||
      callee->getInstructionCount() > largest_inlined_of(*callee) || is_parallel_region(*callee) ||
      has_computed_jumps(*callee) || unit.rules().is_opaque(callee->getName()) ||
      unit.labelled(("ddx.body." + callee->getName()).str()) != nullptr ||
      kind_of(call, unit).kind == CallKind::Scalar ||
      effect_of(callee->getName()) != External::Unknown || is_scaling(*callee) ||
      is_slope_at_singularity(*callee) || unit.is_made(*callee) || find_attached_rule(*callee)) {
    return false;
  }
  return none_of(instructions(*callee), [&](const Instruction& instruction) {
    // A call that is rejected is reported in its own function.
    const auto* inner = dyn_cast<CallBase>(&instruction);
    return inner != nullptr && (inner->getCalledFunction() == callee ||
                                kind_of(*inner, unit).kind == CallKind::Rejected);
  });
}

/// Inlines what a round can, of entries or of other functions. Returns whether it changed anything.
bool inline_round(Function& function, const Function& primal, Unit& unit, bool entries) {
  SmallVector<CallBase*> calls;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call != nullptr && is_inlined(*call, primal, unit) &&
        is_entry(*call->getCalledFunction()) == entries) {
      calls.push_back(call);
    }
  }
  bool changed = false;
  for (CallBase* call : calls) {
    if (function.getInstructionCount() > largest_grown) {
      return false;
    }
    InlineFunctionInfo info;
    changed = InlineFunction(*call, info).isSuccess() || changed;
  }
  return changed;
}

/// Removes branches for other functions than a pointer means.
void choose_branches(Function& function, FunctionAnalysisManager& analyses) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  // Checks of sanitizers would know the address of the variable that holds the pointer.
  passes.addPass(FoldAlignmentChecks());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(DCEPass());
  passes.addPass(ReplaceStoredFunctions());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(SimplifyCFGPass());
  analyses.clear(function, function.getName());
  passes.run(function, analyses);
  analyses.clear(function, function.getName());
}

}  // namespace

void inline_callees(Function& function, const Function& primal, Unit& unit) {
  unsigned rounds = 0, entry_rounds = 0;
  for (bool changed = true; changed;) {
    changed = rounds++ < most_rounds && inline_round(function, primal, unit, /*entries=*/false);
    if (!changed && entry_rounds++ < most_entry_rounds) {
      const bool has_entries = any_of(instructions(function), [](const Instruction& instruction) {
        const auto* call = dyn_cast<CallBase>(&instruction);
        return call != nullptr && call->getCalledFunction() != nullptr &&
               is_entry(*call->getCalledFunction());
      });
      if (has_entries) {
        removeUnreachableBlocks(function);
        choose_branches(function, unit.analyses());
        changed = inline_round(function, primal, unit, /*entries=*/true);
      }
    }
  }
}

}  // namespace ddx::compiler::memory
