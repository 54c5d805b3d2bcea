#include "compiler/memory/stored_functions.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// What is done with a variable.
struct Uses {
  SmallVector<StoreInst*> stores;
  SmallVector<LoadInst*> loads;
  SmallVector<Instruction*> others;  ///< They may change it, or pass its address on.
};

Uses uses_of(AllocaInst& variable) {
  Uses uses;
  for (User* user : variable.users()) {
    auto* store = dyn_cast<StoreInst>(user);
    auto* load = dyn_cast<LoadInst>(user);
    if (store != nullptr && store->getValueOperand() != &variable) {
      uses.stores.push_back(store);
    } else if (load != nullptr && load->getType()->isPointerTy()) {
      uses.loads.push_back(load);
    } else if (auto* other = cast<Instruction>(user); !other->isLifetimeStartOrEnd()) {
      uses.others.push_back(other);
    }
  }
  return uses;
}

bool replace_loads(AllocaInst& variable, const DominatorTree& tree) {
  const Uses uses = uses_of(variable);
  if (uses.stores.size() != 1 || !isa<Function>(uses.stores.front()->getValueOperand())) {
    return false;
  }
  bool changed = false;
  for (LoadInst* load : uses.loads) {
    if (tree.dominates(uses.stores.front(), load) && none_of(uses.others, [&](Instruction* other) {
          return isPotentiallyReachable(other, load, nullptr, &tree);
        })) {
      load->replaceAllUsesWith(uses.stores.front()->getValueOperand());
      load->eraseFromParent();
      changed = true;
    }
  }
  return changed;
}

}  // namespace

PreservedAnalyses ReplaceStoredFunctions::run(Function& function,
                                              FunctionAnalysisManager& analyses) {
  const DominatorTree& tree = analyses.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (auto* variable = dyn_cast<AllocaInst>(&instruction);
        variable != nullptr && variable->getAllocatedType()->isPointerTy()) {
      changed = replace_loads(*variable, tree) || changed;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace ddx::compiler::memory
